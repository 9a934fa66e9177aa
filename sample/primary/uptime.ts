import { randomOf } from '../evm/random.ts'
import type { Hex } from './ledger.ts'

/** What a validator must have been online for to be rewarded. */
const WANTED = 0.8

/** The share of a validation that began at `start` (Unix seconds) in which the node was online, 0 to 1. */
export function shareOnline(seed: number, nodeId: Hex, start: number): number {
  const random = randomOf(seed, 'online', nodeId, start)
  return random.chance(0.1) ? 0.2 + random.next() * 0.59 : 1 - random.next() ** 3 * 0.15
}

export function wasOnline(seed: number, nodeId: Hex, start: number): boolean {
  return shareOnline(seed, nodeId, start) >= WANTED
}
