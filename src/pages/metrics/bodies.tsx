import type { ReactNode } from 'react'
import { EmptyState, UnsupportedState } from '../../components/states.tsx'
import { Failed } from '../shared/failed.tsx'
import { Button } from '../../components/controls.tsx'
import type { SeriesInfo } from './series-info.ts'
import type { LoadedSeries } from './use-series.ts'

/** A place of a chart's size that is being filled. */
export function ChartSkeleton({ height }: { height: number }): ReactNode {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading</output>
      <span className="skeleton opacity-60" style={{ height }} aria-hidden="true" />
    </div>
  )
}

type Props = {
  readonly info: SeriesInfo
  readonly chainName: string
  readonly loaded: Exclude<LoadedSeries, { state: 'ready' }> | { readonly state: 'empty' | 'away' }
  readonly height: number
  readonly onRetry: () => void
  /** One of the charts of a grid. */
  readonly isOneOfMany?: boolean
}

/** The states of a chart, at the chart's size: loading, failed, not offered, not traced, empty. */
export function ChartInstead({ info, chainName, loaded, height, onRetry, isOneOfMany }: Props): ReactNode {
  if (loaded.state === 'loading') return <ChartSkeleton height={height} />
  // Far from the viewport: the place is kept, nothing is drawn.
  if (loaded.state === 'away') return <div style={{ height }} />
  return (
    <div className="overflow-y-auto text-xs [&>div]:py-2" style={{ height }}>
      {loaded.state === 'untraced' && (
        <UnsupportedState title="Not traced">
          <p>
            This is counted from transaction traces, which the node of {chainName} could not give for blocks
            in or before this range. It is not 0, it is unknown. It appears once a node traces them.
          </p>
          <Button className="text-text" onClick={onRetry}>
            Try again
          </Button>
        </UnsupportedState>
      )}
      {loaded.state === 'unsupported' && (
        <UnsupportedState title={`This service does not offer ${info.title}`}>
          <p>
            {loaded.error.message} A Ridgeline service of your own with this chain in its configuration does.
          </p>
        </UnsupportedState>
      )}
      {loaded.state === 'failed' && (
        <Failed title={`${info.title} could not be loaded.`} error={loaded.error} onRetry={onRetry} />
      )}
      {loaded.state === 'empty' && (
        <EmptyState title="No data in this range">
          {/* Among many charts it would say the same of each. */}
          {!isOneOfMany &&
            `${chainName} has no indexed block in it. Choose a longer range; while a chain is being indexed, its latest days come last.`}
        </EmptyState>
      )}
    </div>
  )
}
