import { useMemo, type ComponentProps, type ReactNode } from 'react'
import type { ChainFacts } from '../../api/current.ts'
import type { Interval } from '../../../charts/series/periods.ts'
import { catalogue } from '../metrics/catalogue.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { boundsOf, chainLines, hasNoValue } from '../../../charts/catalogue/view.ts'
import { ChartSkeleton } from '../metrics/bodies.tsx'
import type { MetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { chartPlot } from './places.tsx'
import { LazyPart } from '../../components/part.tsx'
import { lazy } from '../../components/lazy.ts'

const StackedChart = lazy(() => import('../metrics/stacked-chart.tsx'), 'StackedChart')

const found = catalogue.find(({ name }) => name === 'txCount')
if (found === undefined) throw new Error('the catalogue has no txCount')
/** The metric of the chart. */
export const transactions = found

export type TransactionsProps = {
  readonly id: string
  readonly name: string
  /** What an empty or failed chart is of: “This service”. */
  readonly of: string
  readonly chains: readonly ChainFacts[]
  readonly url: MetricsUrl
  readonly now: number
  /** The path and query of the page. */
  readonly link: string
  /** What the chart's menu copies for other sites. */
  readonly copies: ComponentProps<typeof StackedChart>['copies']
  /** The line above the chart; `open`: the last period has not ended. */
  readonly note: (interval: Interval, open: boolean) => string
}

/**
 * The transactions of one or several chains, stacked, each in its chain's colour, over the range in the URL, of at most
 * as many as a chart has colours (`LargestChart` has more). A chain whose counts could not be loaded is named and left
 * out.
 */
export function TransactionsChart({
  id,
  name,
  of,
  chains,
  url,
  now,
  link,
  copies,
  note,
}: TransactionsProps): ReactNode {
  const interval = supportedInterval(transactions, url.wanted)
  const bounds = boundsOf(transactions, url.range, interval, now)
  const loaded = useSeries(
    chains.map(({ chainId }) => ({ chainId, info: transactions })),
    { interval, range: bounds, now },
  )
  const series = useMemo(
    () =>
      chainLines(
        transactions,
        chains.flatMap((chain, index) => {
          const result = loaded.series[index]
          return result?.state === 'ready' ? [{ chain, points: result.points }] : []
        }),
        'stacked',
      ),
    [chains, loaded.series],
  )
  const loading = loaded.series.some(({ state }) => state === 'loading')
  const failed = loaded.series.find((one) => one.state === 'failed' || one.state === 'unsupported')
  const missing = chains.filter((_, index) => {
    const state = loaded.series[index]?.state
    return state === 'failed' || state === 'unsupported'
  })
  return (
    <>
      {missing.length > 0 && series.length > 0 && !loading && (
        <p className="mb-2 text-warn">
          {missing.map((chain) => chain.name).join(', ')} could not be loaded and{' '}
          {missing.length === 1 ? 'is' : 'are'} not in the chart.{' '}
          <button type="button" className="link" onClick={loaded.retry}>
            Try again
          </button>
        </p>
      )}
      <LazyPart title="The chart" fallback={<ChartSkeleton height={chartPlot + 24} />}>
        <StackedChart
          id={id}
          name={name}
          info={transactions}
          of={of}
          instead={
            loading ? { state: 'loading' } : hasNoValue(series) ? (failed ?? { state: 'empty' }) : undefined
          }
          series={series}
          interval={interval}
          range={bounds}
          now={now}
          height={chartPlot}
          note={(open) => note(interval, open)}
          url={url}
          table={transactions.name}
          link={link}
          copies={copies}
          onRetry={loaded.retry}
        />
      </LazyPart>
    </>
  )
}
