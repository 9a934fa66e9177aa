import type { NodeLog } from './node.ts'
import { transferOf, wrapOf } from './transfers.ts'

/** A balance after a block; `id` is -1 for a whole contract. */
export type CountedBalance = {
  readonly kind: number
  readonly token: string
  readonly address: string
  readonly id: bigint
}

/** The totals of a token's transfers. */
type Totals = {
  readonly kind: number
  readonly token: string
  /** The block of its first transfer. */
  firstBlock: number | undefined
  /** Whether a deposit or a withdrawal was counted. */
  firstWrap: number | undefined
  lastBlock: number
  supply: bigint
  transfers: bigint
  readonly holding: Set<string>
  /** The first block of each id. */
  readonly ids: Map<bigint, number>
}

/** A range of ERC-721 tokens that one log moved. */
type CountedRange = {
  readonly token: string
  readonly first: bigint
  readonly last: bigint
  readonly from: string
  readonly to: string
  readonly block: number
}

type Entry = CountedBalance & { balance: bigint; peak: bigint | undefined }

/**
 * The changes of a block: the balances that differ from before it, and the totals of each token that moved.
 */
export type CountedBlock = {
  readonly balances: readonly (CountedBalance & { readonly balance: bigint })[]
  readonly totals: readonly {
    readonly kind: number
    readonly token: string
    readonly supply: bigint
    readonly holders: number
    readonly transfers: bigint
  }[]
}

/** A log and the index of its transaction; without one, all logs are of the same. */
export type PlacedLog = NodeLog & { readonly txIndex?: number }

const nobody = `0x${'0'.repeat(40)}`

/**
 * Adds up token transfers in the most direct way: every balance of every address in one map, and nothing
 * shared with the indexer. Blocks are added in height order.
 */
export class TokenRecount {
  readonly entries = new Map<string, Entry>()
  readonly tokens = new Map<string, Totals>()
  /** The ranges of each contract that are stored: docs/indexer.md, Tokens. */
  readonly ranges = new Map<string, CountedRange[]>()
  transfers = 0
  readonly #areTokens: ReadonlySet<string>
  readonly #areProven: ReadonlySet<string>

  /**
   * `areTokens`: the contracts that log ERC-20 transfers anywhere in the chain, or were proved to be wrappers of the native
   * token (`areProven`). Deposits and withdrawals count for these, from before the first transfer too.
   */
  constructor(areTokens: ReadonlySet<string> = new Set(), areProven: ReadonlySet<string> = new Set()) {
    this.#areTokens = areTokens
    this.#areProven = areProven
  }

  add(number: number, logs: readonly PlacedLog[]): CountedBlock {
    const before = new Map<Entry, bigint>()
    const moved = new Set<Totals>()
    const change = (kind: number, token: string, address: string, id: bigint, amount: bigint) => {
      if (address === nobody) return
      const entry = this.#entry(kind, token, address, id)
      if (!before.has(entry)) before.set(entry, entry.balance)
      entry.balance += amount
    }
    for (const log of logs) {
      if (this.#areTokens.has(log.address)) {
        const wrap = wrapOf(log, () => logs.filter(({ txIndex }) => txIndex === log.txIndex))
        if (wrap) {
          const totals = this.#totals(20, wrap.token)
          moved.add(totals)
          totals.firstWrap ??= number
          if (this.#areProven.has(log.address)) totals.firstBlock ??= number
          totals.lastBlock = number
          totals.supply += wrap.amount
          change(20, wrap.token, wrap.account, -1n, wrap.amount)
        }
      }
      const transfer = transferOf(log)
      if (!transfer) continue
      const { kind, token, from, to } = transfer
      for (const { id, value, last } of transfer.items) {
        const totals = this.#totals(kind, token)
        moved.add(totals)
        totals.firstBlock ??= number
        totals.transfers += 1n
        totals.lastBlock = number
        this.transfers += 1
        const isRange = last !== undefined
        if (isRange) this.#addRange({ token, first: id, last, from, to, block: number })
        else if (kind !== 20 && !totals.ids.has(id)) totals.ids.set(id, number)
        // The supply of a wrapper is what was deposited and not withdrawn, wherever it is.
        if (from === nobody && totals.firstWrap === undefined) totals.supply += value
        if (to === nobody && totals.firstWrap === undefined) totals.supply -= value
        for (const place of kind === 20 || isRange ? [-1n] : [-1n, id]) {
          change(kind, token, from, place, -value)
          change(kind, token, to, place, value)
        }
      }
    }
    const changed = [...before]
      .filter(([entry, balance]) => entry.balance !== balance)
      .map(([entry]) => entry)
    for (const entry of changed) {
      if (entry.peak === undefined || entry.balance > entry.peak) entry.peak = entry.balance
      if (entry.id !== -1n) continue
      const { holding } = this.#totals(entry.kind, entry.token)
      if (entry.balance > 0n) holding.add(entry.address)
      else holding.delete(entry.address)
    }
    return {
      balances: changed.map((entry) => ({ ...entry })),
      totals: [...moved].map(({ kind, token, supply, transfers, holding }) => ({
        kind,
        token,
        supply,
        transfers,
        holders: holding.size,
      })),
    }
  }

  #addRange(range: CountedRange): void {
    const known = this.ranges.get(range.token)
    if (!known) this.ranges.set(range.token, [range])
    else if (known.length < 1_000) known.push(range)
  }

  #entry(kind: number, token: string, address: string, id: bigint): Entry {
    const key = `${kind} ${token} ${address} ${id}`
    const found = this.entries.get(key)
    if (found) return found
    const made: Entry = { kind, token, address, id, balance: 0n, peak: undefined }
    this.entries.set(key, made)
    return made
  }

  #totals(kind: number, token: string): Totals {
    const key = `${kind} ${token}`
    const found = this.tokens.get(key)
    if (found) return found
    const made: Totals = {
      kind,
      token,
      firstBlock: undefined,
      firstWrap: undefined,
      lastBlock: 0,
      supply: 0n,
      transfers: 0n,
      holding: new Set(),
      ids: new Map(),
    }
    this.tokens.set(key, made)
    return made
  }
}
