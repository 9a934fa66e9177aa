import { createHash } from 'node:crypto'

/** A stream of reproducible draws. */
export type Random = {
  /** Uniform in [0, 1). */
  next(): number
  /** A whole number in [0, limit). */
  below(limit: number): number
  /** A whole number in [low, high]. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly [T, ...T[]]): T
  /** Poisson distributed with the given mean, which should stay below 100. */
  poisson(mean: number): number
}

/**
 * The random stream of a key. Every block and every transaction has its own key, so none depends on the
 * number of draws of another. The generator is Chris Doty-Humphrey's sfc32, seeded with a hash of the key.
 */
export function randomOf(...key: readonly (string | number)[]): Random {
  const digest = createHash('sha256').update(key.join('/')).digest()
  let a = digest.readInt32LE(0)
  let b = digest.readInt32LE(4)
  let c = digest.readInt32LE(8)
  let counter = digest.readInt32LE(12)
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
    poisson: (mean) => {
      const limit = Math.exp(-mean)
      let product = next()
      let count = 0
      while (product > limit) {
        product *= next()
        count += 1
      }
      return count
    },
  }
}
