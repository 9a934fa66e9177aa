import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { chainsRequest, pages, type PageName } from '../contract/pages.ts'
import type { ResponseOf } from '../contract/base/operation.ts'
import type { listChains, listChainStatus } from '../contract/evm/chains.ts'
import type { getTransaction } from '../contract/evm/transactions.ts'
import type { listChainTraffic } from '../contract/metrics/traffic.ts'
import { chainsQuery, statusQuery } from './api/chains.ts'
import { useChainFacts } from './api/current.ts'
import { transactionQuery } from './api/evm/transactions.ts'
import { useNow } from './components/hooks.ts'
import { ListHead } from './pages/evm/list-head.tsx'
import { HeadlineText } from './pages/evm/transaction/headline-text.tsx'
import { TransactionTitle } from './pages/evm/transaction/title.tsx'
import { behind, OverviewTitle, TodaySentence } from './pages/overview/today.tsx'
import { countsOf, trafficQuery, useCountedChains, useTraffic } from './pages/overview/traffic.ts'
import { HOUR } from '../charts/series/periods.ts'

/** What the lines of a page are drawn from. */
export type FirstLinesInput = {
  /** The page, and the values of its path's parameters. */
  readonly page: PageName
  readonly values: Readonly<Record<string, string | undefined>>
  /** What pages call the network of the default profile. */
  readonly networkLabel: string
  /** The answer to a request of `contract/pages.ts`; undefined if the service refuses it. */
  readonly answer: (request: string) => Promise<unknown>
}

type Lines = {
  /** A request beside those that the page sends first. */
  readonly more?: string
  /** Puts the answers, the page's own first, where its components look for them, and draws its lines. */
  readonly draw: (queries: QueryClient, answers: readonly unknown[], input: FirstLinesInput) => ReactNode
}

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
  const counted = useCountedChains(useQuery(chainsQuery()).data)
  const ids = counted.map(({ chainId }) => chainId)
  const traffic = useTraffic(ids, useNow(HOUR))
  const lagging = behind(useQuery(statusQuery()).data, ids)
  return (
    <>
      <OverviewTitle label={label} />
      <TodaySentence traffic={traffic} chains={counted} lagging={lagging} error={null} />
    </>
  )
}

function List({ chainId, of }: { chainId: string; of: ComponentProps<typeof ListHead>['of'] }) {
  return <ListHead chain={useChainFacts(chainId)} of={of} />
}

const list = (of: ComponentProps<typeof ListHead>['of']): Lines => ({
  more: '/v1/status',
  draw: (queries, answers, { values: { chainId = '' } }) => {
    const [status] = answers as [ResponseOf<typeof listChainStatus>]
    queries.setQueryData(statusQuery().queryKey, status.chains)
    return <List chainId={chainId} of={of} />
  },
})

const drawn: Readonly<Partial<Record<PageName, Lines>>> = {
  overview: {
    more: '/v1/status',
    draw: (queries, answers, { networkLabel }) => {
      const [traffic, status] = answers as [
        ResponseOf<typeof listChainTraffic>,
        ResponseOf<typeof listChainStatus>,
      ]
      queries.setQueryData(trafficQuery().queryKey, countsOf(traffic))
      queries.setQueryData(statusQuery().queryKey, status.chains)
      return <Overview label={networkLabel} />
    },
  },
  blocks: list('blocks'),
  transactions: list('transactions'),
  transaction: {
    draw: (queries, answers, { values: { chainId = '', txHash = '' } }) => {
      const [details] = answers as [ResponseOf<typeof getTransaction>]
      queries.setQueryData(transactionQuery(chainId, txHash).queryKey, details)
      return <Transaction chainId={chainId} txHash={txHash} />
    },
  },
}

/**
 * The markup of a page's heading and first sentence, where the frame will draw them, so that they are read before any
 * code has arrived; `main.tsx` replaces them by the whole page. Undefined for a page that has none. They are drawn by
 * the page's own components, and by them alone: what a reader's browser knows, such as private labels, comes with
 * the page.
 */
export async function firstLines(input: FirstLinesInput): Promise<string | undefined> {
  const page = drawn[input.page]
  if (!page) return undefined
  const requests = [chainsRequest, pages[input.page].first ?? [], page.more ?? []].flat()
  const [listed, ...answers] = await Promise.all(requests.map((request) => input.answer(request)))
  if (listed === undefined || answers.includes(undefined)) return undefined
  const { chains } = listed as ResponseOf<typeof listChains>
  // A service without chains has nothing to say of them.
  if (chains.length === 0) return undefined
  const queries = new QueryClient()
  queries.setQueryData(chainsQuery().queryKey, chains)
  const lines = page.draw(queries, answers, input)
  const markup = renderToStaticMarkup(
    <StaticRouter location="/">
      <QueryClientProvider client={queries}>
        <div className="flex min-h-dvh">
          <div className="w-14 shrink-0 border-r border-line bg-sunken max-md:hidden min-[1100px]:w-60" />
          <div className="flex min-w-0 flex-1 flex-col">
            <div className="h-14 border-b border-line bg-surface" />
            <main className="mx-auto w-full max-w-[1440px] min-w-0 flex-1 px-4 py-5 md:px-6">{lines}</main>
          </div>
        </div>
      </QueryClientProvider>
    </StaticRouter>,
  )
  queries.clear()
  return markup
}
