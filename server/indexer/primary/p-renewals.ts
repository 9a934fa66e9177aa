import type { Utxo } from '../../../protocol/primary/outputs.ts'
import type { PTx, PUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { maxValidatorStake } from '../../../protocol/primary/staking-limits.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import type { RowSink, TxRecord } from './batch/batch.ts'
import { type Place, type Renewal, rewardTypes, type Staker } from './batch/model.ts'
import { amountOf, beginPeriod, endStaker, mint, pay, type StakingFields } from './p-stakers.ts'
import { primarySubnet, type PState } from './p-state.ts'
import { type Restaked, restakeOf } from '../../../protocol/primary/rewards.ts'
import { bytesOfKey, keyOf } from './batch/rows.ts'

type Unsigned<Type extends PUnsigned['type']> = Extract<PUnsigned, { type: Type }>

/** The initial fields of an auto-renewed validator. Its first period begins with the block. */
export function renewedFields(
  unsigned: Unsigned<'AddAutoRenewedValidatorTx'>,
  start: number,
): StakingFields & { readonly renewal: Renewal } {
  const { nodeId, stake, period, shares, signer, rewardsOwner, delegationRewardsOwner } = unsigned
  return {
    isDelegator: false,
    subnet: primarySubnet,
    node: nodeId,
    weight: stake.reduce((sum, { output }) => sum + output.amount, 0n),
    start,
    end: start + Number(period),
    shares,
    signer,
    rewardsOwner,
    delegationRewardsOwner,
    renewal: {
      compoundShares: unsigned.autoCompoundShares,
      nextPeriod: Number(period),
      authorityAddresses: unsigned.validatorAuthority.addresses,
      accrued: 0n,
      accruedFees: 0n,
      pendingFees: 0n,
    },
  }
}

type Renewed = Staker & { readonly renewal: Renewal }

/** The auto-renewed validator that a transaction names; undefined if there is none. */
function renewedOf(state: PState, batch: RowSink, txId: Uint8Array, place: Place): Renewed | undefined {
  const staker = state.stakers.get(keyOf(txId))
  if (staker && isRenewed(staker)) return staker
  batch.odd(place, 'noTarget', `auto-renewed validator ${cb58(txId)}`)
  return undefined
}

const isRenewed = (staker: Staker): staker is Renewed => staker.renewal !== undefined

/** Changes a validator's renewal settings. */
export function configureRenewal(
  state: PState,
  batch: RowSink,
  record: TxRecord,
  place: Place,
  unsigned: Unsigned<'SetAutoRenewedValidatorConfigTx'>,
): void {
  const staker = renewedOf(state, batch, unsigned.stakingTxId, place)
  if (!staker) return
  const { renewal } = staker
  for (const address of renewal.authorityAddresses) record.addresses.add(keyOf(address))
  renewal.compoundShares = unsigned.autoCompoundShares
  renewal.nextPeriod = Number(unsigned.period)
  batch.staker(staker)
}

/** The end of a period of an auto-renewed validator, and the UTXOs that were paid according to the node. */
type PeriodEnding = {
  readonly tx: PTx
  readonly unsigned: Unsigned<'RewardAutoRenewedValidatorTx'>
  readonly isRewarded: boolean
  readonly utxos: readonly Utxo[]
}

const nothingRestaked: Restaked = { own: 0n, fees: 0n }

/**
 * Ends a period of an auto-renewed validator. It is paid the rewards that are not restaked and continues, or
 * leaves with everything accrued. A validator without a reward also leaves, and loses only this period's own
 * reward.
 */
export function settlePeriod(
  state: PState,
  batch: RowSink,
  record: TxRecord,
  place: Place,
  { tx, unsigned, isRewarded, utxos }: PeriodEnding,
): void {
  const staker = renewedOf(state, batch, unsigned.stakingTxId, place)
  if (!staker) return
  const { renewal } = staker
  const own = isRewarded ? (staker.potentialReward ?? 0n) : 0n
  const goesOn = isRewarded && renewal.nextPeriod > 0
  const restaked = goesOn
    ? restakeOf(own, renewal.pendingFees, renewal.compoundShares, maxValidatorStake - staker.weight)
    : nothingRestaked
  const due = goesOn
    ? { own: own - restaked.own, fees: renewal.pendingFees - restaked.fees }
    : { own: own + renewal.accrued, fees: renewal.pendingFees + renewal.accruedFees }
  const leaving = isRewarded ? 'rewarded' : 'unrewarded'
  for (const address of staker.rewardAddresses) record.addresses.add(keyOf(address))
  const paid = payPeriod(state, batch, record, place, staker, due, utxos)
  addCycle(state, batch, place, staker, goesOn ? 'renewed' : leaving, paid, restaked)
  if (!isRewarded) mint(state, batch, staker.subnet, -(staker.potentialReward ?? 0n))
  staker.reward = (staker.reward ?? 0n) + paid.own
  staker.delegationReward = (staker.delegationReward ?? 0n) + paid.fees
  if (!goesOn) {
    endStaker(state, batch, staker, { ...place, txId: tx.id, hasIndex: true }, leaving)
    return
  }
  renewal.accrued += restaked.own
  renewal.accruedFees += restaked.fees
  renewal.pendingFees = 0n
  staker.weight += restaked.own + restaked.fees
  staker.start = staker.end
  staker.end = staker.start + renewal.nextPeriod
  beginPeriod(state, batch, staker)
  batch.restake(staker)
}

/** Pays the nonzero parts in order, as the node has paid them. Returns what was paid. */
function payPeriod(
  state: PState,
  batch: RowSink,
  record: TxRecord,
  place: Place,
  staker: Staker,
  due: Restaked,
  utxos: readonly Utxo[],
): Restaked {
  const parts = [
    { amount: due.own, type: rewardTypes.validator },
    { amount: due.fees, type: rewardTypes.validatorFee },
  ].filter(({ amount }) => amount > 0n)
  const given = utxos.toSorted((a, b) => a.outputIndex - b.outputIndex)
  const told = listed(given.map(amountOf))
  const wanted = listed(parts.map(({ amount }) => amount))
  if (told !== wanted) {
    const name = cb58(bytesOfKey(staker.txId))
    batch.odd(place, 'otherReward', `${name}: ${told} nAVAX at ${staker.end}, by the rules ${wanted}`)
  }
  const paid = { own: 0n, fees: 0n }
  for (const [ordinal, utxo] of given.entries()) {
    const type = parts[ordinal]?.type ?? rewardTypes.validatorFee
    paid[type === rewardTypes.validator ? 'own' : 'fees'] += amountOf(utxo)
    pay(state, batch, record, place, staker, utxo, ordinal, type)
  }
  // The chain has minted what it has paid.
  const more = paid.own + paid.fees - due.own - due.fees
  if (more !== 0n) mint(state, batch, staker.subnet, more)
  return paid
}

const listed = (amounts: readonly bigint[]): string => amounts.join(' and ') || 'nothing'

/** Adds the row of a finished period. */
function addCycle(
  state: PState,
  batch: RowSink,
  { height, index, ts }: Place,
  staker: Staker,
  outcome: string,
  paid: Restaked,
  restaked: Restaked,
): void {
  batch.add('staking_cycles', [
    state.rules.chain,
    height,
    index,
    ts,
    bytesOfKey(staker.txId),
    bytesOfKey(staker.node),
    staker.start,
    staker.end,
    staker.weight,
    staker.potentialReward,
    outcome,
    paid.own,
    paid.fees,
    restaked.own,
    restaked.fees,
  ])
}
