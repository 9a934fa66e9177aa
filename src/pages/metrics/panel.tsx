import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import {
  boundsOf,
  chainLines,
  comparisonReasons,
  effectiveMode,
  isFitted,
  startOf,
  startsAtZero,
  hasNoValue,
} from '../../../charts/catalogue/view.ts'
import { memo, useMemo, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { Chart } from '../../components/charts/chart.tsx'
import { SmallMarks } from '../../components/charts/small-marks.tsx'
import { useNear } from '../../components/charts/use-near.ts'
import { Link } from '../../components/link.tsx'
import type { RangeChoice } from '../../../charts/series/range.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { Interval } from '../../../charts/series/periods.ts'
import { ChartInstead } from './bodies.tsx'
import { PanelFigure } from './panel-figure.tsx'
import type { SeriesInfo } from './series-info.ts'
import type { MetricsState } from './state.ts'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { useSeries, useUntraced } from './use-series.ts'

const PLOT = 148
/** Title, readout and a gap: with the plot, the height that a panel has in every state. */
const HEAD = 72

type Props = {
  readonly info: SeriesInfo
  readonly chain: ChainFacts
  /** Other chains whose lines are drawn for comparison. */
  readonly others: readonly ChainFacts[]
  readonly range: RangeChoice
  readonly wanted: Interval
  readonly scale: MetricsState['scale']
  readonly now: number
  /** The series' own page with the same range: path and query. */
  readonly to: string
  readonly table: boolean
  readonly onTable: (name: string, open: boolean) => void
  readonly onRange: (from: number, to: number) => void
  readonly onReset: () => void
}

/**
 * One of the small multiples. It asks for its points once it has been near the viewport and is drawn
 * only while it is; its place keeps its size.
 */
export const Panel = memo(function Panel(props: Props): ReactNode {
  const { info, chain, others, range, wanted, now, onTable } = props
  const { ref, near, seen } = useNear()
  const interval = supportedInterval(info, wanted)
  const bounds = boundsOf(info, range, interval, now)
  const chains = [chain, ...others]
  const loaded = useSeries(
    chains.map((one) => ({ chainId: one.chainId, info })),
    { interval, range: bounds, enabled: seen, now },
  )
  const href = useHref(props.to)
  const untraced = useUntraced(info, chain)
  const [path = '', query] = props.to.split('?')
  const copies = useEmbedCopies(
    path.startsWith('/chain/') ? 'getMetricPicture' : 'getNetworkMetricPicture',
    path,
    new URLSearchParams(query),
    `${info.title} · ${chain.name}`,
  )
  // Units that differ have no common axis, and a small chart has room for one.
  const mode = effectiveMode('plain', comparisonReasons(info, chains, true))
  const series = useMemo(
    () =>
      chainLines(
        info,
        [chain, ...others].flatMap((one, index) => {
          const result = loaded.series[index]
          return result?.state === 'ready' ? [{ chain: one, points: result.points }] : []
        }),
        mode,
      ),
    [chain, others, loaded.series, info, mode],
  )
  const first = loaded.series[0] ?? { state: 'loading' as const }
  const main = series.find((one) => one.id === chain.chainId)
  const empty = first.state === 'ready' && hasNoValue(series)
  const zero = startsAtZero(props.scale, info.sum)

  const heading = (
    <h3 className="flex items-baseline justify-between gap-3">
      <Link to={props.to} className="link reach min-w-0 font-strong text-text" title={info.about}>
        {info.title}
      </Link>
      <span className="shrink-0 text-xs text-muted" title={untraced}>
        {[
          ...(untraced === undefined ? [] : ['not all blocks traced']),
          ...(interval === wanted ? [] : [`${interval}s only`]),
        ].join(' · ')}
      </span>
    </h3>
  )
  return (
    <div
      ref={ref}
      className="min-w-0 rounded-base border border-line px-3 pt-2 pb-1"
      style={{ minHeight: PLOT + HEAD + 14 }}
    >
      {first.state !== 'ready' || empty || main === undefined || !near ? (
        <>
          {heading}
          <ChartInstead
            info={info}
            chainName={chain.name}
            loaded={first.state === 'ready' ? { state: empty ? 'empty' : 'away' } : first}
            height={PLOT + 24}
            onRetry={loaded.retry}
            isOneOfMany
          />
        </>
      ) : (
        <Chart
          id={info.name}
          name={`${chain.name}, ${info.title}`}
          heading={heading}
          note={<PanelFigure series={main} interval={interval} now={now} />}
          remarks={[
            `Value axis ${isFitted(zero, series) ? 'fitted to the values' : 'from 0'}`,
            ...(mode === 'indexed' ? ['Indexed: the mean of each chain is 100'] : []),
            ...(info.derived ? ['Calculated from other metrics'] : []),
          ]}
          series={series}
          interval={interval}
          now={now}
          from={startOf(bounds, series, now)}
          to={bounds.to}
          sum={info.sum}
          zero={zero}
          height={PLOT}
          marks={SmallMarks}
          link={href}
          copies={copies}
          table={props.table}
          onTable={(open) => onTable(info.name, open)}
          onRange={props.onRange}
          onReset={props.onReset}
        />
      )}
    </div>
  )
})
