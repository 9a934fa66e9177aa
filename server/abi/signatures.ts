import { accountSignatures } from './signatures/accounts.ts'
import { chainSignatures } from './signatures/chains.ts'
import { exchangeSignatures } from './signatures/exchanges.ts'
import type { SignatureGroup } from './signatures/group.ts'
import { tokenSignatures } from './signatures/tokens.ts'

/**
 * The calls and events that are decoded by name, with where each stands. An entry is added for its use on
 * chains of the kind Ridgeline shows; argument names are those of the standard or the source.
 */
export const signatureGroups: readonly SignatureGroup[] = [
  ...tokenSignatures,
  ...accountSignatures,
  ...exchangeSignatures,
  ...chainSignatures,
]

/** Every known signature. Where two share their four bytes or topic, the first that decodes is shown. */
export const knownSignatures: readonly string[] = signatureGroups.flatMap(({ signatures }) => signatures)
