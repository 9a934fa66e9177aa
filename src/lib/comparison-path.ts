import { COMPARE_SEPARATOR, maxSeries } from '../../contract/metrics/view.ts'
import { paths } from './paths.ts'

/** The page of the transactions of a chain beside those of others, as many as one picture has. */
export const comparisonPath = (chainId: string, others: readonly string[]): string =>
  paths.metric(chainId, 'txCount', { compare: others.slice(0, maxSeries - 1).join(COMPARE_SEPARATOR) })
