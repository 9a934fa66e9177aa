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
