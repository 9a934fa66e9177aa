import { queryOptions, useQueries } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import {
  listTransactionMovements,
  maxMovedTransactions,
  type TransactionMovements,
} from '../../../contract/evm/transaction-movements.ts'
import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { useOffers } from '../current.ts'
import { call } from '../session.ts'

/**
 * A transaction of a list with what moved in it. `movements` is undefined while it loads, and null if it is not
 * known: the profile does not offer it, the request failed, or a reorg replaced the transaction.
 */
export type MovedTransaction = EvmTransaction & {
  readonly movements: TransactionMovements | null | undefined
}

type Page = readonly EvmTransaction[]

async function readMovements(
  chainId: string,
  page: Page,
  signal: AbortSignal,
): Promise<TransactionMovements[]> {
  const parts = Array.from({ length: Math.ceil(page.length / maxMovedTransactions) }, (_, index) =>
    page.slice(index * maxMovedTransactions, (index + 1) * maxMovedTransactions),
  )
  const answers = await Promise.all(
    parts.map((part) => {
      const positions = part.map(({ blockNumber, blockIndex }) => `${blockNumber}-${blockIndex}`).join(',')
      return call(listTransactionMovements, { params: { chainId }, query: { positions }, signal })
    }),
  )
  return answers.flatMap(({ transactions }) => transactions)
}

const movementsQuery = (chainId: string, page: Page, enabled: boolean) =>
  queryOptions({
    queryKey: ['transaction-movements', chainId, page.map(({ txHash }) => txHash)],
    queryFn: ({ signal }) => readMovements(chainId, page, signal),
    staleTime: Infinity,
    enabled: enabled && page.length > 0,
  })

type Known = readonly TransactionMovements[] | null | undefined

/** A page of transactions with their movements. */
export function joinMovements(page: Page, known: Known): MovedTransaction[] {
  if (!known) return page.map((tx) => ({ ...tx, movements: known }))
  const byHash = new Map(known.map((movements) => [movements.txHash.toLowerCase(), movements]))
  return page.map((tx) => ({ ...tx, movements: byHash.get(tx.txHash.toLowerCase()) ?? null }))
}

/** Joined pages by their transactions, so that a row keeps its identity while other pages load. */
const joined = new WeakMap<Page, { known: Known; rows: readonly MovedTransaction[] }>()

function joinOnce(page: Page, known: Known): readonly MovedTransaction[] {
  const before = joined.get(page)
  if (before && before.known === known) return before.rows
  const rows = joinMovements(page, known)
  joined.set(page, { known, rows })
  return rows
}

const knownOf = (
  results: readonly { data?: readonly TransactionMovements[] | undefined; isError: boolean }[],
) => results.map(({ data, isError }): Known => data ?? (isError ? null : undefined))

/** Pages of transactions with what moved in them: one request a page, after the page itself. */
export function useMovements(
  chainId: string,
  pages: readonly Page[],
): readonly (readonly MovedTransaction[])[] {
  const offered = useOffers('listTransactionMovements')
  const known = useQueries({
    queries: pages.map((page) => movementsQuery(chainId, page, offered)),
    combine: knownOf,
  })
  const byPage = useMemo(() => new Map(pages.map((page, index) => [page, known[index]])), [pages, known])
  // Every row is drawn again when the movements of its page arrive: deferred, that is no long task.
  const settled = useDeferredValue(byPage)
  return useMemo(
    () => pages.map((page) => joinOnce(page, offered ? settled.get(page) : null)),
    [pages, settled, offered],
  )
}

/** The pages of an export with what moved in their transactions; without it where the profile does not offer it. */
export async function* withMovements(
  chainId: string,
  pages: AsyncIterable<Page>,
  offered: boolean,
  signal: AbortSignal,
): AsyncGenerator<readonly MovedTransaction[]> {
  for await (const page of pages)
    yield joinMovements(page, offered ? await readMovements(chainId, page, signal) : null)
}
