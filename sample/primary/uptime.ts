import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { randomOf } from '../kernel/random.ts'
import { firstRenewer, renewers, type World } from './world.ts'

/** The share of time online that a reward requires. */
const wantedUptime = 0.8
/**
 * The share required for validators of the primary network whose period began with Helicon or later
 * (ACP-267).
 */
const wantedSinceHelicon = 0.9
/** Seconds after Helicon, following three good cycles, when the unreliable validator's uptime drops. */
const faltersAfter = 40 * 86_400

/**
 * The share of a validation that began at `start` (Unix seconds) during which the node was online, 0 to 1.
 */
export function shareOnline({ seed, ages, nodeById }: World, nodeId: BareHex, start: number): number {
  const random = randomOf(seed, 'online', nodeId, start)
  const place = nodeById.get(nodeId) ?? 0
  // Random uptimes would soon end a validator that must be rewarded again and again.
  if (place >= firstRenewer) {
    const falters = place === renewers.falters && start >= ages.helicon + faltersAfter
    return falters ? 0.82 + random.next() * 0.07 : 0.95 + random.next() * 0.05
  }
  return random.chance(0.1) ? 0.2 + random.next() * 0.59 : 1 - random.next() ** 3 * 0.15
}

/**
 * Whether a validation that began at `start` is rewarded. `isPrimary`: whether it is on the primary network.
 */
export function wasOnline(world: World, nodeId: BareHex, start: number, isPrimary: boolean): boolean {
  const wanted = isPrimary && start >= world.ages.helicon ? wantedSinceHelicon : wantedUptime
  return shareOnline(world, nodeId, start) >= wanted
}
