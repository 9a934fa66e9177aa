import { randomOf } from './random.ts'

const hourSeconds = 3600

/** The moments after `from` and at most at `to`, ascending, in Unix seconds and parts of them. */
export type Moments = (from: number, to: number) => readonly number[]

/**
 * Places events that come after a history at `end`, in Unix seconds. The hour at `time` has `perHour(time)` of them,
 * without chance: what is less than one is carried on to the next hour. The `key` decides the moments within an hour.
 * So it does not matter in which steps the time is examined.
 */
export function createMoments(
  end: number,
  perHour: (time: number) => number,
  ...key: readonly (string | number)[]
): Moments {
  const startOf = (hour: number): number => end + hour * hourSeconds
  /** The sums before each hour; the first is what the history may still owe. */
  const sums = [randomOf(...key, 'live').next()]
  const sumBefore = (hour: number): number => {
    for (let next = sums.length; next <= hour; next += 1) {
      sums.push((sums[next - 1] ?? 0) + perHour(startOf(next - 1)))
    }
    return sums[hour] ?? 0
  }
  const momentsOf = (hour: number): number[] => {
    const count = Math.floor(sumBefore(hour + 1)) - Math.floor(sumBefore(hour))
    if (count === 0) return []
    const random = randomOf(...key, 'moments', hour)
    return Array.from({ length: count }, () => startOf(hour) + random.next() * hourSeconds).sort(
      (a, b) => a - b,
    )
  }
  return (from, to) => {
    const first = Math.max(0, Math.floor((from - end) / hourSeconds))
    const found: number[] = []
    for (let hour = first; startOf(hour) < to; hour += 1) {
      found.push(...momentsOf(hour).filter((moment) => from < moment && moment <= to))
    }
    return found
  }
}
