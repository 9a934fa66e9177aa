import { callOrders, maxRanked, tokenOrders } from '../../contract/metrics/rankings.ts'
import type { Database } from '../store/database.ts'
import type { BlockRange } from '../store/evm/read-blocks.ts'
import {
  readBalanceChangeCount,
  readRankedContracts,
  readRankedMethods,
  readRankedTokens,
  readTransactionCount,
} from '../store/metrics/read-rankings.ts'
import type { Findings } from './findings.ts'
import type { NodeBlock } from './node.ts'
import type { CountedBlock } from './token-recount.ts'

/** The most rows of a ranking that a service answers. */
const maxRows = 100

type Calls = {
  transactions: number
  failed: number
  gas: bigint
  fees: bigint
  readonly callers: Set<string>
  readonly contracts: Set<string>
}
type Moves = { transfers: bigint; readonly holders: Set<string> }

/** What was called and what moved in a range of heights. */
type Counted = {
  readonly range: BlockRange
  /** Whether the service ranks the calls, and the tokens, of so many blocks. */
  readonly hasCalls: boolean
  readonly hasTokens: boolean
  /** Called addresses, selectors, and tokens with their kinds, each with its sums. */
  readonly contracts: Map<string, Calls>
  readonly methods: Map<string, Calls>
  readonly tokens: Map<string, Moves>
}

function at<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

const noCalls = (): Calls => ({
  transactions: 0,
  failed: 0,
  gas: 0n,
  fees: 0n,
  callers: new Set(),
  contracts: new Set(),
})

/** A row of a ranking: its key, its figure of each order, and all that is compared. */
type Row = { readonly key: string; readonly figures: Readonly<Record<string, bigint>>; readonly text: string }

/** A token and its kind as a key in the order of both. */
const tokenKey = (token: string, kind: number): string => `${token} ${String(kind).padStart(4, '0')}`

/** The first rows by an order; equal figures are in the order of their keys. */
const firstOf = (rows: readonly Row[], order: string): string[] =>
  rows
    .toSorted((a, b) => {
      const [x, y] = [a.figures[order] ?? 0n, b.figures[order] ?? 0n]
      return x === y ? (a.key < b.key ? -1 : 1) : x > y ? -1 : 1
    })
    .slice(0, maxRows)
    .map(({ key, text }) => `${key} ${text}`)

const callText = (calls: {
  transactions: bigint | number
  failed: bigint | number
  gas: bigint | string
  fees: bigint | string
  callers: bigint | number
}): string => `${calls.transactions} ${calls.failed} ${calls.gas} ${calls.fees} ${calls.callers}`

const callRows = (counted: ReadonlyMap<string, Calls>, withContracts: boolean): Row[] =>
  [...counted].map(([key, calls]) => ({
    key,
    figures: {
      gasUsed: calls.gas,
      transactionCount: BigInt(calls.transactions),
      callerCount: BigInt(calls.callers.size),
    },
    text: `${callText({ ...calls, callers: calls.callers.size })}${withContracts ? ` of ${calls.contracts.size}` : ''}`,
  }))

/**
 * Counts calls and movements of tokens in a few ranges of heights in the most direct way, to compare them with what the
 * service ranks. Blocks are added in height order, their tokens apart from their transactions.
 */
export class RankingRecount {
  readonly #ranges: readonly Counted[]
  /** All transfers of each token so far. */
  readonly #reached = new Map<string, bigint>()

  private constructor(ranges: readonly Counted[]) {
    this.#ranges = ranges
  }

  /**
   * A recount of the whole chain, of its last quarter and of the one before its middle. A range that the service refuses
   * is left out.
   */
  static async of(
    database: Database,
    chain: bigint,
    { first, head }: { first: number; head: number },
  ): Promise<RankingRecount> {
    const quarter = Math.ceil((head + 1 - first) / 4)
    const bounds = [
      [first, head + 1],
      [head + 1 - quarter, head + 1],
      [first + quarter, first + 2 * quarter],
    ] as const
    const ranges: Counted[] = []
    for (const [from, before] of bounds) {
      const range = { from: BigInt(from), before: BigInt(before) }
      const transactions = await readTransactionCount(database, chain, range)
      const changes = await readBalanceChangeCount(database, chain, range, maxRanked + 1)
      ranges.push({
        range,
        hasCalls: transactions <= BigInt(maxRanked),
        hasTokens: changes <= BigInt(maxRanked),
        contracts: new Map(),
        methods: new Map(),
        tokens: new Map(),
      })
    }
    return new RankingRecount(ranges)
  }

  add({ number, transactions }: Pick<NodeBlock, 'number' | 'transactions'>): void {
    for (const { contracts, methods } of this.#at(number, 'hasCalls'))
      for (const { from, to, input, gasUsed, gasPrice, succeeded } of transactions) {
        // 0x and four bytes.
        if (to === null || input.length < 10) continue
        for (const calls of [at(contracts, to, noCalls), at(methods, input.slice(0, 10), noCalls)]) {
          calls.transactions += 1
          if (!succeeded) calls.failed += 1
          calls.gas += gasUsed
          calls.fees += gasUsed * gasPrice
          calls.callers.add(from)
          calls.contracts.add(to)
        }
      }
  }

  /** Adds what the tokens of a block came to. */
  addTokens(number: number, { balances, totals }: CountedBlock): void {
    const moved = totals.map(({ token, kind, transfers }) => {
      const key = tokenKey(token, kind)
      const before = this.#reached.get(key) ?? 0n
      this.#reached.set(key, transfers)
      return { key, transfers: transfers - before }
    })
    for (const { tokens } of this.#at(number, 'hasTokens')) {
      const of = (key: string): Moves => at(tokens, key, () => ({ transfers: 0n, holders: new Set() }))
      for (const { key, transfers } of moved) of(key).transfers += transfers
      for (const { token, kind, address, id } of balances)
        if (id === -1n) of(tokenKey(token, kind)).holders.add(address)
    }
  }

  /** Compares the rankings of tokens; returns the number of compared rows. */
  async compareTokens(database: Database, chain: bigint, findings: Findings): Promise<number> {
    let compared = 0
    for (const { range, hasTokens, tokens } of this.#ranges) {
      if (!hasTokens) continue
      const rows = [...tokens].map(([key, { transfers, holders }]) => ({
        key,
        figures: { transferCount: transfers, holderCount: BigInt(holders.size) },
        text: `${transfers} ${holders.size}`,
      }))
      for (const order of tokenOrders) {
        const ranked = await readRankedTokens(database, chain, range, order, maxRows)
        compared += compareLines(
          `tokens by ${order}`,
          range,
          ranked.map(
            ({ token, kind, transfers, holders }) => `${tokenKey(token, kind)} ${transfers} ${holders}`,
          ),
          firstOf(rows, order),
          findings,
        )
      }
    }
    return compared
  }

  /** Compares the rankings of contracts and of methods; returns the number of compared rows. */
  async compareCalls(database: Database, chain: bigint, findings: Findings): Promise<number> {
    let compared = 0
    for (const { range, hasCalls, contracts, methods } of this.#ranges) {
      if (!hasCalls) continue
      const all = [...contracts.values()]
      const totals = ` in ${all.reduce((sum, one) => sum + one.transactions, 0)} using ${all.reduce((sum, one) => sum + one.gas, 0n)}`
      const totalsOf = (row: { all_transactions: string; all_gas: string }): string =>
        ` in ${row.all_transactions} using ${row.all_gas}`
      for (const order of callOrders) {
        const ranked = await readRankedContracts(database, chain, range, order, maxRows)
        compared += compareLines(
          `contracts by ${order}`,
          range,
          ranked.map((row) => `${row.address} ${callText(row)}${totalsOf(row)}`),
          firstOf(callRows(contracts, false), order).map((line) => `${line}${totals}`),
          findings,
        )
        const named = await readRankedMethods(database, chain, range, order, maxRows)
        compared += compareLines(
          `methods by ${order}`,
          range,
          named.map((row) => `${row.selector} ${callText(row)} of ${row.contracts}${totalsOf(row)}`),
          firstOf(callRows(methods, true), order).map((line) => `${line}${totals}`),
          findings,
        )
      }
    }
    return compared
  }

  #at(number: number, what: 'hasCalls' | 'hasTokens'): readonly Counted[] {
    const height = BigInt(number)
    return this.#ranges.filter((one) => one[what] && height >= one.range.from && height < one.range.before)
  }
}

/** Compares the rows of a ranking in their order; returns their number. */
function compareLines(
  what: string,
  { from, before }: BlockRange,
  ranked: readonly string[],
  counted: readonly string[],
  findings: Findings,
): number {
  const max = Math.max(ranked.length, counted.length)
  for (let place = 0; place < max; place += 1)
    if (ranked[place] !== counted[place])
      findings.add(
        'I6',
        `ranking of ${what} from block ${from} to before ${before}, place ${place + 1}, is ${ranked[place] ?? 'nothing'}, counted ${counted[place] ?? 'nothing'}`,
      )
  return max
}
