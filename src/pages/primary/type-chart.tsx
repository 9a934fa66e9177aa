import { useMemo, useState, type ReactNode } from 'react'
import { useHref } from 'react-router'
import { useOffers, useProfile, type NetworkName } from '../../api/current.ts'
import { createCrosshair, CrosshairContext } from '../../components/charts/crosshair.ts'
import { useNarrow, useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { Boundary, LazyPart } from '../../components/part.tsx'
import { SkeletonChart } from '../../components/skeleton.tsx'
import { paths } from '../../lib/paths.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import { dashedNote, HOUR } from '../../../charts/series/periods.ts'
import { RangeControl } from '../metrics/controls.tsx'
import { useEmbedCopies } from '../embed/embed-copies.ts'
import { networkCatalogue } from '../metrics/network-catalogue.ts'
import { useNetworkFacts } from '../shared/network-facts.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { layersOf, layerSeries, layersTitle } from '../../../charts/catalogue/layers.ts'
import { boundsOf, hasNoValue } from '../../../charts/catalogue/view.ts'
import { ChartSkeleton } from '../metrics/bodies.tsx'
import { useMetricsUrl } from '../metrics/state.ts'
import { useSeries } from '../metrics/use-series.ts'
import { lazy } from '../../components/lazy.ts'

const StackedChart = lazy(() => import('../metrics/stacked-chart.tsx'), 'StackedChart')

/** What a chart of transactions shows: the chains of the primary network, or the types of one chain. */
type TypeChartOf = 'network' | ChainAlias

/** The heights of the plots in pixels: above a list the chart is lower, so that its first rows are on the screen. */
const chartPlot: Readonly<Record<TypeChartOf, number>> = {
  network: 300,
  'p-chain': 180,
  'x-chain': 180,
  'c-chain': 180,
}
/** Controls, note and gaps above the plot. */
const above = 72
/** On a phone the note is two lines, and the names of the series are a row or two above the plot. */
const phoneAbove: Readonly<Record<TypeChartOf, number>> = {
  network: 116,
  'p-chain': 136,
  'x-chain': 136,
  'c-chain': 96,
}

type ChartProps = {
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
function Layers({ network, of, name, path }: ChartProps): ReactNode {
  const url = useMetricsUrl()
  const now = useNow(HOUR)
  const facts = useNetworkFacts(network)
  const [crosshair] = useState(createCrosshair)
  const shown = useMemo(() => layersOf(of, networkCatalogue), [of])
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
      layerSeries(
        shown,
        loaded.series.map((result) => (result.state === 'ready' ? result.points : undefined)),
        facts,
      ),
    [shown, loaded.series, facts],
  )
  const loading = loaded.series.some(({ state }) => state === 'loading')
  // A stack without one of its layers would be wrong, so that any failure is shown instead of the chart.
  const failed = loaded.series.find((one) => one.state === 'failed' || one.state === 'unsupported')
  const keep = url.search.toString()
  const href = useHref(keep === '' ? path : `${path}?${keep}`)
  const id = `types-${of}`
  const title = layersTitle(of)
  const copies = useEmbedCopies(
    of === 'network' ? 'getNetworkTransactionsPicture' : 'getTransactionTypesPicture',
    of === 'network' ? `${paths.network(network)}/transactions` : paths.primaryTransactions(network, of),
    url.search,
    `${name}, ${title}`,
  )
  return (
    <CrosshairContext value={crosshair}>
      <div className="flex flex-wrap items-center gap-3 pb-2 max-md:gap-2">
        <RangeControl range={url.range} onChange={url.setRange} />
        <Link to={paths.networkMetrics(network)} className="link ml-auto max-md:hidden">
          All network metrics
        </Link>
      </div>
      <LazyPart title="The chart" fallback={<ChartSkeleton height={chartPlot[of] + 24} />}>
        <StackedChart
          id={id}
          name={`${name}, Transactions`}
          info={{ ...first.info, title }}
          of={name}
          instead={
            loading ? { state: 'loading' } : (failed ?? (hasNoValue(series) ? { state: 'empty' } : undefined))
          }
          series={series}
          interval={interval}
          range={bounds}
          now={now}
          height={chartPlot[of]}
          note={(open) =>
            [
              `${title}, by ${interval}`,
              ...(of === 'p-chain' ? ['without AdvanceTimeTx'] : []),
              ...(open ? [dashedNote(interval)] : []),
            ].join(' · ')
          }
          url={url}
          table={id}
          link={href}
          copies={copies}
          onRetry={loaded.retry}
        />
      </LazyPart>
    </CrosshairContext>
  )
}

type Props = ChartProps & {
  /** Whether its requests may be sent: what is read first comes first. */
  readonly isReady: boolean
}

/** A chart of transactions at its final size from the first paint. */
export function TypeChart({ isReady, ...chart }: Props): ReactNode {
  const profile = useProfile()
  const offered = useOffers('getNetworkMetric', chart.network)
  const narrow = useNarrow()
  const height = chartPlot[chart.of] + (narrow ? phoneAbove[chart.of] : above)
  if (!offered)
    return (
      <p className="pb-4 text-xs text-muted">
        {profile?.name} does not offer the number of transactions over time.
      </p>
    )
  return (
    <div className="mb-4 min-w-0" style={{ minHeight: height }}>
      {isReady ? (
        <Boundary title="The chart">
          <Layers {...chart} />
        </Boundary>
      ) : (
        <SkeletonChart height={height} />
      )}
    </div>
  )
}
