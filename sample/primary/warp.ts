import { type L1Member } from './transactions.ts'
import { CodecError } from '../../protocol/codec/reader.ts'
import {
  conversionIdOf,
  decodeL1Payload,
  encodeL1Payload,
  type L1Payload,
} from '../../protocol/warp/l1-payloads.ts'
import { decodeSigned, encodeSigned } from '../../protocol/warp/signed-message.ts'
import {
  decodePayload,
  decodeUnsigned,
  encodePayload,
  encodeUnsigned,
  type WarpPayload,
} from '../../protocol/warp/warp-messages.ts'
import { type BlsKey, signWarp } from './keys.ts'
import { type BareHex, bytesOf, hexOf } from '../../protocol/ids/bare-hex.ts'
import { convertedValidationId, sha256Hex } from '../../protocol/native/hashes.ts'
import { hexed, type Hexed } from './hexed.ts'

/** An unsigned message. */
export function unsignedWarp(sourceChainId: BareHex, payload: WarpPayload): Uint8Array {
  return encodeUnsigned({
    networkId: 5,
    sourceChainId: bytesOf(sourceChainId),
    payload: encodePayload(payload),
  })
}

/** A warp message of an L1's manager contract, signed by all of `keys`, the first members of the set. */
export function l1Message(
  chainId: BareHex,
  manager: BareHex,
  message: Parameters<typeof encodeL1Payload>[0],
  keys: readonly BlsKey[],
): Uint8Array {
  const unsigned = unsignedWarp(chainId, {
    kind: 'AddressedCall',
    source: bytesOf(manager),
    payload: encodeL1Payload(message),
  })
  return encodeSigned({
    message: unsigned,
    signers: keys.map((_, index) => index),
    aggregate: signWarp(unsigned, keys),
  })
}

/**
 * The content of a signed warp message with its source chain and contract; `id` is the hash of the payload.
 * Throws CodecError.
 */
export function readL1Message(bytes: Uint8Array): {
  readonly chainId: BareHex
  readonly manager: BareHex
  readonly payload: Uint8Array
  readonly message: Hexed<L1Payload>
  readonly id: BareHex
} {
  const { sourceChainId, payload: content } = decodeUnsigned(decodeSigned(bytes).message)
  const call = decodePayload(content)
  if (call.kind !== 'AddressedCall') throw new CodecError('a call is expected', 0)
  const { source, payload } = call
  return {
    chainId: hexOf(sourceChainId),
    manager: hexOf(source),
    payload,
    message: hexed(decodeL1Payload(payload)),
    id: sha256Hex(payload),
  }
}

/** The id of a subnet's conversion: the hash of its manager and its initial validators. */
export function conversionId(
  subnetId: BareHex,
  managerChainId: BareHex,
  managerAddress: BareHex,
  members: readonly L1Member[],
): BareHex {
  const validators = members.map(({ nodeId, signer, weight }) => {
    return { nodeId, publicKey: signer.publicKey, weight }
  })
  return hexOf(conversionIdOf({ subnetId, managerChainId, managerAddress, validators }))
}

/** The id of the L1 validator at `index` in a conversion's list. */
export function validationIdOf(subnetId: BareHex, index: number): BareHex {
  return hexOf(convertedValidationId(bytesOf(subnetId), index))
}
