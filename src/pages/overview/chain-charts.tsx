import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { Chart } from '../../components/charts/chart.tsx'
import { CrosshairContext, createCrosshair } from '../../components/charts/crosshair.ts'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import { useLatest, useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import { HOUR } from '../../lib/series/periods.ts'
import { defaultRange } from '../../lib/series/range.ts'
import type { ChainFacts } from '../../api/current.ts'
import { ChartInstead } from '../metrics/bodies.tsx'
import { catalogue } from '../metrics/catalogue.ts'
import { RangeControl } from '../metrics/controls.tsx'
import { Panel } from '../metrics/panel.tsx'
import { supportedInterval } from '../metrics/series-info.ts'
import { boundsOf, useMetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { chainLines } from '../metrics/view.ts'
import { chartPlot } from './places.tsx'

const refresh = 60_000
const none: readonly ChainFacts[] = []
const [first] = catalogue.filter(({ name }) => name === 'txCount')
const beside = catalogue.filter(({ name }) => ['activeAddresses', 'gasUsed', 'feesPaid'].includes(name))

/**
 * What a chain did over time: its transactions large, active addresses, gas and fees below, with one range (in the
 * URL) and one cross-hair.
 */
export function ChainCharts({ chain }: { chain: ChainFacts }): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const [crosshair] = useState(createCrosshair)
  const keep = url.search.toString()
  const path = paths.chain(chain.chainId)
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  if (first === undefined) throw new Error('the catalogue has no txCount')
  const interval = supportedInterval(first, url.wanted)
  const bounds = boundsOf(first, url.range, interval, now)
  const loaded = useSeries([{ chainId: chain.chainId, info: first }], {
    interval,
    range: bounds,
    refresh: bounds.to > now ? refresh : false,
  })
  const [own] = loaded.series
  const series = useMemo(
    () => (own?.state === 'ready' ? chainLines(first, [{ chain, points: own.points }], 'plain') : []),
    [chain, own],
  )
  const latest = useLatest(url)
  const onTable = useCallback(
    (name: string, open: boolean) => latest.current.change({ table: open ? name : '' }),
    [latest],
  )
  const onRange = useCallback((from: number, to: number) => latest.current.setRange({ from, to }), [latest])
  const onReset = useCallback(() => latest.current.setRange(defaultRange), [latest])
  const query = Object.fromEntries(
    ['range', 'from', 'to'].map((key) => [key, url.search.get(key) ?? undefined]),
  )
  const points = series[0]?.points ?? []
  const begin = bounds.from ?? points[0]?.timestamp ?? now
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <Link to={paths.metrics(chain.chainId, query)} className="link ml-auto max-md:hidden">
          All metrics
        </Link>
      </div>
      {own?.state !== 'ready' || points.every(({ value }) => value === null) ? (
        <ChartInstead
          info={first}
          chainName={chain.name}
          loaded={own === undefined ? { state: 'loading' } : own.state === 'ready' ? { state: 'empty' } : own}
          height={chartPlot + 24}
          onRetry={loaded.retry}
        />
      ) : (
        <Chart
          id="chain"
          name={`${chain.name}, Transactions`}
          heading={<p className="text-xs text-muted">Transactions by {interval}</p>}
          series={series}
          interval={interval}
          now={now}
          from={begin}
          to={bounds.to}
          sum
          zero
          height={chartPlot}
          marks={LargeMarks}
          link={href}
          table={url.table === first.name}
          onTable={(next) => onTable(first.name, next)}
          onRange={onRange}
          onReset={onReset}
        />
      )}
      <div className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-3">
        {beside.map((info) => (
          <Panel
            key={info.name}
            info={info}
            chain={chain}
            others={none}
            range={url.range}
            wanted={url.wanted}
            scale="auto"
            now={now}
            to={paths.metric(chain.chainId, info.name, query)}
            table={url.table === info.name}
            onTable={onTable}
            onRange={onRange}
            onReset={onReset}
          />
        ))}
      </div>
    </CrosshairContext>
  )
}
