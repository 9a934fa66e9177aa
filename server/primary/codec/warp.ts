import { sha256 } from './ids.ts'
import { readL1Owner } from './p-transactions.ts'
import type { L1Owner } from './p-types.ts'
import { Reader, UnknownTypeError } from './reader.ts'

/** What an L1 tells the P-chain in a signed message. */
export type L1Message =
  | {
      readonly type: 'REGISTER'
      /** SHA-256 of the message. */
      readonly validationId: Uint8Array
      readonly subnetId: Uint8Array
      readonly nodeId: Uint8Array
      readonly publicKey: Uint8Array
      readonly expiry: bigint
      readonly remainingBalanceOwner: L1Owner
      readonly deactivationOwner: L1Owner
      readonly weight: bigint
    }
  | {
      readonly type: 'SET_WEIGHT'
      readonly validationId: Uint8Array
      readonly nonce: bigint
      readonly weight: bigint
    }

const addressedCall = 1
const registerType = 1
const setWeightType = 3

/** The message of a RegisterL1ValidatorTx or a SetL1ValidatorWeightTx: signed, addressed. Throws CodecError. */
export function decodeL1Message(bytes: Uint8Array): L1Message {
  const signed = new Reader(bytes)
  signed.version()
  signed.u32()
  signed.id()
  const call = new Reader(signed.blob())
  call.version()
  const at = call.offset
  const kind = call.u32()
  if (kind !== addressedCall) throw new UnknownTypeError(`warp payload type ${kind} is unknown`, at)
  call.blob()
  const payload = call.blob()
  call.end()
  return decodeL1Payload(payload)
}

/** The payload alone, its codec version included. Throws CodecError. */
export function decodeL1Payload(payload: Uint8Array): L1Message {
  const reader = new Reader(payload)
  reader.version()
  const at = reader.offset
  const type = reader.u32()
  if (type !== registerType && type !== setWeightType) {
    throw new UnknownTypeError(`L1 message type ${type} is unknown`, at)
  }
  const message: L1Message =
    type === registerType
      ? {
          type: 'REGISTER',
          validationId: sha256(payload),
          subnetId: reader.id(),
          nodeId: reader.blob(),
          publicKey: reader.fixed(48),
          expiry: reader.u64(),
          remainingBalanceOwner: readL1Owner(reader),
          deactivationOwner: readL1Owner(reader),
          weight: reader.u64(),
        }
      : { type: 'SET_WEIGHT', validationId: reader.id(), nonce: reader.u64(), weight: reader.u64() }
  reader.end()
  return message
}
