import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { type Owner, type AssetOutput } from './transactions.ts'
import { output } from './wallet.ts'
import { LedgerError } from './ledger.ts'
import { feesFor, fujiL1Fees, gasFees } from '../../protocol/primary/l1-fees.ts'
import { primaryRewardsAt, rewardOf, splitReward } from '../../protocol/primary/rewards.ts'
import { create, noteWeight, type StakerState, type State, type Utxo, zeroId } from './state.ts'

/** The order of stakers that end at the same time: permissioned ones, then delegators, then validators. */
function rank({ isPermissioned, kind, subnetId }: StakerState): number {
  if (isPermissioned) return 0
  return (kind === 'delegator' ? 1 : 2) + (subnetId === zeroId ? 2 : 0)
}

/** Orders stakers by their end. */
export function byEnd(a: StakerState, b: StakerState): number {
  return a.end - b.end || rank(a) - rank(b) || (a.txId < b.txId ? -1 : 1)
}

/** Orders stakers by their start. */
function byStart(a: StakerState, b: StakerState): number {
  return a.start - b.start || rank(b) - rank(a) || (a.txId < b.txId ? -1 : 1)
}

/** The validator of a node on a subnet, among `stakers`. */
export function validatorOf(
  stakers: ReadonlyMap<BareHex, StakerState>,
  subnetId: BareHex,
  nodeId: BareHex,
): StakerState | undefined {
  for (const staker of stakers.values()) {
    if (staker.kind === 'validator' && staker.subnetId === subnetId && staker.nodeId === nodeId) return staker
  }
  return undefined
}

/**
 * A validator of the primary network also sets its BLS key, or its removal, in the subnets that its node
 * validates.
 */
function noteSets(state: State, staker: StakerState): void {
  noteSet(state, staker)
  if (staker.subnetId !== zeroId || staker.kind !== 'validator') return
  for (const other of state.current.values()) {
    if (other.nodeId === staker.nodeId && other.subnetId !== zeroId) noteSet(state, other)
  }
}

function noteSet(state: State, { subnetId, nodeId }: StakerState): void {
  let weight = 0n
  let publicKey: BareHex | undefined
  for (const staker of state.current.values()) {
    if (staker.nodeId !== nodeId) continue
    if (staker.subnetId === subnetId) weight += staker.weight
    // A subnet's validator signs with its primary network key.
    if (staker.subnetId === zeroId) publicKey ??= staker.signer?.publicKey
  }
  noteWeight(state, subnetId, { key: nodeId, nodeId, weight, publicKey })
}

/**
 * Starts a staking period: its potential reward is minted now. `helicon`: start of that age, Unix seconds.
 */
export function activate(state: State, staker: StakerState, helicon: number): void {
  const rules =
    staker.subnetId === zeroId
      ? primaryRewardsAt(staker.start, helicon)
      : state.subnets.get(staker.subnetId)?.rewards
  const supply = state.supply.get(staker.subnetId)
  if (!staker.isPermissioned && rules !== undefined && supply !== undefined) {
    staker.potentialReward = rewardOf(rules, staker.end - staker.start, staker.weight, supply)
    state.supply.set(staker.subnetId, supply + staker.potentialReward)
  }
  state.current.set(staker.txId, staker)
  noteSets(state, staker)
}

/** Removes a staker; the caller handles payments. A permissioned staker is paid nothing. */
export function remove(state: State, staker: StakerState): void {
  state.current.delete(staker.txId)
  state.pending.delete(staker.txId)
  noteSets(state, staker)
}

/** The next time at which a staker starts or ends; undefined if there is none. */
export function nextChange(state: State): number | undefined {
  let next: number | undefined
  for (const { start } of state.pending.values()) next = Math.min(next ?? start, start)
  for (const { end } of state.current.values()) next = Math.min(next ?? end, end)
  return next
}

/** The staker whose reward has to be decided now. */
export function dueStaker(state: State): StakerState | undefined {
  let due: StakerState | undefined
  for (const staker of state.current.values()) {
    if (staker.isPermissioned || staker.end > state.time) continue
    if (due === undefined || byEnd(staker, due) < 0) due = staker
  }
  return due
}

/** The number of L1 validators that pay the fee. */
export function activeL1(state: State): number {
  let count = 0
  for (const { endFee } of state.l1.values()) if (endFee > 0n) count += 1
  return count
}

/**
 * Advances P's time: stakers start, permissioned ones end, L1 validators pay from the first Etna block on.
 */
export function advanceTime(
  state: State,
  time: number,
  { etna, helicon }: { readonly etna: number; readonly helicon: number },
): void {
  const before = state.time
  if (time < before) throw new LedgerError('chain time cannot go back')
  state.time = time
  const starting = [...state.pending.values()].filter(({ start }) => start <= time).sort(byStart)
  for (const staker of starting) {
    state.pending.delete(staker.txId)
    activate(state, staker, helicon)
  }
  const ended = [...state.current.values()].filter(({ isPermissioned, end }) => isPermissioned && end <= time)
  for (const staker of ended.sort(byEnd)) remove(state, staker)
  // The first Etna block charges the whole time since its parent.
  if (time >= etna) passFees(state, time - before)
}

function passFees(state: State, seconds: number): void {
  const { cost, excess } = feesFor(fujiL1Fees, state.l1Excess, activeL1(state), seconds)
  state.l1Excess = excess
  state.accruedFees += cost
  for (const validator of state.l1.values()) {
    if (validator.endFee === 0n || validator.endFee > state.accruedFees) continue
    // Fees beyond the balance are paid by nobody; the node and the checker count them the same way.
    validator.endFee = 0n
    noteL1(state, validator.validationId)
  }
  const capacity = state.gas.capacity + gasFees.maxPerSecond * BigInt(seconds)
  const spare = state.gas.excess - gasFees.targetPerSecond * BigInt(seconds)
  state.gas = {
    capacity: capacity < gasFees.maxCapacity ? capacity : gasFees.maxCapacity,
    excess: spare > 0n ? spare : 0n,
  }
}

/** Records an L1 validator's weight, key and state in its subnet's log. */
export function noteL1(state: State, validationId: BareHex): void {
  const found = state.l1.get(validationId)
  if (found === undefined) return
  const isActive = found.endFee > 0n
  noteWeight(state, found.subnetId, {
    key: validationId,
    nodeId: isActive ? found.nodeId : undefined,
    weight: found.weight,
    publicKey: isActive ? found.publicKey : undefined,
  })
}

function pay(state: State, txId: BareHex, index: number, asset: BareHex, amount: bigint, owner: Owner): Utxo {
  return create(state, 'P', txId, index, asset, output(asset, amount, owner).output)
}

/** The results of a staking transaction: its number of outputs, and its stake. */
export type StakeOutputs = {
  readonly outputs: number
  readonly stake: readonly AssetOutput[]
}

/**
 * Ends a staking period. The stake is returned under the staking transaction's id; the reward is paid on a
 * commit and subtracted from the supply on an abort: docs/primary.md.
 */
export function endStaking(
  state: State,
  staker: StakerState,
  { outputs, stake }: StakeOutputs,
  isCommitted: boolean,
  cortina: number,
): void {
  state.current.delete(staker.txId)
  stake.forEach(({ assetId, output: staked }, index) =>
    create(state, 'P', staker.txId, outputs + index, assetId, staked),
  )
  const asset = stake[0]?.assetId ?? zeroId
  const paid: Utxo[] = []
  let index = outputs + stake.length
  const put = (amount: bigint, owner: Owner | undefined): void => {
    if (amount === 0n || owner === undefined) return
    paid.push(pay(state, staker.txId, index, asset, amount, owner))
    index += 1
  }
  if (!isCommitted) {
    const supply = state.supply.get(staker.subnetId) ?? 0n
    state.supply.set(staker.subnetId, supply - staker.potentialReward)
  }
  if (staker.kind === 'validator') {
    if (isCommitted) put(staker.potentialReward, staker.validationOwner)
    put(staker.accruedDelegateeReward, staker.delegationOwner)
  } else if (isCommitted) {
    const validator = validatorOf(state.current, staker.subnetId, staker.nodeId)
    const split = splitReward(staker.potentialReward, validator?.shares ?? 0)
    put(split.rest, staker.validationOwner)
    if (validator !== undefined) {
      // Before Cortina, the validator's share was paid together with the delegator's reward.
      if (validator.start >= cortina) validator.accruedDelegateeReward += split.share
      else put(split.share, validator.delegationOwner)
    }
  }
  state.rewards.set(staker.txId, paid)
  noteSets(state, staker)
}
