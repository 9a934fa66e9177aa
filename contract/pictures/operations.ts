import type { Operation } from '../base/operation.ts'
import {
  getMetricFrame,
  getMetricPicture,
  getNetworkMetricFrame,
  getNetworkMetricPicture,
  metricWeekPicture,
  networkMetricWeekPicture,
} from './metrics.ts'
import * as pages from './pages.ts'

export const pictures: readonly Operation[] = [
  getMetricPicture,
  getNetworkMetricPicture,
  getMetricFrame,
  getNetworkMetricFrame,
  ...[metricWeekPicture, networkMetricWeekPicture, ...Object.values(pages)].flatMap(
    ({ picture, frame }): Operation[] => [picture, frame],
  ),
]
