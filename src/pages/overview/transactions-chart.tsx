import { useMemo, type ReactNode } from 'react'
import { Chart } from '../../components/charts/chart.tsx'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import type { ChainFacts } from '../../api/current.ts'
import { isUnfinished, type Interval } from '../../../charts/series/periods.ts'
import { ChartInstead } from '../metrics/bodies.tsx'
import { catalogue } from '../metrics/catalogue.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { boundsOf, chainLines } from '../../../charts/catalogue/view.ts'
import { useChartActions, type MetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { hasNoValue, startOf } from '../metrics/view.ts'
import { chartPlot } from './places.tsx'

const found = catalogue.find(({ name }) => name === 'txCount')
if (found === undefined) throw new Error('the catalogue has no txCount')
/** The metric of the chart. */
export const transactions = found

type Props = {
  readonly id: string
  readonly name: string
  /** What an empty or failed chart is of: “This service”. */
  readonly of: string
  readonly chains: readonly ChainFacts[]
  readonly url: MetricsUrl
  readonly now: number
  /** The path and query of the page. */
  readonly link: string
  /** The line above the chart; `open`: the last period has not ended. */
  readonly note: (interval: Interval, open: boolean) => string
}

/**
 * The transactions of one or several chains, stacked, each in its chain's colour, over the range in the URL. A chain
 * whose counts could not be loaded is named and left out.
 */
export function TransactionsChart({ id, name, of, chains, url, now, link, note }: Props): ReactNode {
  const actions = useChartActions(url)
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
  const open = series.some(({ points }) => {
    const last = points.at(-1)
    return last !== undefined && isUnfinished(last.timestamp, interval, now)
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
      {loading || hasNoValue(series) ? (
        <ChartInstead
          info={transactions}
          chainName={of}
          loaded={loading ? { state: 'loading' } : (failed ?? { state: 'empty' })}
          height={chartPlot + 24}
          onRetry={loaded.retry}
        />
      ) : (
        <Chart
          id={id}
          name={name}
          heading={<p className="text-xs text-muted">{note(interval, open)}</p>}
          series={series}
          interval={interval}
          now={now}
          from={startOf(bounds, series, now)}
          to={bounds.to}
          sum
          zero
          stacked={series.length > 1}
          height={chartPlot}
          marks={LargeMarks}
          endLabels
          link={link}
          table={url.table === transactions.name}
          onTable={(next) => actions.onTable(transactions.name, next)}
          onRange={actions.onRange}
          onReset={actions.onReset}
        />
      )}
    </>
  )
}
