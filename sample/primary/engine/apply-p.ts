import { type PUnsigned, type PTx } from '../transactions.ts'
import { LedgerError } from '../ledger.ts'
import { addRenewed, configureRenewed, endCycle } from '../renewal.ts'
import { activate, endStaking, noteL1, remove, validatorOf } from '../stakers.ts'
import {
  amountOf,
  create,
  type L1State,
  type StakerState,
  type State,
  type SubnetState,
  zeroId,
} from '../state.ts'
import { type BareHex, bytesOf } from '../../../protocol/ids/bare-hex.ts'
import { Flow, type FlowContext } from './flow.ts'
import { output as plainOutput } from '../wallet.ts'
import { conversionId, readL1Message, validationIdOf } from '../warp.ts'

/** The inputs of a transaction's effect besides the state. */
export type PContext = FlowContext & {
  /** Start times of the network's ages, Unix seconds. */
  readonly ages: {
    readonly cortina: number
    readonly durango: number
    readonly etna: number
    readonly helicon: number
  }
  /** The staking transaction with that id. */
  staking(txId: BareHex): PTx
}

type Based = Extract<PUnsigned, { readonly base: unknown }>
type Staking = Extract<Based, { readonly stake: unknown }>
/** Staking transactions with an end time: that of an auto-renewed validator has none. */
type Timed = Exclude<Staking, { readonly type: 'AddAutoRenewedValidatorTx' }>

/**
 * The staking part of a transaction: its outputs and its stake. Throws `LedgerError` for any other
 * transaction.
 */
function stakingOf({ unsigned }: PTx): Staking {
  if (!('stake' in unsigned)) throw new LedgerError('not a staking transaction')
  return unsigned
}

/** Consumes the inputs of `tx` and creates its outputs; returns the remaining AVAX. */
function move(state: State, tx: Based, context: PContext): bigint {
  const flow = new Flow(state, 'P', context)
  flow.take(tx.base.inputs)
  if (tx.type === 'ImportTx') flow.take(tx.importedInputs, tx.sourceChain)
  flow.give(tx.base.outputs)
  if (tx.type === 'ExportTx') flow.give(tx.exportedOutputs, tx.destinationChain)
  if ('stake' in tx) for (const { assetId, output } of tx.stake) flow.add(assetId, -amountOf(output))
  // A remainder of another asset becomes an elastic subnet's reserve, or is burned.
  return flow.left(tx.type === 'TransformSubnetTx')
}

function stake(state: State, tx: Timed, context: PContext): void {
  const { terms } = tx
  const isLate = state.time >= context.ages.durango
  const isDelegator = tx.type === 'AddDelegatorTx' || tx.type === 'AddPermissionlessDelegatorTx'
  const subnetId = 'subnetId' in tx ? tx.subnetId : zeroId
  const validator =
    validatorOf(state.current, subnetId, terms.nodeId) ?? validatorOf(state.pending, subnetId, terms.nodeId)
  if (isDelegator ? validator === undefined : validator !== undefined) {
    throw new LedgerError(isDelegator ? 'not a validator' : 'already a validator')
  }
  const isModern = tx.type === 'AddPermissionlessValidatorTx'
  const staker: StakerState = {
    txId: context.txId,
    kind: isDelegator ? 'delegator' : 'validator',
    isPermissioned: false,
    subnetId,
    nodeId: terms.nodeId,
    start: isLate ? state.time : Number(terms.start),
    end: Number(terms.end),
    weight: terms.weight,
    shares: 'shares' in tx ? tx.shares : undefined,
    signer: isModern ? tx.signer : undefined,
    validationOwner: tx.rewardsOwner,
    delegationOwner: isModern ? tx.delegationRewardsOwner : isDelegator ? undefined : tx.rewardsOwner,
    potentialReward: 0n,
    accruedDelegateeReward: 0n,
  }
  if (staker.end <= staker.start || (validator !== undefined && staker.end > validator.end)) {
    throw new LedgerError('staking period is wrong')
  }
  begin(state, staker, context)
}

function begin(state: State, staker: StakerState, { ages }: PContext): void {
  if (staker.start <= state.time) activate(state, staker, ages.helicon)
  else state.pending.set(staker.txId, staker)
}

function permit(
  state: State,
  tx: Extract<Based, { readonly type: 'AddSubnetValidatorTx' }>,
  context: PContext,
): void {
  const staker: StakerState = {
    txId: context.txId,
    kind: 'validator',
    isPermissioned: true,
    subnetId: tx.subnetId,
    nodeId: tx.terms.nodeId,
    start: state.time >= context.ages.durango ? state.time : Number(tx.terms.start),
    end: Number(tx.terms.end),
    weight: tx.terms.weight,
    shares: undefined,
    signer: undefined,
    validationOwner: undefined,
    delegationOwner: undefined,
    potentialReward: 0n,
    accruedDelegateeReward: 0n,
  }
  begin(state, staker, context)
}

function l1Of(state: State, validationId: BareHex): L1State {
  const found = state.l1.get(validationId)
  if (found === undefined) throw new LedgerError('could not load L1 validator: not found')
  return found
}

function addL1(
  state: State,
  member: Omit<L1State, 'start' | 'minNonce' | 'endFee'> & { readonly balance: bigint },
): void {
  const { balance, ...rest } = member
  const endFee = balance > 0n ? state.accruedFees + balance : 0n
  state.l1.set(rest.validationId, { ...rest, start: state.time, minNonce: 0n, endFee })
  noteL1(state, rest.validationId)
}

/** Refunds the rest of an L1 validator's balance, as the output after the transaction's own outputs. */
function returnBalance(
  state: State,
  validator: L1State,
  outputIndex: number,
  { txId, avax }: PContext,
): void {
  if (validator.endFee === 0n) return
  const left = validator.endFee - state.accruedFees
  validator.endFee = 0n
  const { assetId, output } = plainOutput(avax, left, validator.remainingBalanceOwner)
  create(state, 'P', txId, outputIndex, assetId, output)
}

function nodeIdOf20(hex: BareHex): BareHex {
  if (hex.length !== 40) throw new LedgerError('node id has not 20 bytes')
  return hex
}

/** Applies `tx`. Throws `LedgerError` if it is invalid; the state must not be used afterwards. */
export function applyP(state: State, { unsigned: tx }: PTx, context: PContext): void {
  if (!('base' in tx)) throw new LedgerError('this transaction is for block builders')
  let left = move(state, tx, context)
  const { txId } = context
  switch (tx.type) {
    case 'AddValidatorTx':
    case 'AddDelegatorTx':
    case 'AddPermissionlessValidatorTx':
    case 'AddPermissionlessDelegatorTx':
      stake(state, tx, context)
      break
    case 'AddAutoRenewedValidatorTx':
      addRenewed(state, tx, context)
      break
    case 'SetAutoRenewedValidatorConfigTx':
      configureRenewed(state, tx)
      break
    case 'AddSubnetValidatorTx':
      permit(state, tx, context)
      break
    case 'RemoveSubnetValidatorTx': {
      const found =
        validatorOf(state.current, tx.subnetId, tx.nodeId) ??
        validatorOf(state.pending, tx.subnetId, tx.nodeId)
      if (found === undefined || !found.isPermissioned) throw new LedgerError('not a validator')
      remove(state, found)
      break
    }
    case 'CreateSubnetTx':
      state.subnets.set(txId, {
        id: txId,
        owner: tx.owner,
        transformTxId: undefined,
        conversion: undefined,
        rewards: undefined,
        asset: undefined,
      })
      break
    case 'CreateChainTx':
      state.chains.push({ id: txId, name: tx.chainName, subnetId: tx.subnetId, vmId: tx.vmId })
      break
    case 'TransferSubnetOwnershipTx':
      changeSubnet(state, tx.subnetId, { owner: tx.owner })
      break
    case 'TransformSubnetTx':
      changeSubnet(state, tx.subnetId, {
        transformTxId: txId,
        asset: tx.assetId,
        rewards: {
          cap: tx.maximumSupply,
          minRate: tx.minConsumptionRate,
          maxRate: tx.maxConsumptionRate,
        },
      })
      state.supply.set(tx.subnetId, tx.initialSupply)
      break
    case 'ConvertSubnetToL1Tx': {
      changeSubnet(state, tx.subnetId, {
        conversion: {
          id: conversionId(tx.subnetId, tx.managerChainId, tx.managerAddress, tx.validators),
          managerChainId: tx.managerChainId,
          managerAddress: tx.managerAddress,
        },
      })
      tx.validators.forEach((member, index) => {
        addL1(state, {
          validationId: validationIdOf(tx.subnetId, index),
          subnetId: tx.subnetId,
          nodeId: nodeIdOf20(member.nodeId),
          publicKey: member.signer.publicKey,
          remainingBalanceOwner: { locktime: 0n, ...member.remainingBalanceOwner },
          deactivationOwner: { locktime: 0n, ...member.deactivationOwner },
          weight: member.weight,
          balance: member.balance,
        })
        left -= member.balance
      })
      break
    }
    case 'RegisterL1ValidatorTx': {
      const { message, id } = readL1Message(bytesOf(tx.message))
      if (message.type !== 'RegisterL1Validator') throw new LedgerError('not a registration')
      addL1(state, {
        validationId: id,
        subnetId: message.subnetId,
        nodeId: nodeIdOf20(message.nodeId),
        publicKey: message.publicKey,
        remainingBalanceOwner: { locktime: 0n, ...message.remainingBalanceOwner },
        deactivationOwner: { locktime: 0n, ...message.disableOwner },
        weight: message.weight,
        balance: tx.balance,
      })
      left -= tx.balance
      break
    }
    case 'SetL1ValidatorWeightTx': {
      const { message } = readL1Message(bytesOf(tx.message))
      if (message.type !== 'L1ValidatorWeight') throw new LedgerError('not a weight')
      const validator = l1Of(state, message.validationId)
      if (message.nonce < validator.minNonce) throw new LedgerError('warp message contains stale nonce')
      validator.minNonce = message.nonce + 1n
      validator.weight = message.weight
      if (message.weight > 0n) noteL1(state, validator.validationId)
      else {
        returnBalance(state, validator, tx.base.outputs.length, context)
        noteL1(state, validator.validationId)
        state.l1.delete(validator.validationId)
      }
      break
    }
    case 'IncreaseL1ValidatorBalanceTx': {
      const validator = l1Of(state, tx.validationId)
      const wasActive = validator.endFee > 0n
      validator.endFee = (wasActive ? validator.endFee : state.accruedFees) + tx.balance
      if (!wasActive) noteL1(state, tx.validationId)
      left -= tx.balance
      break
    }
    case 'DisableL1ValidatorTx': {
      const validator = l1Of(state, tx.validationId)
      returnBalance(state, validator, tx.base.outputs.length, context)
      noteL1(state, tx.validationId)
      break
    }
    default:
  }
  if (left < 0n) throw new LedgerError('insufficient funds')
  state.burned.P += left
}

function changeSubnet(
  state: State,
  id: BareHex,
  change: Partial<Pick<SubnetState, 'owner' | 'transformTxId' | 'asset' | 'rewards' | 'conversion'>>,
): void {
  const subnet = state.subnets.get(id)
  if (subnet === undefined) throw new LedgerError('subnet not found')
  state.subnets.set(id, { ...subnet, ...change })
}

/**
 * Decides a RewardValidatorTx or a RewardAutoRenewedValidatorTx with the id `context.txId`: pays the reward
 * on a commit, and returns the stake of a validator that leaves.
 */
export function applyReward(
  state: State,
  stakingTxId: BareHex,
  isCommitted: boolean,
  context: PContext,
): void {
  const staker = state.current.get(stakingTxId)
  if (staker === undefined) throw new LedgerError('staker not found')
  const tx = stakingOf(context.staking(stakingTxId))
  const outputs = { outputs: tx.base.outputs.length, stake: tx.stake }
  if (staker.renewal === undefined) endStaking(state, staker, outputs, isCommitted, context.ages.cortina)
  else endCycle(state, { ...staker, renewal: staker.renewal }, outputs, isCommitted, context)
}
