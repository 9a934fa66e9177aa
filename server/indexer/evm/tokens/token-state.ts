import type { BinaryRows } from '../../../store/copy-binary.ts'
import type { TokenKind } from './transfers.ts'

/** A token contract in one of its kinds, and what is in memory of its holders and ids. */
export type TokenState = {
  readonly token: string
  readonly kind: TokenKind
  /** Whether the token has rows. */
  known: boolean
  supply: bigint
  holders: number
  transfers: number
  /** The block that moved it last, of those applied since it was read. */
  block: number
  /** By address, and by address and id. */
  readonly whole: Map<string, Holding>
  readonly items: Map<string, Holding>
  readonly nfts: Map<string, Nft>
}

/** What an address holds of a token, of one id or of the whole contract: a key of `balances`. */
export type Holding = {
  readonly token: TokenState
  readonly address: string
  readonly id: string
  /** Its row of `balances` in COPY's binary format, up to the block. */
  readonly head: Buffer
  balance: bigint
  /** The balance after the last block before this one. */
  settled: bigint
  /** The block that moved it last. */
  block: number
  /** The highest balance after a block since its row of `holders` was written. */
  peak: bigint | undefined
}

export type Nft = { readonly token: TokenState; readonly id: string; known: boolean }

/** Rows for COPY, columns as in the migration, and the holdings whose row of `holders` is old. */
export type TokenRows = {
  readonly balances: BinaryRows
  totals: string
  tokens: string
  nfts: string
  readonly holders: Set<Holding>
}
