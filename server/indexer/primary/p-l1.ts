import { cb58 } from '../../../protocol/ids/text.ts'
import type { RowSink } from './batch/batch.ts'
import { convertedValidationId } from '../../../protocol/native/hashes.ts'
import type { PTx, PUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { decodeL1Message } from '../../../protocol/warp/l1-messages.ts'
import { feesFor } from '../../../protocol/primary/l1-fees.ts'
import type { L1Validator, Place } from './batch/model.ts'
import type { PState } from './p-state.ts'
import { bytesOfKey, keyOf } from './batch/rows.ts'

/** The unsigned transaction of a type. */
type Of<Type extends PUnsigned['type']> = Extract<PUnsigned, { type: Type }>

export type Refund = { readonly owner: L1Validator['remainingOwner']; readonly amount: bigint }

/** Charges the L1 validators up to `time`. Those whose balance is exhausted become inactive. */
export function chargeL1(state: PState, batch: RowSink, time: number, place: Place): void {
  const { rules } = state
  if (time < rules.upgrades.etna) return
  const { cost, excess } = feesFor(rules.l1Fees, state.l1Excess, state.activeL1, time - state.time)
  state.accruedFees += cost
  state.l1Excess = excess
  if (state.nextEndFee === undefined || state.nextEndFee > state.accruedFees) return
  state.nextEndFee = undefined
  for (const validator of state.l1.values()) {
    if (validator.endFee === undefined) continue
    if (validator.endFee > state.accruedFees) {
      state.watchL1(validator)
      continue
    }
    validator.endFee = undefined
    state.activeL1 -= 1
    batch.l1Validator(validator)
    noteChange(state, batch, validator, { ...place, index: noTransaction }, 0n, undefined)
  }
}

/** The index for effects of the block itself, not of a transaction. */
const noTransaction = -1

/** Adds the validators of a subnet conversion. */
export function convertSubnet(
  state: PState,
  batch: RowSink,
  tx: PTx,
  unsigned: Of<'ConvertSubnetToL1Tx'>,
  place: Place,
): void {
  const subnet = state.subnets.get(keyOf(unsigned.subnetId))
  if (subnet) {
    subnet.conversion = {
      txId: tx.id,
      ts: place.ts,
      chain: unsigned.managerChainId,
      address: unsigned.managerAddress,
    }
    batch.subnet(subnet)
  } else batch.odd(place, 'noTarget', `subnet ${cb58(unsigned.subnetId)}`)
  for (const [ordinal, each] of unsigned.validators.entries()) {
    addValidator(state, batch, tx, place, {
      ordinal,
      validationId: keyOf(convertedValidationId(unsigned.subnetId, ordinal)),
      subnet: keyOf(unsigned.subnetId),
      node: each.nodeId,
      blsKey: each.signer.publicKey,
      remainingOwner: each.remainingBalanceOwner,
      deactivationOwner: each.deactivationOwner,
      weight: each.weight,
      balance: each.balance,
    })
  }
}

/** Adds the validator that an L1's message registers. */
export function registerL1(
  state: PState,
  batch: RowSink,
  tx: PTx,
  unsigned: Of<'RegisterL1ValidatorTx'>,
  place: Place,
): void {
  const message = decodeL1Message(unsigned.message)
  if (message.type !== 'REGISTER') {
    batch.odd(place, 'misplaced', `a registration with a message ${message.type}`)
    return
  }
  addValidator(state, batch, tx, place, {
    ordinal: 0,
    validationId: keyOf(message.validationId),
    subnet: keyOf(message.subnetId),
    node: message.nodeId,
    blsKey: message.publicKey,
    remainingOwner: message.remainingBalanceOwner,
    deactivationOwner: message.deactivationOwner,
    weight: message.weight,
    balance: unsigned.balance,
  })
}

type NewValidator = Pick<
  L1Validator,
  | 'ordinal'
  | 'validationId'
  | 'subnet'
  | 'node'
  | 'blsKey'
  | 'remainingOwner'
  | 'deactivationOwner'
  | 'weight'
> & { readonly balance: bigint }

function addValidator(state: PState, batch: RowSink, tx: PTx, place: Place, made: NewValidator): void {
  const { balance, ...fields } = made
  if (state.l1.has(made.validationId)) return
  const validator: L1Validator = {
    ...fields,
    height: place.height,
    index: place.index,
    ts: place.ts,
    txId: tx.id,
    minNonce: 0n,
    endFee: balance > 0n ? balance + state.accruedFees : undefined,
    removedTs: undefined,
  }
  if (validator.endFee !== undefined) state.activeL1 += 1
  state.l1.set(validator.validationId, validator)
  state.watchL1(validator)
  batch.l1Validator(validator, true)
  noteChange(state, batch, validator, place, balance, tx)
}

/** Sets a new weight. Weight 0 removes the validator and refunds the rest of its balance. */
export function setL1Weight(
  state: PState,
  batch: RowSink,
  tx: PTx,
  unsigned: Of<'SetL1ValidatorWeightTx'>,
  place: Place,
): Refund | undefined {
  const message = decodeL1Message(unsigned.message)
  if (message.type !== 'SET_WEIGHT') {
    batch.odd(place, 'misplaced', `a change of weight with a message ${message.type}`)
    return undefined
  }
  const validator = known(state, batch, message.validationId, place)
  if (!validator) return undefined
  validator.minNonce = message.nonce + 1n
  validator.weight = message.weight
  const refund = message.weight === 0n ? deactivate(state, validator) : undefined
  if (message.weight === 0n) {
    validator.removedTs = place.ts
    state.l1.delete(validator.validationId)
  }
  batch.l1Validator(validator)
  noteChange(state, batch, validator, place, -(refund?.amount ?? 0n), tx)
  return refund
}

/** Adds to a validator's balance, which reactivates an inactive validator. */
export function increaseL1(
  state: PState,
  batch: RowSink,
  tx: PTx,
  unsigned: Of<'IncreaseL1ValidatorBalanceTx'>,
  place: Place,
): void {
  const validator = known(state, batch, unsigned.validationId, place)
  if (!validator) return
  if (validator.endFee === undefined) state.activeL1 += 1
  validator.endFee = (validator.endFee ?? state.accruedFees) + unsigned.balance
  state.watchL1(validator)
  batch.l1Validator(validator)
  noteChange(state, batch, validator, place, unsigned.balance, tx)
}

/** Makes a validator inactive and refunds the rest of its balance. */
export function disableL1(
  state: PState,
  batch: RowSink,
  tx: PTx,
  unsigned: Of<'DisableL1ValidatorTx'>,
  place: Place,
): Refund | undefined {
  const validator = known(state, batch, unsigned.validationId, place)
  if (!validator) return undefined
  const refund = deactivate(state, validator)
  batch.l1Validator(validator)
  noteChange(state, batch, validator, place, -(refund?.amount ?? 0n), tx)
  return refund
}

function deactivate(state: PState, validator: L1Validator): Refund | undefined {
  if (validator.endFee === undefined) return undefined
  const amount = validator.endFee - state.accruedFees
  validator.endFee = undefined
  state.activeL1 -= 1
  return { owner: validator.remainingOwner, amount }
}

/** The validator that a transaction changes; undefined if nobody made it. */
function known(
  state: PState,
  batch: RowSink,
  validationId: Uint8Array,
  place: Place,
): L1Validator | undefined {
  const validator = state.l1.get(keyOf(validationId))
  if (!validator) batch.odd(place, 'noTarget', `L1 validator ${cb58(validationId)}`)
  return validator
}

function noteChange(
  state: PState,
  batch: RowSink,
  validator: L1Validator,
  place: Place,
  change: bigint,
  tx: PTx | undefined,
): void {
  const { validationId, weight, endFee } = validator
  const balance = endFee === undefined ? 0n : endFee - state.accruedFees
  batch.add('l1_validator_changes', [
    state.rules.chain,
    place.height,
    place.index,
    place.ts,
    bytesOfKey(validationId),
    tx?.id,
    tx?.typeId,
    weight,
    change,
    balance,
    endFee,
  ])
}
