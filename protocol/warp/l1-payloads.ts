import { sha256 } from '../ids/hashes.ts'
import { readL1Owner } from '../primary/p-transactions.ts'
import type { L1Owner } from '../primary/p-types.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'
import { blob, pack, sized, u16, u32, u64 } from '../codec/pack.ts'
import { encodePayload, encodeUnsigned } from './warp-messages.ts'

/** What the P-chain and the manager of an L1 tell each other (docs/signatures.md). */
export type L1Payload =
  | { readonly type: 'SubnetToL1Conversion'; readonly conversionId: Uint8Array }
  | {
      readonly type: 'RegisterL1Validator'
      readonly subnetId: Uint8Array
      /** As long as the manager made it; the P-chain takes 20 bytes alone. */
      readonly nodeId: Uint8Array
      readonly publicKey: Uint8Array
      /** Unix seconds. */
      readonly expiry: bigint
      readonly remainingBalanceOwner: L1Owner
      readonly disableOwner: L1Owner
      readonly weight: bigint
    }
  | {
      readonly type: 'L1ValidatorRegistration'
      readonly validationId: Uint8Array
      /** False: the validator is gone or can never come. */
      readonly registered: boolean
    }
  | {
      readonly type: 'L1ValidatorWeight'
      readonly validationId: Uint8Array
      readonly nonce: bigint
      readonly weight: bigint
    }

const typeIds = {
  SubnetToL1Conversion: 0,
  RegisterL1Validator: 1,
  L1ValidatorRegistration: 2,
  L1ValidatorWeight: 3,
} as const

const keySize = 48

/** A payload with its codec version. Throws CodecError; of an unknown type, UnknownTypeError. */
export function decodeL1Payload(bytes: Uint8Array): L1Payload {
  const reader = new Reader(bytes)
  reader.version()
  const payload = readBody(reader)
  reader.end()
  return payload
}

function readBody(reader: Reader): L1Payload {
  const at = reader.offset
  const type = reader.u32()
  switch (type) {
    case typeIds.SubnetToL1Conversion:
      return { type: 'SubnetToL1Conversion', conversionId: reader.id() }
    case typeIds.RegisterL1Validator:
      return {
        type: 'RegisterL1Validator',
        subnetId: reader.id(),
        nodeId: reader.blob(),
        publicKey: reader.fixed(keySize),
        expiry: reader.u64(),
        remainingBalanceOwner: readL1Owner(reader),
        disableOwner: readL1Owner(reader),
        weight: reader.u64(),
      }
    case typeIds.L1ValidatorRegistration:
      return { type: 'L1ValidatorRegistration', validationId: reader.id(), registered: readFlag(reader) }
    case typeIds.L1ValidatorWeight:
      return {
        type: 'L1ValidatorWeight',
        validationId: reader.id(),
        nonce: reader.u64(),
        weight: reader.u64(),
      }
    default:
      throw new UnknownTypeError(`L1 message type ${type} is unknown`, at)
  }
}

function readFlag(reader: Reader): boolean {
  const at = reader.offset
  const flag = reader.u8()
  // Nodes refuse another value: two messages would say the same.
  if (flag > 1) throw new UnknownTypeError(`${flag} is no boolean`, at)
  return flag === 1
}

/** The bytes of a payload. */
export function encodeL1Payload(payload: L1Payload): Uint8Array {
  return pack(u16(0), u32(typeIds[payload.type]), bodyOf(payload))
}

function bodyOf(payload: L1Payload): Uint8Array {
  switch (payload.type) {
    case 'SubnetToL1Conversion':
      return sized(payload.conversionId, 32)
    case 'RegisterL1Validator':
      return pack(
        sized(payload.subnetId, 32),
        blob(payload.nodeId),
        sized(payload.publicKey, keySize),
        u64(payload.expiry),
        ownerBytes(payload.remainingBalanceOwner),
        ownerBytes(payload.disableOwner),
        u64(payload.weight),
      )
    case 'L1ValidatorRegistration':
      return pack(sized(payload.validationId, 32), Uint8Array.of(payload.registered ? 1 : 0))
    case 'L1ValidatorWeight':
      return pack(sized(payload.validationId, 32), u64(payload.nonce), u64(payload.weight))
  }
}

function ownerBytes({ threshold, addresses }: L1Owner): Uint8Array {
  return pack(u32(threshold), u32(addresses.length), ...addresses.map((address) => sized(address, 20)))
}

/** The id of the validation that a RegisterL1Validator payload asks for. */
export const registeredValidationId = (payload: Uint8Array): Uint8Array => sha256(payload)

/** What a conversion says, as its id counts it. */
export type ConversionData = {
  readonly subnetId: Uint8Array
  readonly managerChainId: Uint8Array
  readonly managerAddress: Uint8Array
  /** In the order of the transaction. */
  readonly validators: readonly {
    readonly nodeId: Uint8Array
    readonly publicKey: Uint8Array
    readonly weight: bigint
  }[]
}

/** The id of a conversion: SHA-256 of its data, which has no type id. */
export function conversionIdOf({
  subnetId,
  managerChainId,
  managerAddress,
  validators,
}: ConversionData): Uint8Array {
  return sha256(
    u16(0),
    sized(subnetId, 32),
    sized(managerChainId, 32),
    blob(managerAddress),
    u32(validators.length),
    ...validators.map((each) => pack(blob(each.nodeId), sized(each.publicKey, keySize), u64(each.weight))),
  )
}

/** The chain id of the P-chain in messages. */
export const pChainId: Uint8Array = new Uint8Array(32)

/** The unsigned message with which the P-chain says something of an L1: it has no sender. */
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
