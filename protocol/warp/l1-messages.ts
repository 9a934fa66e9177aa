import { decodeL1Payload, registeredValidationId } from './l1-payloads.ts'
import type { L1Owner } from '../primary/p-transactions.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'
import { decodePayload, readUnsigned } from './warp-messages.ts'

/** The content of a signed message from an L1 to the P-Chain. */
type L1Message =
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

/**
 * Decodes the message of a RegisterL1ValidatorTx or a SetL1ValidatorWeightTx: signature, addressed call,
 * payload. Throws CodecError.
 */
export function decodeL1Message(bytes: Uint8Array): L1Message {
  const call = decodePayload(readUnsigned(new Reader(bytes)).payload)
  if (call.kind !== 'AddressedCall') throw new UnknownTypeError(`a ${call.kind} is not a message of an L1`, 0)
  const said = decodeL1Payload(call.payload)
  switch (said.type) {
    case 'RegisterL1Validator': {
      const { disableOwner: deactivationOwner, ...rest } = said
      const validationId = registeredValidationId(call.payload)
      return { ...rest, type: 'REGISTER', validationId, deactivationOwner }
    }
    case 'L1ValidatorWeight':
      return { ...said, type: 'SET_WEIGHT' }
    default:
      throw new UnknownTypeError(`an L1 does not tell the P-Chain a ${said.type}`, 0)
  }
}
