import type { ChartSeries } from '../../../charts/chart-series.ts'
import type { ViewMode } from '../../../contract/metrics/view.ts'
import { viewSeries } from '../../../charts/catalogue/view-series.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { SeriesInfo } from './series-info.ts'
import type { Second } from './second.ts'
import type { LoadedSeries } from './use-series.ts'

type Parts = {
  readonly info: SeriesInfo
  readonly second: Second | undefined
  /** The page's own chain first. */
  readonly chains: readonly ChainFacts[]
  /** One a chain, in the order of `chains`, then the second series where there is one. */
  readonly loaded: readonly LoadedSeries[]
  readonly mode: ViewMode
}

/** All series of the large chart that have arrived. */
export function chartSeries({ loaded, ...view }: Parts): ChartSeries[] {
  return viewSeries({
    ...view,
    points: loaded.map((result) => (result.state === 'ready' ? result.points : undefined)),
  })
}
