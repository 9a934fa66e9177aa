/** The types of calls that the lists of an address have even if they move no value: creations and self-destructions. */
export const listedCallTypes = ['CREATE', 'CREATE2', 'SELFDESTRUCT'] as const

/** SQL that is true of the type of such a call. */
export const hasListedType = `type in (${listedCallTypes.map((type) => `'${type}'`).join(', ')})`
