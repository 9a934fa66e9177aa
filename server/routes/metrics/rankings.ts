import { maxRanked, rankContracts, rankMethods, rankTokens } from '../../../contract/metrics/rankings.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { implement, type Implementation, type JsonText } from '../../http/bind.ts'
import { resolveRange, type RouteContext } from '../../http/route-context.ts'
import type { Queryable } from '../../store/database.ts'
import type { BlockRange } from '../../store/evm/read-blocks.ts'
import {
  readBalanceChangeCount,
  readRankedContracts,
  readRankedMethods,
  readRankedTokens,
  readTransactionCount,
  type RankedContractRow,
} from '../../store/metrics/read-rankings.ts'
import { snapshot } from '../../store/snapshot.ts'
import { createContractBook, ercTypeOf, readNames } from '../evm/address-names.ts'

type Sums = Omit<RankedContractRow, 'address'>

const callsOf = ({ transactions, failed, gas, fees, callers }: Sums) => ({
  transactionCount: transactions.toString(),
  failedCount: failed.toString(),
  gasUsed: gas,
  feesPaid: fees,
  callerCount: callers.toString(),
})

const totalsOf = (first: Sums | undefined) => ({
  rowCount: (first?.all_rows ?? 0n).toString(),
  transactionCount: first?.all_transactions ?? '0',
  gasUsed: first?.all_gas ?? '0',
})

/** Throws a 400 for a range with too many transactions. */
async function checkTransactions(database: Queryable, chain: bigint, range: BlockRange): Promise<void> {
  const transactions = await readTransactionCount(database, chain, range)
  if (transactions <= BigInt(maxRanked)) return
  throw badRequest([
    `startTimestamp: the range has ${transactions} transactions, and a ranking counts at most ${maxRanked}`,
  ])
}

/** Throws a 400 for a range with too many changes of token balances. */
async function checkBalanceChanges(database: Queryable, chain: bigint, range: BlockRange): Promise<void> {
  const changes = await readBalanceChangeCount(database, chain, range, maxRanked + 1)
  if (changes <= BigInt(maxRanked)) return
  throw badRequest([
    `startTimestamp: the range has more than ${maxRanked} changes of token balances, the most that a ranking counts`,
  ])
}

/** Only in Ridgeline: what a chain was used for most in a range (docs/metrics.md, Rankings). */
export function rankingRoutes(context: RouteContext): Implementation[] {
  const { chains, store, headCache, abis } = context
  const book = createContractBook(context.config)

  /** An answer about a range of a chain, which `check` may refuse with a 400. */
  const ranked = <Query extends { startTimestamp?: number | undefined; endTimestamp?: number | undefined }>(
    operation: string,
    chainId: string,
    query: Query,
    check: (database: Queryable, chain: bigint, range: BlockRange) => Promise<void>,
    answer: (database: Queryable, chain: Chain, range: BlockRange) => Promise<object>,
  ): Promise<JsonText> => {
    const chain = chains.find(chainId)
    return headCache.get(JSON.stringify([operation, chain.id, query]), [chain.id], () =>
      snapshot(store.get().database, async (sql) => {
        const range = await resolveRange(sql, chain.key, query)
        await check(sql, chain.key, range)
        return JSON.stringify(await answer(sql, chain, range))
      }),
    )
  }

  return [
    implement(rankContracts, ({ params, query }) =>
      ranked(rankContracts.id, params.chainId, query, checkTransactions, async (sql, chain, range) => {
        const rows = await readRankedContracts(sql, chain.key, range, query.sortBy, query.pageSize)
        const addresses = rows.map(({ address }) => address)
        const names = await readNames(sql, chain, book, addresses)
        return {
          contracts: rows.map((row) => ({ contract: names.party(row.address), ...callsOf(row) })),
          totals: totalsOf(rows[0]),
        }
      }),
    ),

    implement(rankMethods, ({ params, query }) =>
      ranked(rankMethods.id, params.chainId, query, checkTransactions, async (sql, chain, range) => {
        const rows = await readRankedMethods(sql, chain.key, range, query.sortBy, query.pageSize)
        return {
          methods: rows.map((row) => {
            // A selector of many contracts: the signatures that are known of any of them.
            const name = abis.functions(row.selector, chain.id, '').known[0]?.signature
            return {
              methodHash: row.selector,
              ...(name !== undefined && { methodName: name }),
              contractCount: row.contracts.toString(),
              ...callsOf(row),
            }
          }),
          totals: totalsOf(rows[0]),
        }
      }),
    ),

    implement(rankTokens, ({ params, query }) =>
      ranked(rankTokens.id, params.chainId, query, checkBalanceChanges, async (sql, chain, range) => {
        const rows = await readRankedTokens(sql, chain.key, range, query.sortBy, query.pageSize)
        const addresses = rows.map(({ token }) => token)
        const names = await readNames(sql, chain, book, addresses)
        return {
          tokens: rows.map(({ token, kind, transfers, holders }) => ({
            token: names.party(token),
            ercType: ercTypeOf(kind),
            transferCount: transfers.toString(),
            holderCount: holders.toString(),
          })),
          totals: {
            rowCount: (rows[0]?.all_rows ?? 0n).toString(),
            transferCount: rows[0]?.all_transfers ?? '0',
          },
        }
      }),
    ),
  ]
}
