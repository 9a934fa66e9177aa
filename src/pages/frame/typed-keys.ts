/** The keys pressed since the command palette was called, until it is there; undefined when nobody waits for it. */
export const typedKeys: { all?: KeyboardEvent[] | undefined } = {}
