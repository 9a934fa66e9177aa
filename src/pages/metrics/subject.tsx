import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { boundsOf, sharedInterval } from '../../../charts/catalogue/view.ts'
import type { ReactNode } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { useCurrentChain, useCurrentNetwork, useHasPage, type ChainFacts } from '../../api/current.ts'
import { PageSwitch } from '../../components/page-tabs.tsx'
import { comparisonPath } from '../../lib/comparison-path.ts'
import { paths } from '../../lib/paths.ts'
import { periodStart, type Interval } from '../../../charts/series/periods.ts'
import type { RangeChoice } from '../../../charts/series/range.ts'
import type { SeriesInfo } from './series-info.ts'
import { readMetrics } from './state.ts'
import { ingredientQuery } from './use-series.ts'

type Query = Readonly<Record<string, string | undefined>>

/** Chains or networks whose series can be compared with a subject's on a second axis. */
export type Beside = {
  readonly facts: readonly ChainFacts[]
  readonly series: readonly SeriesInfo[]
  /** The id of the one that the menu lists. */
  readonly offered: string | undefined
}

/** What the metrics pages show the series of: a chain, a group of chains, or a network. */
export type Subject = {
  readonly facts: ChainFacts
  readonly kind: 'chain' | 'network'
  readonly series: readonly SeriesInfo[]
  readonly groups: readonly string[]
  /** What its series can be compared with. */
  readonly comparable: readonly ChainFacts[]
  readonly beside: Beside
  readonly crumb: ReactNode
  /** The paths of all its metrics, and of one. */
  readonly all: (query?: Query) => string
  readonly one: (metric: string, query?: Query) => string
}

/** Links to the metrics of the current chain, of the network, and to one metric of all chains together. */
export function SubjectSwitch({ current }: { current: Subject['kind'] | 'compare' }): ReactNode {
  const { chainId, chains } = useCurrentChain()
  const network = useCurrentNetwork()
  const hasNetwork = useHasPage('networkMetrics')
  const others = (chains ?? []).flatMap((chain) => (chain.chainId === chainId ? [] : [chain.chainId]))
  const tabs = [
    { id: 'chain', label: 'Chain', to: chainId === undefined ? paths.chains() : paths.metrics(chainId) },
    ...(hasNetwork ? [{ id: 'network', label: 'Network', to: paths.networkMetrics(network) }] : []),
    // On a phone, one more tab is one more line: it has its place before the chains are known.
    ...(chains !== undefined && others.length === 0
      ? []
      : [
          {
            id: 'compare',
            label: 'Compare chains',
            to: chainId === undefined || others.length === 0 ? undefined : comparisonPath(chainId, others),
          },
        ]),
  ]
  return <PageSwitch label="Metrics of" tabs={tabs} current={tabs.find(({ id }) => id === current)?.to} />
}

/** The first screen of small multiples is fetched before the page has rendered. */
const prefetched = 6

/** Starts the requests of one series. */
function prefetchSeries(subjectId: string, info: SeriesInfo, range: RangeChoice, interval: Interval): void {
  const bounds = boundsOf(info, range, interval, periodStart(Date.now() / 1000, 'hour'))
  for (const ingredient of info.needs)
    void queryClient.prefetchQuery(ingredientQuery(subjectId, info, ingredient, interval, bounds))
}

/** Starts the requests for the small multiples of the first screen. */
export function prefetchMultiples(subjectId: string, series: readonly SeriesInfo[], url: string): void {
  const { range, wanted } = readMetrics(new URL(url).searchParams)
  for (const info of series.slice(0, prefetched))
    prefetchSeries(subjectId, info, range, supportedInterval(info, wanted))
}

/** Starts the requests for one metric. */
export function prefetchMetric(
  subjectId: string,
  series: readonly SeriesInfo[],
  name: string | undefined,
  url: string,
): void {
  const info = series.find((one) => one.name === name)
  if (info === undefined) return
  const { range, wanted, second } = readMetrics(new URL(url).searchParams)
  const other = series.find((one) => one.name === second)
  prefetchSeries(subjectId, info, range, sharedInterval(info, other, wanted))
}
