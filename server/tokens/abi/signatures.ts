import table from './signatures.json' with { type: 'json' }

/**
 * Signatures from one source, in the ABI's human-readable form. A signature is a fact without a licence; the
 * licence given is that of the source text.
 */
type SignatureGroup = {
  /** The standard's number, or the project and contract. */
  readonly source: string
  readonly licence: string
  readonly signatures: readonly string[]
}

/**
 * The calls and events that are decoded by name. Entries are added when chains of this kind use them;
 * argument names are those of the standard or the source.
 */
export const signatureGroups: readonly SignatureGroup[] = table

/** Every known signature. If two share a selector or topic, the first that decodes is shown. */
export const knownSignatures: readonly string[] = signatureGroups.flatMap(({ signatures }) => signatures)
