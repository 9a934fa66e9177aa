import type { Pace } from './freshness.ts'

type Sample = { at: number; block: bigint; ts: number }

/** A head within this many seconds after the previous one is not sampled. */
const apart = 1
const kept = 60
const shortest = 2

/** The progress of chains, derived from their heads. Times are seconds of a monotonic clock. */
type Paces = {
  /**
   * Records a head of a chain: its height and time. An `announced` head has just been indexed; one from an answer
   * counts as progress only if it is higher than the known one.
   */
  see(chain: string, head: { at: number; block: string; ts: number; announced: boolean }): void
  /** The progress of a chain at a time; undefined when its head has not advanced. */
  of(chain: string, at: number): Pace | undefined
}

/** Keeps the heads of the last minute of each chain. */
export function createPaces(): Paces {
  const chains = new Map<string, { samples: Sample[]; last: Sample; advancedAt?: number }>()
  return {
    see(chain, { at, block, ts, announced }) {
      const seen: Sample = { at, block: BigInt(block), ts }
      const known = chains.get(chain)
      // A displayed head may be one event behind the announced one.
      if (!announced && known && seen.block < known.last.block) return
      if (!known || seen.block < known.last.block) {
        chains.set(chain, { samples: [seen], last: seen, ...(announced && { advancedAt: at }) })
        return
      }
      if (announced || seen.block > known.last.block) known.advancedAt = at
      const before = known.samples.at(-1)
      if (!before || at - before.at >= apart) known.samples.push(seen)
      known.samples = known.samples.filter((sample) => at - sample.at <= kept)
      known.last = seen
    },
    of(chain, at) {
      const known = chains.get(chain)
      if (known?.advancedAt === undefined) return undefined
      const { advancedAt, last } = known
      const first = known.samples[0] ?? last
      const seconds = at - first.at
      if (seconds < shortest || last === first) return { advancedAt }
      return {
        advancedAt,
        blocksPerSecond: Number(last.block - first.block) / seconds,
        chainSeconds: (last.ts - first.ts) / seconds,
      }
    },
  }
}

/** The progress of the chains while this page is open. */
export const paces = createPaces()
