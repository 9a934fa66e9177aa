import { useQueries } from '@tanstack/react-query'
import { isDistinct, type DistinctName } from '../../../contract/metrics/distinct.ts'
import type { TimeRange } from '../../../charts/series/range.ts'
import { exactDigits, exactText, figureText, withUnit, type Unit } from '../../../charts/series/units.ts'
import { useOffers } from '../../api/current.ts'
import { ApiError } from '../../api/errors.ts'
import { distinctQuery } from '../../api/metrics/distinct.ts'
import type { Figure } from '../../components/figures.tsx'

const label = 'Distinct in the range'

/** The figure of a count; `error`: why there is none. A range that can't be counted is not a failure (400). */
export function distinctFigure(value: number | bigint | undefined, error: Error | null, unit: Unit): Figure {
  if (value !== undefined)
    return {
      label,
      value: withUnit(figureText(value, unit), unit),
      title: withUnit(exactText(value, unit.decimals), unit),
      copy: exactDigits(value, unit.decimals),
      note: 'each address once',
    }
  if (error instanceof ApiError && error.status === 400)
    return { label, value: null, title: error.message, note: 'known for ranges that end now' }
  return { label, value: undefined, error }
}

/**
 * The figures of the distinct addresses of a range, one for each chain; empty for a metric whose values are not counts of
 * distinct addresses, or if the service does not count them.
 */
export function useDistinctFigures(
  metric: string,
  chainIds: readonly string[],
  { from, to }: TimeRange,
  unit: Unit,
): readonly Figure[] {
  const offered = useOffers('countDistinct')
  const name: DistinctName | undefined = offered && isDistinct(metric) ? metric : undefined
  return useQueries({
    queries: name === undefined ? [] : chainIds.map((id) => distinctQuery(id, name, from, to)),
  }).map(({ data, error }) => distinctFigure(data?.value, error, unit))
}
