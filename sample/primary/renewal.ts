import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { type Owner, type PUnsigned, type AssetOutput } from './transactions.ts'
import { output } from './wallet.ts'
import { LedgerError, type Renewal } from './ledger.ts'
import { restakeOf, type Restaked } from '../../protocol/primary/rewards.ts'
import { maxValidatorStake } from '../../protocol/primary/staking-limits.ts'
import { activate, remove, type StakeOutputs, validatorOf } from './stakers.ts'
import { amountOf, create, type StakerState, type State, type Utxo, zeroId } from './state.ts'

type Unsigned<T extends PUnsigned['type']> = Extract<PUnsigned, { readonly type: T }>

/** The inputs of a transaction's effect on a cycle besides the state. */
type CycleContext = {
  readonly txId: BareHex
  readonly avax: BareHex
  readonly ages: { readonly helicon: number }
}

const oneAvax = 1_000_000_000n
const million = 1_000_000
/**
 * The test network's minimum terms of a validator: stake in nAVAX, share of its delegators' rewards in
 * millionths, seconds.
 */
const least = { stake: oneAvax, shares: 20_000, period: 12 * 3_600 }
const maxPeriod = 365 * 86_400

type RenewalTx = Unsigned<'AddAutoRenewedValidatorTx' | 'SetAutoRenewedValidatorConfigTx'>

/**
 * Throws `LedgerError` with the node's message if the test network does not allow these terms. `time` is the
 * chain's time. Checks that need the state are done when the transaction is applied.
 */
export function expectTerms(
  tx: RenewalTx,
  time: number,
  { avax, ages }: Pick<CycleContext, 'avax' | 'ages'>,
): void {
  if (time < ages.helicon) {
    throw new LedgerError('attempting to use a Helicon-upgrade feature prior to activation')
  }
  const { autoCompoundShares } = tx
  const period = Number(tx.period)
  if (autoCompoundShares > million) {
    throw new LedgerError(`a staker can only restake at most ${million} shares from rewards`)
  }
  if (period > maxPeriod) throw new LedgerError('staking period is too long')
  // A changed configuration may tell the validator to leave.
  const mayEnd = tx.type === 'SetAutoRenewedValidatorConfigTx' && period === 0
  if (period < least.period && !mayEnd) throw new LedgerError('staking period is too short')
  if (tx.type === 'SetAutoRenewedValidatorConfigTx') return
  const { shares, stake } = tx
  if (stake.some(({ assetId }) => assetId !== avax)) throw new LedgerError('invalid staked asset')
  const weight = weightOf(stake)
  if (weight < least.stake) throw new LedgerError('weight of this validator is too low')
  if (weight > maxValidatorStake) throw new LedgerError('weight of this validator is too large')
  if (shares > million) {
    throw new LedgerError(`a staker can only require at most ${million} shares from delegators`)
  }
  if (shares < least.shares) throw new LedgerError('staker charges an insufficient delegation fee')
}

function weightOf(stake: readonly AssetOutput[]): bigint {
  return stake.reduce((sum, { output }) => sum + amountOf(output), 0n)
}

/** Begins the first cycle of an auto-renewed validator. Throws `LedgerError`. */
export function addRenewed(
  state: State,
  tx: Unsigned<'AddAutoRenewedValidatorTx'>,
  context: CycleContext,
): void {
  const { nodeId, autoCompoundShares, shares, signer } = tx
  const period = Number(tx.period)
  if (signer === undefined) throw new LedgerError('missing signer')
  if (nodeId.length !== 40) throw new LedgerError('node id has not 20 bytes')
  const known = validatorOf(state.current, zeroId, nodeId) ?? validatorOf(state.pending, zeroId, nodeId)
  if (known !== undefined) throw new LedgerError('duplicate validator')
  const staker: StakerState = {
    txId: context.txId,
    kind: 'validator',
    isPermissioned: false,
    subnetId: zeroId,
    nodeId,
    start: state.time,
    end: state.time + period,
    weight: weightOf(tx.stake),
    shares,
    signer,
    validationOwner: tx.rewardsOwner,
    delegationOwner: tx.delegationRewardsOwner,
    potentialReward: 0n,
    accruedDelegateeReward: 0n,
    renewal: {
      authority: tx.validatorAuthority,
      autoCompoundShares,
      nextPeriod: period,
      restaked: 0n,
      restakedDelegatee: 0n,
    },
  }
  activate(state, staker, context.ages.helicon)
}

/** Changes the renewal settings of an auto-renewed validator. Throws `LedgerError`. */
export function configureRenewed(state: State, tx: Unsigned<'SetAutoRenewedValidatorConfigTx'>): void {
  const staker = state.current.get(tx.stakingTxId)
  if (staker?.renewal === undefined) throw new LedgerError('invalid staker tx')
  const { autoCompoundShares, period } = tx
  staker.renewal = { ...staker.renewal, autoCompoundShares, nextPeriod: Number(period) }
}

/** The parts of a cycle's rewards that are restaked. If they exceed the maximum stake, both are reduced. */
function restakedOf(
  { potentialReward, accruedDelegateeReward, weight }: StakerState,
  { autoCompoundShares }: Renewal,
): Restaked {
  return restakeOf(potentialReward, accruedDelegateeReward, autoCompoundShares, maxValidatorStake - weight)
}

/**
 * Pays a cycle's rewards under the id of the transaction that ended it: first the validator's own, then those
 * from delegations.
 */
function payCycle(
  state: State,
  { txId, avax }: CycleContext,
  parts: readonly { readonly amount: bigint; readonly owner: Owner | undefined }[],
): void {
  const paid: Utxo[] = []
  for (const { amount, owner } of parts) {
    if (amount === 0n || owner === undefined) continue
    paid.push(create(state, 'P', txId, paid.length, avax, output(avax, amount, owner).output))
  }
  state.rewards.set(txId, paid)
}

/**
 * Ends a cycle of an auto-renewed validator. After a commit the next cycle begins or, if none is set, the
 * validator leaves with everything earned. After an abort it leaves with its earnings before this cycle.
 * `context.txId` is that of the RewardAutoRenewedValidatorTx.
 */
export function endCycle(
  state: State,
  staker: StakerState & { readonly renewal: Renewal },
  { outputs, stake }: StakeOutputs,
  isCommitted: boolean,
  context: CycleContext,
): void {
  const { txId, renewal, potentialReward, accruedDelegateeReward, validationOwner, delegationOwner } = staker
  const pay = (own: bigint, delegatee: bigint): void =>
    payCycle(state, context, [
      { amount: own, owner: validationOwner },
      { amount: delegatee, owner: delegationOwner },
    ])
  if (isCommitted && renewal.nextPeriod > 0) {
    const again = restakedOf(staker, renewal)
    pay(potentialReward - again.own, accruedDelegateeReward - again.fees)
    const next: StakerState = {
      ...staker,
      start: staker.end,
      end: staker.end + renewal.nextPeriod,
      weight: staker.weight + again.own + again.fees,
      potentialReward: 0n,
      accruedDelegateeReward: 0n,
      renewal: {
        ...renewal,
        restaked: renewal.restaked + again.own,
        restakedDelegatee: renewal.restakedDelegatee + again.fees,
      },
    }
    activate(state, next, context.ages.helicon)
    return
  }
  stake.forEach(({ assetId, output: staked }, index) =>
    create(state, 'P', txId, outputs + index, assetId, staked),
  )
  if (!isCommitted) state.supply.set(zeroId, (state.supply.get(zeroId) ?? 0n) - potentialReward)
  pay(
    renewal.restaked + (isCommitted ? potentialReward : 0n),
    renewal.restakedDelegatee + accruedDelegateeReward,
  )
  remove(state, staker)
}
