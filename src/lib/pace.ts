import type { Pace } from './freshness.ts'

type Sample = { at: number; block: bigint; ts: number }

/** A head within this many seconds of the one before is not worth a sample of its own. */
const apart = 1
const kept = 60
const shortest = 2

/** How chains move, from the heads that are seen of them. Moments are seconds of a clock that only goes forward. */
export type Paces = {
  /**
   * Takes a head of a chain: its height and time. A head that was `announced` has just been indexed; one from an
   * answer moves the chain only when it is higher than what was known.
   */
  see(chain: string, head: { at: number; block: string; ts: number; announced: boolean }): void
  /** How a chain moves at a moment; undefined when its head has not been seen to move. */
  of(chain: string, at: number): Pace | undefined
}

/** Keeps the heads of the last minute of each chain. */
export function createPaces(): Paces {
  const chains = new Map<string, { samples: Sample[]; last: Sample; advancedAt?: number }>()
  return {
    see(chain, { at, block, ts, announced }) {
      const seen: Sample = { at, block: BigInt(block), ts }
      const known = chains.get(chain)
      // What is on screen may be an event behind what was announced.
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

/** How the chains move while this page watches them. */
export const paces = createPaces()
