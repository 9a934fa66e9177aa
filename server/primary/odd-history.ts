import type { OddKind } from '../../contract/primary/odd-history.ts'
import { cb58 } from '../../protocol/ids/text.ts'

/** What today's rules would refuse (docs/indexer.md, "Accepted history"), of a transaction or, at index -1, of a block. */
export type OddThing = {
  readonly height: number
  readonly index: number
  readonly kind: OddKind
  readonly detail: string
}

/** The detail of `neverMade`, and the beginning of that of `spentAgain`: which input, and what it spends. */
export const oddInput = (input: number, utxoId: Uint8Array): string => `input ${input}: UTXO ${cb58(utxoId)}`
