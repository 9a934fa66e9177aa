import { UnknownTypeError } from '../codec/reader.ts'
import {
  blob,
  type Codec,
  decode,
  encode,
  fixed,
  id,
  type InputOf,
  list,
  type Of,
  struct,
  u64,
  union,
} from '../codec/schema.ts'
import { sha256 } from '../native/hashes.ts'
import { l1Owner } from '../primary/p-transactions.ts'
import { encodePayload, encodeUnsigned } from './warp-messages.ts'

const publicKey = fixed(48)

/** A boolean. Nodes refuse values other than 0 and 1, so that every message has one encoding. */
const flag: Codec<boolean> = {
  minBytes: 1,
  read(reader) {
    const at = reader.offset
    const value = reader.u8()
    if (value > 1) throw new UnknownTypeError(`${value} is not a boolean`, at)
    return value === 1
  },
  write: (writer, value) => writer.u8(value ? 1 : 0),
}

/**
 * The messages between the P-Chain and the manager of an L1 (docs/signatures.md). A node id may have any length here;
 * the P-Chain takes 20 bytes only. `expiry` is in Unix seconds. `registered` is false when the validator was removed or
 * can never be registered.
 */
const l1Payload = union('L1 message', {
  SubnetToL1Conversion: [0, { conversionId: id }],
  RegisterL1Validator: [
    1,
    {
      subnetId: id,
      nodeId: blob,
      publicKey,
      expiry: u64,
      remainingBalanceOwner: l1Owner,
      disableOwner: l1Owner,
      weight: u64,
    },
  ],
  L1ValidatorRegistration: [2, { validationId: id, registered: flag }],
  L1ValidatorWeight: [3, { validationId: id, nonce: u64, weight: u64 }],
})
export type L1Payload = Of<typeof l1Payload>

/** Decodes a payload with its codec version. Throws CodecError; for an unknown type, UnknownTypeError. */
export function decodeL1Payload(bytes: Uint8Array): L1Payload {
  return decode(l1Payload, bytes)
}

/** The bytes of a payload, codec version included. */
export function encodeL1Payload(payload: InputOf<typeof l1Payload>): Uint8Array {
  return encode(l1Payload, payload)
}

/** The id of the validation that a RegisterL1Validator payload registers. */
export const registeredValidationId = (payload: Uint8Array): Uint8Array => sha256(payload)

/** The data whose hash is the id of a conversion; validators in the order of the transaction. */
const conversion = struct({
  subnetId: id,
  managerChainId: id,
  managerAddress: blob,
  validators: list(struct({ nodeId: blob, publicKey, weight: u64 })),
})

/** The id of a conversion. */
export function conversionIdOf(data: InputOf<typeof conversion>): Uint8Array {
  return sha256(encode(conversion, data))
}

/** The chain id of the P-Chain in messages. */
export const pChainId: Uint8Array = new Uint8Array(32)

/** An unsigned message of the P-Chain about an L1, which has no sender. */
export function pChainMessage(networkId: number, payload: L1Payload): Uint8Array {
  return encodeUnsigned({
    networkId,
    sourceChainId: pChainId,
    payload: encodePayload({
      kind: 'AddressedCall',
      source: new Uint8Array(0),
      payload: encodeL1Payload(payload),
    }),
  })
}
