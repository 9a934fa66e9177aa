import type { PIn, PTx, PUnsigned, POut } from '../codec/types.ts'
import type { ChainName, Hex } from '../ledger.ts'
import { LedgerError } from '../ledger.ts'
import { addRenewed, configureRenewed, endCycle } from '../renewal.ts'
import { activate, endStaking, noteL1, remove, validatorOf } from '../stakers.ts'
import type { L1State, StakerState, State, SubnetState } from '../state.ts'
import { zeroId, amountOf, consume, create, keyOnly, ownerWithout } from '../state.ts'
import { conversionId, readL1Message, validationIdOf } from '../warp.ts'

/** What a transaction's effect depends on besides the state. */
export type PContext = {
  readonly txId: Hex
  /** When the ages of the network begin, Unix seconds. */
  readonly ages: {
    readonly cortina: number
    readonly durango: number
    readonly etna: number
    readonly helicon: number
  }
  readonly avax: Hex
  readonly ids: Readonly<Record<Hex, ChainName>>
  /** The staking transaction of that id. */
  staking(txId: Hex): PTx
}

type Based = Extract<PUnsigned, { readonly ins: readonly PIn[] }>
type Staking = Extract<Based, { readonly stake: readonly POut[] }>
/** Those that say how long: an auto-renewed validator's own transaction does not say when it ends. */
type Timed = Exclude<Staking, { readonly type: 'AddAutoRenewedValidatorTx' }>

/** The outputs of a staking transaction, before and behind the stake. Throws `LedgerError` for any other. */
export function stakingOf({ unsigned }: PTx): Staking {
  if (!('stake' in unsigned)) throw new LedgerError('not a staking transaction')
  return unsigned
}

function chainNamed(context: PContext, id: Hex): ChainName {
  const name = context.ids[id]
  if (name === undefined || name === 'P') throw new LedgerError('unknown chain')
  return name
}

/** Takes the inputs and puts the outputs of `tx`; returns the AVAX that is left over. */
function move(state: State, tx: Based, context: PContext): bigint {
  const { txId, avax } = context
  const sums = new Map<Hex, bigint>()
  const add = (asset: Hex, amount: bigint): void => void sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  const take = (ins: readonly PIn[], from: 'P' | 'P<X' | 'P<C'): void => {
    for (const each of ins) {
      const utxo = consume(state, from, each.txId, each.index)
      const claimed = each.input.type === 'stakeable' ? each.input.input.amount : each.input.amount
      if (claimed !== amountOf(utxo.output) || each.asset !== utxo.asset) {
        throw new LedgerError('input does not match its UTXO')
      }
      add(utxo.asset, amountOf(utxo.output))
    }
  }
  take(tx.ins, 'P')
  if (tx.type === 'ImportTx') take(tx.imported, `P<${chainNamed(context, tx.source)}` as 'P<X')
  tx.outs.forEach(({ asset, output }, index) => {
    create(state, 'P', txId, index, asset, output)
    add(asset, -amountOf(output))
  })
  if (tx.type === 'ExportTx') {
    const destination = chainNamed(context, tx.destination)
    tx.exported.forEach(({ asset, output }, index) => {
      create(state, `${destination}<P`, txId, tx.outs.length + index, asset, output)
      add(asset, -amountOf(output))
    })
  }
  if ('stake' in tx) for (const { asset, output } of tx.stake) add(asset, -amountOf(output))
  for (const [asset, sum] of sums) {
    if (sum < 0n) throw new LedgerError('insufficient funds: flow check failed')
    // What is left of another asset went into an elastic subnet's reserve, or was burned.
    if (asset !== avax && sum > 0n && tx.type !== 'TransformSubnetTx') {
      throw new LedgerError('only AVAX pays fees')
    }
  }
  return sums.get(avax) ?? 0n
}

function stake(state: State, tx: Timed, context: PContext): void {
  const isLate = state.time >= context.ages.durango
  const isDelegator = tx.type === 'AddDelegatorTx' || tx.type === 'AddPermissionlessDelegatorTx'
  const subnetId = 'subnetId' in tx ? tx.subnetId : zeroId
  const validator =
    validatorOf(state.current, subnetId, tx.nodeId) ?? validatorOf(state.pending, subnetId, tx.nodeId)
  if (isDelegator ? validator === undefined : validator !== undefined) {
    throw new LedgerError(isDelegator ? 'not a validator' : 'already a validator')
  }
  const isModern = tx.type === 'AddPermissionlessValidatorTx'
  const staker: StakerState = {
    txId: context.txId,
    kind: isDelegator ? 'delegator' : 'validator',
    isPermissioned: false,
    subnetId,
    nodeId: tx.nodeId,
    start: isLate ? state.time : tx.start,
    end: tx.end,
    weight: tx.weight,
    shares: 'shares' in tx ? tx.shares : undefined,
    signer: isModern && tx.signer.type === 'bls' ? keyOnly(tx.signer) : undefined,
    validationOwner: ownerWithout(isModern ? tx.validationOwner : tx.owner),
    delegationOwner: isDelegator ? undefined : ownerWithout(isModern ? tx.delegationOwner : tx.owner),
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
    nodeId: tx.nodeId,
    start: state.time >= context.ages.durango ? state.time : tx.start,
    end: tx.end,
    weight: tx.weight,
    shares: undefined,
    signer: undefined,
    validationOwner: undefined,
    delegationOwner: undefined,
    potentialReward: 0n,
    accruedDelegateeReward: 0n,
  }
  begin(state, staker, context)
}

function l1Of(state: State, validationId: Hex): L1State {
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

/** Gives back what is left of an L1 validator's balance, as the output after the transaction's own. */
function returnBalance(state: State, validator: L1State, outs: number, { txId, avax }: PContext): void {
  if (validator.endFee === 0n) return
  const left = validator.endFee - state.accruedFees
  validator.endFee = 0n
  const { remainingBalanceOwner } = validator
  create(state, 'P', txId, outs, avax, { type: 'transfer', amount: left, ...remainingBalanceOwner })
}

function nodeIdOf20(hex: Hex): Hex {
  if (hex.length !== 40) throw new LedgerError('node id has not 20 bytes')
  return hex
}

/** Makes `tx` take effect. Throws `LedgerError` when it cannot; the state is then no longer to be used. */
export function applyP(state: State, { unsigned: tx }: PTx, context: PContext): void {
  if (!('ins' in tx)) throw new LedgerError('this transaction is for block builders')
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
        owner: ownerWithout(tx.owner),
        transformTxId: undefined,
        conversion: undefined,
        rewards: undefined,
        asset: undefined,
      })
      break
    case 'CreateChainTx':
      state.chains.push({ id: txId, name: tx.name, subnetId: tx.subnetId, vmId: tx.vmId })
      break
    case 'TransferSubnetOwnershipTx':
      changeSubnet(state, tx.subnetId, { owner: ownerWithout(tx.owner) })
      break
    case 'TransformSubnetTx':
      changeSubnet(state, tx.subnetId, {
        transformTxId: txId,
        asset: tx.asset,
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
      const { message, id } = readL1Message(tx.message)
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
      const { message } = readL1Message(tx.message)
      if (message.type !== 'L1ValidatorWeight') throw new LedgerError('not a weight')
      const validator = l1Of(state, message.validationId)
      if (message.nonce < validator.minNonce) throw new LedgerError('warp message contains stale nonce')
      validator.minNonce = message.nonce + 1n
      validator.weight = message.weight
      if (message.weight > 0n) noteL1(state, validator.validationId)
      else {
        returnBalance(state, validator, tx.outs.length, context)
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
      returnBalance(state, validator, tx.outs.length, context)
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
  id: Hex,
  change: Partial<Pick<SubnetState, 'owner' | 'transformTxId' | 'asset' | 'rewards' | 'conversion'>>,
): void {
  const subnet = state.subnets.get(id)
  if (subnet === undefined) throw new LedgerError('subnet not found')
  state.subnets.set(id, { ...subnet, ...change })
}

/**
 * Decides a RewardValidatorTx, or the end of an auto-renewed validator's cycle, of which `context.txId` is the id: pays
 * or does not pay, and returns the stake of those who leave.
 */
export function applyReward(state: State, stakerTxId: Hex, isCommitted: boolean, context: PContext): void {
  const staker = state.current.get(stakerTxId)
  if (staker === undefined) throw new LedgerError('staker not found')
  const tx = stakingOf(context.staking(stakerTxId))
  const outputs = { outs: tx.outs.length, stake: tx.stake }
  if (staker.renewal === undefined) endStaking(state, staker, outputs, isCommitted, context.ages.cortina)
  else endCycle(state, { ...staker, renewal: staker.renewal }, outputs, isCommitted, context)
}
