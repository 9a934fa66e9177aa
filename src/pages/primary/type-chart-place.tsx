import type { ReactNode } from 'react'
import { useOffers, useProfile, type NetworkName } from '../../api/current.ts'
import { useNarrow } from '../../components/hooks.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonChart } from '../../components/skeleton.tsx'
import type { ChainAlias } from '../../lib/primary-chains.ts'

const TypeChart = lazy(() => import('./type-chart.tsx'), 'TypeChart')

/** What a chart of transactions shows: the chains of the primary network, or the types of one chain. */
export type TypeChartOf = 'network' | ChainAlias

/** The heights of the plots in pixels: above a list the chart is lower, so that its first rows are on the screen. */
export const chartPlot: Readonly<Record<TypeChartOf, number>> = {
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

type Props = { network: NetworkName; of: TypeChartOf; name: string; path: string; isReady: boolean }

/**
 * A chart of transactions at its final size from the first paint. Its code, and the requests that come with it, wait
 * until `isReady`: what is read first comes first.
 */
export function TypeChartPlace({ isReady, ...chart }: Props): ReactNode {
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
  const place = <SkeletonChart height={height} />
  return (
    <div className="mb-4 min-w-0" style={{ minHeight: height }}>
      {isReady ? (
        <LazyPart title="The chart" fallback={place}>
          <TypeChart {...chart} />
        </LazyPart>
      ) : (
        place
      )}
    </div>
  )
}
