import { FatalError } from '../../kernel/errors.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import type { RowSink, TxRecord } from './batch/batch.ts'
import type { Owner, Utxo } from '../../../protocol/primary/outputs.ts'
import type { ProofOfPossession, PTx } from '../../../protocol/primary/p-transactions.ts'
import { type Place, type Renewal, rewardTypes, type Staker } from './batch/model.ts'
import { pTxTypeIds } from '../../../protocol/primary/transaction-types.ts'
import { primarySubnet, type PState } from './p-state.ts'
import { primaryRewardsAt, rewardOf, splitReward } from '../../../protocol/primary/rewards.ts'
import { bytesOfKey, keyOf } from './batch/rows.ts'
import { utxoRow } from './batch/utxos.ts'

/** The common fields of all staking transactions. */
export type StakingFields = {
  readonly isDelegator: boolean
  readonly subnet: string
  readonly node: Uint8Array
  readonly weight: bigint
  readonly start: number
  readonly end: number
  readonly shares?: number
  readonly signer?: ProofOfPossession | undefined
  readonly rewardsOwner?: Owner
  readonly delegationRewardsOwner?: Owner
  readonly renewal?: Renewal
}

/** Adds a validator or a delegator. With `isCurrent`, its period begins with the block. */
export function addStaker(
  state: PState,
  batch: RowSink,
  tx: PTx,
  place: Place,
  fields: StakingFields,
  isCurrent: boolean,
): Staker {
  const node = keyOf(fields.node)
  const validator = fields.isDelegator ? state.validatorFor(fields.subnet, node, fields.end) : undefined
  const staker: Staker = {
    height: place.height,
    index: place.index,
    txId: keyOf(tx.id),
    typeId: tx.typeId,
    isDelegator: fields.isDelegator,
    subnet: fields.subnet,
    node,
    weight: fields.weight,
    start: fields.start,
    end: fields.end,
    shares: fields.shares,
    blsKey: fields.signer?.publicKey,
    blsProof: fields.signer?.proof,
    validatorTx: validator?.txId,
    rewardAddresses: fields.rewardsOwner?.addresses ?? [],
    delegationRewardAddresses: fields.delegationRewardsOwner?.addresses ?? [],
    potentialReward: undefined,
    isCurrent: false,
    delegatorCount: 0,
    delegated: 0n,
    ended: undefined,
    outcome: undefined,
    reward: undefined,
    delegationReward: undefined,
    renewal: fields.renewal,
  }
  // A transaction that was accepted before (docs/indexer.md, "Accepted history") makes no second staker.
  const known = state.stakers.get(staker.txId)
  if (known) return known
  state.addStaker(staker)
  batch.staker(staker, true)
  if (validator) {
    validator.delegatorCount += 1
    validator.delegated += staker.weight
    batch.staker(validator)
  }
  if (isCurrent) beginPeriod(state, batch, staker)
  return staker
}

/** Begins a staker's period: its potential reward counts as minted from now on. */
export function beginPeriod(state: PState, batch: RowSink, staker: Staker): void {
  staker.isCurrent = true
  state.watch(staker)
  batch.staker(staker)
  if (staker.typeId === pTxTypeIds.AddSubnetValidatorTx) return
  const rules =
    staker.subnet === primarySubnet
      ? primaryRewardsAt(staker.start, state.rules.upgrades.helicon)
      : state.subnets.get(staker.subnet)?.elastic
  if (!rules) {
    // Undefined would mean that the period has not begun.
    staker.potentialReward = 0n
    batch.odd(staker, 'noTarget', `reward rules of subnet ${cb58(bytesOfKey(staker.subnet))}`)
    return
  }
  const reward = rewardOf(rules, staker.end - staker.start, staker.weight, state.supplyOf(staker.subnet))
  staker.potentialReward = reward
  mint(state, batch, staker.subnet, reward)
}

/** Changes the supply of a subnet by the rewards of its stakers. */
export function mint(state: PState, batch: RowSink, subnet: string, amount: bigint): void {
  if (subnet === primarySubnet) {
    state.supply += amount
    return
  }
  const row = state.subnets.get(subnet)
  if (!row?.elastic) throw new FatalError(`subnet ${subnet} has no supply`)
  row.elastic.supply += amount
  batch.subnet(row)
}

/** The order of pending stakers that start at the same time, by transaction type and network. */
function priorityOf({ typeId, subnet }: Staker): number {
  const isPrimary = subnet === primarySubnet
  switch (typeId) {
    case pTxTypeIds.AddDelegatorTx:
      return 1
    case pTxTypeIds.AddValidatorTx:
      return 2
    case pTxTypeIds.AddPermissionlessValidatorTx:
      return isPrimary ? 2 : 4
    case pTxTypeIds.AddPermissionlessDelegatorTx:
      return isPrimary ? 3 : 5
    default:
      return 6
  }
}

/** Begins the periods that start by `time`, and ends those of permissioned validators that end by `time`. */
export function advanceStakers(state: PState, batch: RowSink, time: number, place: Place): void {
  if (time < state.nextChange) return
  const begin = [...state.timed].filter((each) => !each.isCurrent && each.start <= time)
  const end = [...state.timed].filter((each) => each.isCurrent && each.end <= time)
  begin.sort((a, b) => a.start - b.start || priorityOf(a) - priorityOf(b) || (a.txId < b.txId ? -1 : 1))
  for (const staker of begin) beginPeriod(state, batch, staker)
  for (const staker of end) {
    endStaker(
      state,
      batch,
      staker,
      { ...place, ts: staker.end, txId: undefined, hasIndex: false },
      'unrewarded',
    )
  }
  state.nextChange = Infinity
  for (const staker of state.timed) state.watch(staker)
}

/** Removes a staker from the sets. */
export function endStaker(
  state: PState,
  batch: RowSink,
  staker: Staker,
  ended: NonNullable<Staker['ended']>,
  outcome: NonNullable<Staker['outcome']>,
): void {
  staker.ended = ended
  staker.outcome = outcome
  state.dropStaker(staker)
  batch.staker(staker)
  const validator = staker.validatorTx === undefined ? undefined : state.stakers.get(staker.validatorTx)
  if (!validator) return
  validator.delegatorCount -= 1
  validator.delegated -= staker.weight
  batch.staker(validator)
}

/** The end of a staking period: which staker, whether it was rewarded, and the UTXOs reported by the node. */
type Ending = {
  readonly stakingTxId: Uint8Array
  readonly rewardTx: PTx
  readonly isRewarded: boolean
  readonly utxos: readonly Utxo[]
}

/** Ends the period of a staker that could earn a reward, and records the payments. */
export function settleStaker(
  state: PState,
  batch: RowSink,
  record: TxRecord,
  place: Place,
  ending: Ending,
): void {
  const staker = state.stakers.get(keyOf(ending.stakingTxId))
  if (!staker) {
    batch.odd(place, 'noTarget', `staker ${cb58(ending.stakingTxId)}`)
    const origin = { ...place, chain: state.rules.chain, home: state.rules.chain }
    for (const utxo of ending.utxos)
      batch.create(utxoRow({ ...origin, txId: utxo.txId }, utxo.outputIndex, utxo), record)
    return
  }
  const { isRewarded } = ending
  for (const address of staker.rewardAddresses) record.addresses.add(keyOf(address))
  if (!isRewarded) mint(state, batch, staker.subnet, -(staker.potentialReward ?? 0n))
  const validator = staker.validatorTx === undefined ? undefined : state.stakers.get(staker.validatorTx)
  const utxos = ending.utxos.toSorted((a, b) => a.outputIndex - b.outputIndex)
  const due = isRewarded ? ownReward(staker, validator) : 0n
  const own = due === 0n ? 0n : amountOf(utxos[0])
  if (own !== due) {
    batch.odd(place, 'otherReward', `${cb58(ending.stakingTxId)}: ${own} nAVAX, by the rules ${due}`)
    // The chain has minted what it has paid.
    mint(state, batch, staker.subnet, own - due)
  }
  if (isRewarded) staker.reward = own
  if (isRewarded && validator?.renewal) {
    validator.renewal.pendingFees += (staker.potentialReward ?? 0n) - due
    batch.staker(validator)
  }
  for (const [ordinal, utxo] of utxos.entries()) {
    const isOwn = ordinal === 0 && own > 0n
    const amount = amountOf(utxo)
    const payee = isOwn || !staker.isDelegator ? staker : validator
    if (!isOwn && payee) {
      payee.delegationReward = (payee.delegationReward ?? 0n) + amount
      batch.staker(payee)
    }
    const type = !isOwn
      ? rewardTypes.validatorFee
      : staker.isDelegator
        ? rewardTypes.delegator
        : rewardTypes.validator
    pay(state, batch, record, place, staker, utxo, ordinal, type)
  }
  endStaker(
    state,
    batch,
    staker,
    { ...place, txId: ending.rewardTx.id, hasIndex: true },
    isRewarded ? 'rewarded' : 'unrewarded',
  )
}

/** The staker's own reward by the rules, after its validator's share. A delegation without a validator has none to share. */
function ownReward(staker: Staker, validator: Staker | undefined): bigint {
  const potential = staker.potentialReward ?? 0n
  return staker.isDelegator ? splitReward(potential, validator?.shares ?? 0).rest : potential
}

/** The amount of a reward; 0 if there is none, or if its UTXO holds no amount. */
export function amountOf(utxo: Utxo | undefined): bigint {
  return utxo?.output.type === 'TRANSFER' ? utxo.output.amount : 0n
}

/** Records a reward and the UTXO that paid it. */
export function pay(
  state: PState,
  batch: RowSink,
  record: TxRecord,
  place: Place,
  staker: Staker,
  utxo: Utxo,
  ordinal: number,
  type: number,
): void {
  const { chain } = state.rules
  const origin = { ...place, chain, home: chain, txId: utxo.txId }
  const row = utxoRow(origin, utxo.outputIndex, utxo, { rewardType: type })
  batch.create(row, record)
  batch.add('rewards', [
    chain,
    place.height,
    place.index,
    ordinal,
    place.ts,
    bytesOfKey(staker.txId),
    bytesOfKey(staker.node),
    type,
    row.amount,
    utxo.outputIndex,
    row.utxoId,
    row.owners,
  ])
  for (const owner of new Set(row.owners.map(keyOf))) {
    batch.add('reward_owners', [chain, bytesOfKey(owner), place.height, place.index, ordinal])
  }
}
