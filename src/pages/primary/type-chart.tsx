import type { ReactNode } from 'react'
import { useOffers, useProfile, type NetworkName } from '../../api/current.ts'
import { useNarrow } from '../../components/hooks.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonChart } from '../../components/skeleton.tsx'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'

// Fetched beside the list, which comes first and needs none of it.
const Layers = lazy(() => import('./type-layers.tsx'), 'Layers')

/** What a chart of transactions shows: the chains of the primary network, or the types of one chain. */
type TypeChartOf = 'network' | PrimaryChainAlias

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

export type ChartProps = {
  readonly network: NetworkName
  readonly of: TypeChartOf
  /** The chain's name, or the network's. */
  readonly name: string
  /** The path of the page. */
  readonly path: string
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
        <LazyPart title="The chart" fallback={<SkeletonChart height={height} />}>
          <Layers {...chart} plot={chartPlot[chart.of]} />
        </LazyPart>
      ) : (
        <SkeletonChart height={height} />
      )}
    </div>
  )
}
