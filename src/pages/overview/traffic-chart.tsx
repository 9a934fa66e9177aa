import { useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { Chart } from '../../components/charts/chart.tsx'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import { HOUR, isUnfinished } from '../../lib/series/periods.ts'
import { defaultRange } from '../../lib/series/range.ts'
import type { ChainFacts } from '../../api/current.ts'
import { ChartInstead } from '../metrics/bodies.tsx'
import { catalogue } from '../metrics/catalogue.ts'
import { IntervalControl, RangeControl } from '../metrics/controls.tsx'
import { supportedInterval } from '../metrics/series-info.ts'
import { boundsOf, useMetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { chainLines } from '../metrics/view.ts'
import { chartPlot } from './places.tsx'

const refresh = 60_000

/** The metric of the chart. */
const [info] = catalogue.filter(({ name }) => name === 'txCount')

type Props = { readonly chains: readonly ChainFacts[]; readonly listed: number; readonly path: string }

/**
 * The transactions of several chains, stacked, each in its chain's colour. Range, interval and table are in the URL.
 * A chain whose counts could not be loaded is named and left out.
 */
export function TrafficChart({ chains, listed, path }: Props): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const keep = url.search.toString()
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  if (info === undefined) throw new Error('the catalogue has no txCount')
  const interval = supportedInterval(info, url.wanted)
  const bounds = boundsOf(info, url.range, interval, now)
  const loaded = useSeries(
    chains.map(({ chainId }) => ({ chainId, info })),
    { interval, range: bounds, refresh: bounds.to > now ? refresh : false },
  )
  const series = useMemo(
    () =>
      chainLines(
        info,
        chains.flatMap((chain, index) => {
          const result = loaded.series[index]
          return result?.state === 'ready' ? [{ chain, points: result.points }] : []
        }),
        'stacked',
      ),
    [chains, loaded.series],
  )
  const loading = loaded.series.some(({ state }) => state === 'loading')
  const failed = loaded.series.find(({ state }) => state === 'failed' || state === 'unsupported')
  const empty = series.every(({ points }) => points.every(({ value }) => value === null))
  const missing = chains.filter((_, index) => {
    const state = loaded.series[index]?.state
    return state === 'failed' || state === 'unsupported'
  })
  const begin = bounds.from ?? Math.min(...series.map(({ points }) => points[0]?.timestamp ?? now), now)
  const open = series.some(({ points }) => {
    const last = points.at(-1)
    return last !== undefined && isUnfinished(last.timestamp, interval, now)
  })
  const note = [
    `by ${interval}, stacked`,
    ...(listed > chains.length ? [`the first ${chains.length} of ${listed} chains`] : []),
    ...(open ? [`the last ${interval} has not ended and is dashed`] : []),
  ].join(' · ')
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <div className="contents max-md:hidden">
          <IntervalControl
            current={interval}
            supported={info.intervals}
            reason={`${info.title} are counted by other intervals only`}
            onChange={(next) => url.change({ interval: next })}
          />
        </div>
        <Link to={paths.metric('total', 'txCount')} className="link ml-auto max-md:hidden">
          Compare and index
        </Link>
      </div>
      {missing.length > 0 && series.length > 0 && !loading && (
        <p className="mb-2 text-warn">
          {missing.map(({ name }) => name).join(', ')} could not be loaded and{' '}
          {missing.length === 1 ? 'is' : 'are'} not in the chart.{' '}
          <button type="button" className="link" onClick={loaded.retry}>
            Try again
          </button>
        </p>
      )}
      {loading || series.length === 0 || empty ? (
        <ChartInstead
          info={info}
          chainName="This service"
          loaded={
            loading
              ? { state: 'loading' }
              : failed?.state === 'failed' || failed?.state === 'unsupported'
                ? failed
                : { state: 'empty' }
          }
          height={chartPlot + 24}
          onRetry={loaded.retry}
        />
      ) : (
        <Chart
          id="traffic"
          name="Transactions by chain"
          heading={<p className="text-xs text-muted">{note}</p>}
          series={series}
          interval={interval}
          now={now}
          from={begin}
          to={bounds.to}
          sum
          zero
          stacked={series.length > 1}
          height={chartPlot}
          marks={LargeMarks}
          endLabels
          link={href}
          table={url.table === info.name}
          onTable={(next) => url.change({ table: next ? 'txCount' : '' })}
          onRange={(from, to) => url.setRange({ from, to })}
          onReset={() => url.setRange(defaultRange)}
        />
      )}
    </CrosshairContext>
  )
}
