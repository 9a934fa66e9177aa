import type { ChainPlan, Effect, Incident } from './chains.ts'
import { createMoments } from '../kernel/moments.ts'
import { randomOf } from '../kernel/random.ts'

const hourSeconds = 3600
const daySeconds = 24 * hourSeconds
const fullHours = 2160

/** The span of a chain's history, in Unix seconds; `start` is the time of its genesis block. */
export type Timeline = {
  readonly start: number
  readonly end: number
  readonly blocks: number
}

/**
 * The timeline of a chain whose network has `hours` of history before `now` (Unix seconds). It ends at the full hour
 * before `now`, so two starts within one hour make the same history.
 */
export function timelineOf(plan: ChainPlan, now: number, hours: number): Timeline {
  const end = Math.floor(now / hourSeconds) * hourSeconds
  const span = Math.max(2, Math.round(hours * plan.span))
  const blocks = Math.max(2, Math.round((plan.blocks * hours) / fullHours))
  return { start: end - span * hourSeconds, end, blocks }
}

/** The fraction of the history that has passed at `time`; above 1 after it. */
export function progressAt(timeline: Timeline, time: number): number {
  return (time - timeline.start) / (timeline.end - timeline.start)
}

function isWeekend(time: number): boolean {
  const weekday = (Math.floor(time / daySeconds) + 4) % 7
  return weekday === 0 || weekday === 6
}

/** First and last second (exclusive) of an incident. */
function windowOf(plan: ChainPlan, timeline: Timeline, incident: Incident): readonly [number, number] {
  const span = (timeline.end - timeline.start) / hourSeconds
  const length = Math.max(1, Math.round((incident.hours * timeline.blocks) / plan.blocks))
  const from = timeline.start + Math.floor(incident.at * span) * hourSeconds
  if (length < 24) return [from, from + length * hourSeconds]
  // An incident of a day or more covers whole days, so that a daily chart shows it.
  let first = Math.ceil(from / daySeconds) * daySeconds
  while (incident.onWorkday === true && isWeekend(first)) first += daySeconds
  return [first, first + length * hourSeconds]
}

/** The combined effect of all incidents at `time`. */
export function effectAt(plan: ChainPlan, timeline: Timeline, time: number): Effect {
  const found = plan.incidents.filter((incident) => {
    const [from, to] = windowOf(plan, timeline, incident)
    return time >= from && time < to
  })
  return Object.assign({}, ...found)
}

/**
 * The relative activity at `time`: daily and weekly rhythm, growth until the end of the history, incidents. About 1 in
 * the middle of the history.
 */
export function activityAt(plan: ChainPlan, timeline: Timeline, time: number): number {
  const hours = Math.floor(time / hourSeconds)
  const rhythm = plan.rhythm(hours % 24, (Math.floor(hours / 24) + 4) % 7)
  const growth = 0.55 + 0.9 * Math.min(1, Math.max(0, progressAt(timeline, time)))
  return rhythm * growth * (effectAt(plan, timeline, time).activityTimes ?? 1)
}

/** Blocks that the history has in the hour at `time`, on average. */
type BlocksPerHour = (time: number) => number

/** Blocks are placed by the rhythm where there are fewer of them than hours, and otherwise one in each hour. */
function blocksPerHourOf(plan: ChainPlan, timeline: Timeline): BlocksPerHour {
  if (plan.span === 1) return () => 1
  const total = blockWeights(plan, timeline).at(-1) ?? 1
  return (time) => (timeline.blocks * blockWeight(plan, timeline, time)) / total
}

/** The average number of transactions of a block of the history at `time`. */
export function meanOfBlock(plan: ChainPlan, timeline: Timeline, time: number): number {
  const activity = activityAt(plan, timeline, time)
  return plan.meanTransactions * (plan.span === 1 ? activity : 0.35 + 0.65 * Math.min(2, activity))
}

/**
 * Counts the transactions that come after the history in a span of time, in Unix seconds: more than `from`, at most
 * `to`. An hour has as many as the history has in such an hour of the week, without its chance, at moments that the
 * seed chooses; so it does not matter how many blocks there are, and charts go on as they were.
 */
type LiveCount = (from: number, to: number) => number

export function createLiveCount(plan: ChainPlan, timeline: Timeline, seed: number): LiveCount {
  const blocksPerHour = blocksPerHourOf(plan, timeline)
  const perHour = (time: number): number => blocksPerHour(time) * meanOfBlock(plan, timeline, time)
  const moments = createMoments(timeline.end, perHour, seed, plan.key)
  return (from, to) => moments(from, to).length
}

/** The number of accounts in use at `time`. */
export function joinedAt(plan: ChainPlan, timeline: Timeline, time: number): number {
  const progress = Math.min(1, Math.max(0, progressAt(timeline, time)))
  const first = Math.min(14, plan.accounts - 1)
  return Math.round(first + (plan.accounts - first) * progress ** 1.15)
}

/** The times of the history's blocks 1 to n, strictly ascending, none after the timeline's end. */
export function historyTimes(plan: ChainPlan, timeline: Timeline, seed: number): number[] {
  const times = plan.span === 1 ? hourlyTimes(plan, timeline, seed) : rhythmicTimes(plan, timeline, seed)
  for (let index = 1; index < times.length; index += 1) {
    times[index] = Math.max(times[index] ?? 0, (times[index - 1] ?? 0) + 1)
  }
  return times
}

function hourlyTimes(plan: ChainPlan, timeline: Timeline, seed: number): number[] {
  const halts = plan.incidents
    .filter((incident) => incident.halted === true)
    .map((incident) => windowOf(plan, timeline, incident))
  return Array.from({ length: timeline.blocks }, (_, index) => {
    const hour = timeline.start + index * hourSeconds
    const halt = halts.find(([from, to]) => hour >= from && hour < to)
    if (halt !== undefined) return halt[1] - Math.floor(((halt[1] - hour) / hourSeconds) * 290)
    const rush = rushOf(plan, seed, hour)
    if (hour === rush.from) return hour + hourSeconds - Math.ceil(rush.gap / 2)
    if (hour === rush.from + hourSeconds) return hour + Math.floor(rush.gap / 2)
    return hour + randomOf(seed, plan.key, 'minute', index).between(5, 3400)
  })
}

/**
 * Once a day the blocks of two hours are seconds apart, so that the peak rates of an hourly history vary like those
 * of a live chain. `from` is the first of the two hours.
 */
function rushOf(plan: ChainPlan, seed: number, time: number): { from: number; gap: number } {
  const day = Math.floor(time / daySeconds) * daySeconds
  const random = randomOf(seed, plan.key, 'rush', day / daySeconds)
  return { from: day + random.between(12, 18) * hourSeconds, gap: random.between(3, 14) }
}

/** The weight of an hour of the history for the number of its blocks. */
function blockWeight(plan: ChainPlan, timeline: Timeline, time: number): number {
  return 0.02 + activityAt(plan, timeline, time)
}

/** The sums of those weights after each hour of the history. */
function blockWeights(plan: ChainPlan, timeline: Timeline): number[] {
  const hours = Math.round((timeline.end - timeline.start) / hourSeconds)
  let total = 0
  return Array.from(
    { length: hours },
    (_, index) => (total += blockWeight(plan, timeline, timeline.start + index * hourSeconds)),
  )
}

function rhythmicTimes(plan: ChainPlan, timeline: Timeline, seed: number): number[] {
  const sums = blockWeights(plan, timeline)
  const hours = sums.length
  const total = sums.at(-1) ?? 0
  let hour = 0
  const times = Array.from({ length: timeline.blocks }, (_, index) => {
    const noise = randomOf(seed, plan.key, 'minute', index).next()
    const target = ((index + 0.05 + 0.9 * noise) / timeline.blocks) * total
    while (hour < hours - 1 && (sums[hour] ?? 0) < target) hour += 1
    const before = sums[hour - 1] ?? 0
    const within = (target - before) / ((sums[hour] ?? 0) - before)
    return timeline.start + Math.floor((hour + Math.min(0.999, Math.max(0.002, within))) * hourSeconds)
  })
  // Some blocks follow the previous one at once, for the same reason as in `rushOf`.
  for (let index = 1; index < times.length; index += 1) {
    const random = randomOf(seed, plan.key, 'rush', index)
    const soon = (times[index - 1] ?? 0) + random.between(3, 14)
    if (random.chance(0.12)) times[index] = Math.min(times[index] ?? soon, soon)
  }
  return times
}
