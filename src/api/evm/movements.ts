import { queryOptions, useQueries } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import {
  listTransactionMovements,
  maxMovedTransactions,
  type TransactionMovements,
} from '../../../contract/evm/transaction-movements.ts'
import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { useOffers } from '../current.ts'
import { queryClient } from '../query-client.ts'
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

const keyed = 'transaction-movements'

/** What is known of a page from requests for other pages: a list that follows the head has most rows again. */
function known(chainId: string, page: Page): TransactionMovements[] | undefined {
  const answers = queryClient.getQueriesData<TransactionMovements[]>({ queryKey: [keyed, chainId] })
  const byHash = byHashOf(answers.flatMap(([, data]) => data ?? []))
  const found = page.flatMap((tx) => byHash.get(tx.txHash.toLowerCase()) ?? [])
  return found.length === 0 ? undefined : found
}

const movementsQuery = (chainId: string, page: Page, enabled: boolean) =>
  queryOptions({
    queryKey: [keyed, chainId, page.map(({ txHash }) => txHash)],
    queryFn: ({ signal }) => readMovements(chainId, page, signal),
    placeholderData: () => known(chainId, page),
    staleTime: Infinity,
    enabled: enabled && page.length > 0,
  })

/** The answer to a page, or a part of it, and what its other transactions have: null if that will not be known. */
type Known = {
  readonly movements: readonly TransactionMovements[] | undefined
  readonly rest: null | undefined
}

const unknown: Known = { movements: undefined, rest: null }

const byHashOf = (movements: readonly TransactionMovements[]): Map<string, TransactionMovements> =>
  new Map(movements.map((one) => [one.txHash.toLowerCase(), one]))

/** A page of transactions with their movements, and with `rest` where there are none of theirs. */
export function joinMovements(page: Page, { movements = [], rest }: Known): MovedTransaction[] {
  const byHash = byHashOf(movements)
  return page.map((tx) => ({ ...tx, movements: byHash.get(tx.txHash.toLowerCase()) ?? rest }))
}

/** Joined pages by their transactions, so that a row keeps its identity while other pages load. */
const joined = new WeakMap<Page, Known & { rows: readonly MovedTransaction[] }>()

function joinOnce(page: Page, { movements, rest }: Known): readonly MovedTransaction[] {
  const before = joined.get(page)
  if (before && before.movements === movements && before.rest === rest) return before.rows
  const rows = joinMovements(page, { movements, rest })
  joined.set(page, { movements, rest, rows })
  return rows
}

const knownOf = (
  results: readonly {
    data?: readonly TransactionMovements[] | undefined
    isError: boolean
    isPlaceholderData: boolean
  }[],
) =>
  results.map(({ data, isError, isPlaceholderData }): Known => {
    const isAll = isError || (data !== undefined && !isPlaceholderData)
    return { movements: data, rest: isAll ? null : undefined }
  })

/** Pages of transactions of one chain with what moved in them: one request a page, after the page itself. */
export function useMovements(
  chainId: string,
  pages: readonly Page[],
): readonly (readonly MovedTransaction[])[] {
  const offered = useOffers('listTransactionMovements')
  const answers = useQueries({
    queries: pages.map((page) => movementsQuery(chainId, page, offered)),
    combine: knownOf,
  })
  const byPage = useMemo(() => new Map(pages.map((page, index) => [page, answers[index]])), [pages, answers])
  // Every row is drawn again when the movements of its page arrive: deferred, that is not a long task.
  const settled = useDeferredValue(byPage)
  return useMemo(
    () =>
      pages.map((page) =>
        joinOnce(page, offered ? (settled.get(page) ?? { movements: undefined, rest: undefined }) : unknown),
      ),
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
    yield joinMovements(page, {
      movements: offered ? await readMovements(chainId, page, signal) : undefined,
      rest: null,
    })
}
