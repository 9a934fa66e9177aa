import { type Hex, encodeAbiParameters, getContractAddress } from 'viem'
import { managerContract } from '../primary/founding.ts'
import { blockchainIdOf, type ChainPlan, chainPlans, type Effect } from './chains.ts'
import { call, deploy, type Draft } from './draft.ts'
import { lower } from '../kernel/hex.ts'
import type { BlockOrder } from './order.ts'
import { type Random, randomOf } from '../kernel/random.ts'
import type { CourierState } from './state.ts'
import { effectAt, progressAt, type Timeline } from './story.ts'
import { warpAddress } from './warp.ts'

/**
 * A message of an L1's manager to the P-Chain (ACP-77), and the time at which the P-Chain includes it (Unix
 * seconds).
 */
export type ManagerMessage = {
  readonly time: number
  readonly payload: Hex
}

/** The position of a block in the history. */
export type CourierMoment = {
  readonly order: BlockOrder
  /** The fraction of the history that has passed. */
  readonly progress: number
  /** Seconds since the last block. */
  readonly gap: number
  readonly effect: Effect
  readonly step: number
}

/** The messenger is deployed after this fraction of the history. */
const firstShare = 0.03
/** The probability that an hour has a message. */
const chancePerHour = 0.033
/** History blocks this soon after another are peaks and are left unchanged. */
const minGap = 120

const vocabulary = [
  'Shipment 41 has left the yard.',
  'Please confirm receipt of invoice 2207.',
  'Season two begins on Friday.',
  'Rate table updated.',
  'Guild hall claimed by the Marmots.',
  'Withdrawal window is open until midnight UTC.',
  'Grüße aus dem Hafen.',
  'Test message, no action needed.',
] as const

/** The probability that a block has what an hour has with `perHour`: live blocks are seconds apart. */
export function chanceOf(perHour: number, progress: number, gap: number): number {
  return progress <= 1 ? perHour : perHour * Math.min(1, gap / 3600)
}

/** Whether the account for messages skips a block: incidents and peaks have exact figures of their own. */
export function isAvoided(effect: Effect, progress: number, gap: number): boolean {
  return Object.keys(effect).length > 0 || (progress <= 1 && gap < minGap)
}

function text(random: Random, from: ChainPlan, messenger: Hex, nonce: number): Draft {
  const others = chainPlans.filter(({ key }) => key !== from.key)
  const to = blockchainIdOf(others[random.below(others.length)] ?? from)
  // Equal messages would have the same id; the number makes each unique.
  const words = `${random.pick(vocabulary)} (${nonce})`
  // Some messages are sent without the messenger.
  if (random.chance(0.2)) {
    const payload = encodeAbiParameters([{ type: 'bytes32' }, { type: 'string' }], [to, words])
    return call('WarpPrecompile', warpAddress, 120_000, 'sendWarpMessage', [payload])
  }
  return call('Messenger', messenger, 160_000, 'send', [to, words])
}

/**
 * The transaction of the account for messages in a block, if any: the messenger's creation, a text, or a message of
 * the L1's manager (`order.tell`). Changes `state`; `self` is the account.
 */
export function courierDraft(
  plan: ChainPlan,
  seed: number,
  self: Hex,
  nonce: number,
  state: CourierState,
  { order, progress, gap, effect, step }: CourierMoment,
): Draft | undefined {
  if (order.tell !== undefined) {
    return call('ValidatorManager', managerContract, 80_000 + 60_000 * order.tell.length, 'tell', [
      order.tell,
    ])
  }
  if (progress < firstShare || isAvoided(effect, progress, gap)) return undefined
  if (state.messenger === undefined) {
    state.messenger = lower(getContractAddress({ from: self, nonce: BigInt(nonce) }))
    return deploy('Messenger', [], 700_000)
  }
  const random = randomOf(seed, plan.key, 'courier', step, order.salt ?? 0)
  return random.chance(chanceOf(chancePerHour, progress, gap))
    ? text(random, plan, state.messenger, nonce)
    : undefined
}

/** Assigns each message to the last suitable block before the P-Chain includes it; payloads by block index. */
export function messagesByBlock(
  plan: ChainPlan,
  timeline: Timeline,
  times: readonly number[],
  messages: readonly ManagerMessage[],
): ReadonlyMap<number, readonly Hex[]> {
  const fitting = times.flatMap((time, index) => {
    const gap = time - (times[index - 1] ?? timeline.start)
    const isFine = !isAvoided(effectAt(plan, timeline, time), progressAt(timeline, time), gap)
    return isFine ? [{ time, index }] : []
  })
  const found = new Map<number, Hex[]>()
  for (const { time, payload } of messages) {
    const place = fitting.findLast((block) => block.time <= time)
    if (place === undefined) continue
    found.set(place.index, [...(found.get(place.index) ?? []), payload])
  }
  return found
}
