import type { BinaryRows } from '../../../store/copy-binary.ts'
import type { TokenKind, Transfer } from './transfers.ts'

/** A block's transfers, in order, with the deposits and withdrawals of wrappers. */
export type MovingBlock = { readonly number: number; readonly transfers: readonly Transfer[] }

/** A token contract of one kind, with the holders and ids that are in memory. */
export type TokenState = {
  readonly token: string
  readonly kind: TokenKind
  /** Whether the store has rows of the token. */
  known: boolean
  /** Whether a transfer of it was seen: deposits and withdrawals alone make no token. */
  hasMoved: boolean
  /** Whether it has a row of `tokens`, or is to have one with the block that moves it next. */
  isListed: boolean
  /** Whether the store knows that its deposits and withdrawals may be those of a wrapper. */
  isCandidate: boolean
  /** The block of the first deposit or withdrawal that counts; undefined if there is none. */
  firstWrap: number | undefined
  supply: bigint
  holders: number
  transfers: number
  /** The stored ranges of ids. */
  ranges: number
  /** The last of the applied blocks that moved the token. */
  block: number
  /** By address, and by address and id. */
  readonly whole: Map<string, Holding>
  readonly items: Map<string, Holding>
  readonly nfts: Map<string, Nft>
}

/** An address's balance of a token, for one id or for the whole contract: a key of `balances`. */
export type Holding = {
  readonly token: TokenState
  readonly address: string
  readonly id: string
  /** Its row of `balances` in COPY's binary format, up to the block number. */
  readonly head: Buffer
  balance: bigint
  /** The balance after the last block before the current one. */
  settled: bigint
  /** The last block that moved it. */
  block: number
  /** The highest balance after any block since its row of `holders` was written. */
  peak: bigint | undefined
}

export type Nft = { readonly token: TokenState; readonly id: string; known: boolean }

/**
 * Rows for COPY, with the columns of the tables; the holdings whose row of `holders` is out of date; and the
 * tokens whose row of `tokens` is, each with the first of the blocks in which it moved since.
 */
export type TokenRows = {
  readonly balances: BinaryRows
  totals: string
  nfts: string
  ranges: string
  /** Contracts that logged a deposit or a withdrawal first, with the block. */
  readonly candidates: Map<string, number>
  /** Candidates that proved to be wrappers and became tokens. */
  readonly proven: Set<string>
  readonly holders: Set<Holding>
  readonly tokens: Map<TokenState, number>
}
