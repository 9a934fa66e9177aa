import { perSecond } from '../../../charts/series/units.ts'
import { DAY } from '../../../charts/series/periods.ts'
import { formatDuration } from '../time.ts'

/**
 * How often something happened of which there were `ofDay` in 24 hours: "12.3 per second" from one a second on, else
 * "every 3 min". A fraction of a second tells nobody how quiet a chain is.
 */
export function rateText(ofDay: string | number): string {
  const count = Number(ofDay)
  if (count === 0) return 'none'
  return count >= DAY ? `${perSecond(ofDay)} per second` : `every ${formatDuration(Math.round(DAY / count))}`
}
