const hour = 3600
const maxFilled = 200
/** A shorter gap is not filled with blocks. */
export const longGap = 2 * hour

/** Unix seconds. */
export type Clock = () => number

/**
 * The times of the blocks that fill a gap: one per hour, or fewer if the gap is long, so that a start after
 * weeks is as fast as one after a day.
 */
export function fillTimes(from: number, to: number): number[] {
  if (to - from < longGap) return []
  const step = Math.max(1, Math.ceil((to - from) / hour / maxFilled)) * hour
  const times: number[] = []
  for (let time = (Math.floor(from / hour) + 1) * hour; time < to - 60; time += step) times.push(time)
  return times
}
