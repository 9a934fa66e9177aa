import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import type { ResponseOf } from '../contract/base/operation.ts'
import type { listChains, listChainStatus } from '../contract/evm/chains.ts'
import type { getTransaction } from '../contract/evm/transactions.ts'
import type { listChainTraffic } from '../contract/metrics/traffic.ts'
import { chainsQuery, statusQuery } from './api/chains.ts'
import { useChainFacts } from './api/current.ts'
import { transactionQuery } from './api/evm/transactions.ts'
import { useNow } from './components/hooks.ts'
import { HeadlineText } from './pages/evm/transaction/headline-text.tsx'
import { TransactionTitle } from './pages/evm/transaction/title.tsx'
import { behind, OverviewTitle, TodaySentence } from './pages/overview/today.tsx'
import { countsOf, trafficQuery, useDrawnChains, useTraffic } from './pages/overview/traffic.ts'
import { HOUR } from '../charts/series/periods.ts'

/** What the lines of a page are drawn from. */
export type FirstLinesInput = {
  /** The page's route in the notation of `contract/client-routes.ts`, and the values of its parameters. */
  readonly route: string
  readonly values: Readonly<Record<string, string | undefined>>
  /** The network of the default profile, and what pages call it. */
  readonly network: string
  readonly networkLabel: string
  /** The answer of the service at a path; undefined if it refuses. */
  readonly answer: (path: string) => Promise<unknown>
}

type Known = { readonly queries: QueryClient; readonly lines: ReactNode }

function Transaction({ chainId, txHash }: { chainId: string; txHash: string }) {
  const chain = useChainFacts(chainId)
  const { data } = useQuery(transactionQuery(chainId, txHash))
  return (
    <>
      <TransactionTitle chain={chain} txHash={txHash} details={data} />
      {data && <HeadlineText details={data} chain={chain} />}
    </>
  )
}

function Overview({ label }: { label: string }) {
  const drawn = useDrawnChains(useQuery(chainsQuery()).data)
  const ids = drawn.map(({ chainId }) => chainId)
  const traffic = useTraffic(ids, useNow(HOUR))
  const lagging = behind(useQuery(statusQuery()).data, ids)
  return (
    <>
      <OverviewTitle label={label} />
      <TodaySentence traffic={traffic} count={drawn.length} lagging={lagging} error={null} />
    </>
  )
}

/** By route: asks for what the lines say. Undefined if an answer is missing, or has nothing to say. */
const pages: Readonly<Record<string, (input: FirstLinesInput) => Promise<Known | undefined>>> = {
  '/': async ({ network, networkLabel, answer }) => {
    const [chains, traffic, status] = (await Promise.all([
      answer(`/v1/chains?network=${network}`),
      answer(`/v1/traffic?network=${network}`),
      answer('/v1/status'),
    ])) as [
      ResponseOf<typeof listChains> | undefined,
      ResponseOf<typeof listChainTraffic> | undefined,
      ResponseOf<typeof listChainStatus> | undefined,
    ]
    if (!chains?.chains.length || !traffic || !status) return undefined
    const queries = new QueryClient()
    queries.setQueryData(chainsQuery().queryKey, chains.chains)
    queries.setQueryData(trafficQuery().queryKey, countsOf(traffic))
    queries.setQueryData(statusQuery().queryKey, status.chains)
    return { queries, lines: <Overview label={networkLabel} /> }
  },
  '/chain/:chainId/tx/:txHash': async ({ network, values, answer }) => {
    const { chainId = '', txHash = '' } = values
    const [chains, details] = (await Promise.all([
      answer(`/v1/chains?network=${network}`),
      answer(`/v1/chains/${chainId}/transactions/${txHash}`),
    ])) as [ResponseOf<typeof listChains> | undefined, ResponseOf<typeof getTransaction> | undefined]
    if (!chains || !details) return undefined
    const queries = new QueryClient()
    queries.setQueryData(chainsQuery().queryKey, chains.chains)
    queries.setQueryData(transactionQuery(chainId, txHash).queryKey, details)
    return { queries, lines: <Transaction chainId={chainId} txHash={txHash} /> }
  },
}

/**
 * The markup of a page's heading and first sentence, where the frame will draw them, so that they are read before any
 * code has arrived; `main.tsx` replaces them by the whole page. Undefined for a page that has none. They are drawn by
 * the page's own components, and by them alone: what a reader's browser knows, such as private labels, comes with
 * the page.
 */
export async function firstLines(input: FirstLinesInput): Promise<string | undefined> {
  const known = await pages[input.route]?.(input)
  if (!known) return undefined
  const markup = renderToStaticMarkup(
    <StaticRouter location="/">
      <QueryClientProvider client={known.queries}>
        <div className="flex min-h-dvh">
          <div className="w-14 shrink-0 border-r border-line bg-sunken max-md:hidden min-[1100px]:w-60" />
          <div className="flex min-w-0 flex-1 flex-col">
            <div className="h-14 border-b border-line bg-surface" />
            <main className="mx-auto w-full max-w-[1440px] min-w-0 flex-1 px-4 py-5 md:px-6">
              {known.lines}
            </main>
          </div>
        </div>
      </QueryClientProvider>
    </StaticRouter>,
  )
  known.queries.clear()
  return markup
}
