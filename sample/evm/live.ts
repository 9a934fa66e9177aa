import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, fillTimes, longGap } from '../kernel/clock.ts'
import { randomOf } from '../kernel/random.ts'
import type { EvmChain } from './evm-chain.ts'

/** Makes the blocks between the chain's head and now. */
export async function fillGap(
  chain: EvmChain,
  clock: Clock,
  progress: (done: number, total: number) => void,
  stop: AbortSignal,
): Promise<void> {
  const times = fillTimes(chain.head.time, clock())
  for (const [index, time] of times.entries()) {
    if (stop.aborted) return
    if (index % 20 === 0) progress(index, times.length)
    const { hash, time: before } = chain.head
    if (before < time) await chain.mineUpon(hash, { time, at: time })
  }
}

/** Seconds between live blocks: at first, and once the network is older than `youth` seconds. */
const intervals = { young: [2, 5], old: [10, 20] } as const
const youth = 3 * 3600

/**
 * When the next live block is due. An old network makes fewer blocks, because its node reads them all again at every
 * start: a week's at the first pace take a minute.
 */
function dueAfter({ plan, timeline, head: { number, time } }: EvmChain, seed: number): number {
  const [least, max] = time < timeline.end + youth ? intervals.young : intervals.old
  return time + randomOf(seed, plan.key, 'interval', number + 1).between(least, max)
}

/** Makes a block every few seconds until `stop`. Rejects when the node no longer accepts blocks. */
export async function live(chain: EvmChain, seed: number, clock: Clock, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const { time, hash } = chain.head
    const due = dueAfter(chain, seed)
    const now = clock()
    if (now - time >= longGap) await fillGap(chain, clock, () => undefined, stop)
    try {
      await delay(Math.max(0, due - now) * 1000, undefined, { signal: stop })
    } catch {
      // Only the signal ends the wait early.
      return
    }
    // A head later than the clock (which was set back, or a test made blocks) waits until the clock has caught up.
    if (chain.head.hash !== hash) continue
    const late = Math.floor(clock()) - due
    const at = late > 5 ? due + late : due
    // A reorganization in progress leaves another head, perhaps a later one.
    await chain.mineUpon(hash, { time: at, at })
  }
}
