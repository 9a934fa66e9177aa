import { useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { networkMetricNames, type NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import type { NetworkName } from '../../api/current.ts'
import { Chart } from '../../components/charts/chart.tsx'
import { createCrosshair, CrosshairContext } from '../../components/charts/crosshair.ts'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { seriesColour } from '../../../charts/palette.ts'
import { paths } from '../../lib/paths.ts'
import { HOUR, isUnfinished } from '../../../charts/series/periods.ts'
import { ChartInstead } from '../metrics/bodies.tsx'
import { RangeControl } from '../metrics/controls.tsx'
import { networkCatalogue } from '../metrics/network-catalogue.ts'
import { useNetworkFacts } from '../metrics/network-subject.tsx'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { boundsOf } from '../../../charts/catalogue/view.ts'
import { useChartActions, useMetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { hasNoValue, startOf } from '../metrics/view.ts'
import { chartPlot, type TypeChartOf } from './type-chart-place.tsx'

/**
 * The series of each chart with their labels; those of a chain are its types, each counted once. AdvanceTimeTx, by which
 * the P-chain set its time before blocks had one, has no series and is left out.
 */
const layers: Readonly<Record<TypeChartOf, readonly (readonly [NetworkMetricName, string])[]>> = {
  network: [
    ['pTransactions', 'P-Chain'],
    ['xTransactions', 'X-Chain'],
    ['cAtomicTransactions', 'C-Chain, atomic'],
  ],
  'p-chain': [
    ['pStakingTransactions', 'Staking'],
    ['pRewardTransactions', 'Rewards'],
    ['pL1Transactions', 'L1s'],
    ['pSubnetTransactions', 'Subnets'],
    ['pTransfers', 'Transfers'],
    ['pImports', 'Imports'],
    ['pExports', 'Exports'],
  ],
  'x-chain': [
    ['xTransfers', 'Transfers'],
    ['xAssetTransactions', 'Assets'],
    ['xImports', 'Imports'],
    ['xExports', 'Exports'],
  ],
  'c-chain': [['cAtomicTransactions', 'Atomic transactions']],
}

type Props = {
  readonly network: NetworkName
  readonly of: TypeChartOf
  /** The chain's name, or the network's. */
  readonly name: string
  /** The path of the page. */
  readonly path: string
}

/**
 * The transactions of the primary network by chain, or of one of its chains by type, stacked, over the range in the
 * URL.
 */
export function TypeChart({ network, of, name, path }: Props): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const facts = useNetworkFacts(network)
  const actions = useChartActions(url)
  const [crosshair] = useState(createCrosshair)
  const shown = useMemo(
    () =>
      layers[of].flatMap(([metric, label]) => {
        const info = networkCatalogue[networkMetricNames.indexOf(metric)]
        return info === undefined ? [] : [{ info, label }]
      }),
    [of],
  )
  const [first] = shown
  if (first === undefined) throw new Error(`no series of ${of}`)
  const interval = supportedInterval(first.info, url.wanted)
  const bounds = boundsOf(first.info, url.range, interval, now)
  const loaded = useSeries(
    shown.map(({ info }) => ({ chainId: network, info })),
    { interval, range: bounds, now },
  )
  const series = useMemo(
    () =>
      shown.flatMap(({ info, label }, index) => {
        const result = loaded.series[index]
        return result?.state === 'ready'
          ? [
              {
                id: info.name,
                label,
                colour: seriesColour(index),
                unit: info.unit(facts),
                points: result.points,
              },
            ]
          : []
      }),
    [shown, loaded.series, facts],
  )
  const loading = loaded.series.some(({ state }) => state === 'loading')
  // A stack without one of its layers would be wrong, so that any failure is shown instead of the chart.
  const failed = loaded.series.find((one) => one.state === 'failed' || one.state === 'unsupported')
  const open = series.some(({ points }) => {
    const last = points.at(-1)
    return last !== undefined && isUnfinished(last.timestamp, interval, now)
  })
  const keep = url.search.toString()
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  const id = `types-${of}`
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <Link to={paths.networkMetrics(network)} className="link ml-auto max-md:hidden">
          All network metrics
        </Link>
      </div>
      {loading || failed !== undefined || hasNoValue(series) ? (
        <ChartInstead
          info={first.info}
          chainName={name}
          loaded={loading ? { state: 'loading' } : (failed ?? { state: 'empty' })}
          height={chartPlot[of] + 24}
          onRetry={loaded.retry}
        />
      ) : (
        <Chart
          id={id}
          name={`${name}, Transactions`}
          heading={
            <p className="text-xs text-muted">
              {[
                `${of === 'network' ? 'Transactions by chain' : of === 'c-chain' ? 'Atomic transactions' : 'Transactions by type'}, by ${interval}`,
                ...(open ? [`the last ${interval} has not ended and is dashed`] : []),
              ].join(' · ')}
            </p>
          }
          series={series}
          interval={interval}
          now={now}
          from={startOf(bounds, series, now)}
          to={bounds.to}
          sum
          zero
          stacked={series.length > 1}
          height={chartPlot[of]}
          marks={LargeMarks}
          endLabels
          link={href}
          table={url.table === id}
          onTable={(next) => actions.onTable(id, next)}
          onRange={actions.onRange}
          onReset={actions.onReset}
        />
      )}
    </CrosshairContext>
  )
}
