import table from './signatures.json' with { type: 'json' }

/**
 * Signatures of one origin, in the ABI's human-readable form. A signature is a fact and bears no licence;
 * the licence named is that of the text in which it stands.
 */
export type SignatureGroup = {
  /** The standard's number, or the project and contract. */
  readonly source: string
  readonly licence: string
  readonly signatures: readonly string[]
}

/**
 * The calls and events that are decoded by name. An entry is added because chains of the kind Ridgeline shows use it;
 * argument names are those of the standard or the source.
 */
export const signatureGroups: readonly SignatureGroup[] = table

/** Every known signature. Where two share their four bytes or topic, the first that decodes is shown. */
export const knownSignatures: readonly string[] = signatureGroups.flatMap(({ signatures }) => signatures)
