import { type L1Member } from './transactions.ts'
import { CodecError } from '../../protocol/codec/reader.ts'
import { convertedValidationId } from '../../protocol/ids/hashes.ts'
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
import type { Hex } from './ledger.ts'
import { bytesOf, hexed, hexOf, sha256Hex, type Hexed } from './text.ts'

/** An unsigned message. */
export function unsignedWarp(sourceChainId: Hex, payload: WarpPayload): Uint8Array {
  return encodeUnsigned({
    networkId: 5,
    sourceChainId: bytesOf(sourceChainId),
    payload: encodePayload(payload),
  })
}

/** A warp message of an L1's manager contract, signed by all of `keys`, the first members of the set. */
export function l1Message(
  chainId: Hex,
  manager: Hex,
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
  readonly chainId: Hex
  readonly manager: Hex
  readonly payload: Uint8Array
  readonly message: Hexed<L1Payload>
  readonly id: Hex
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
  subnetId: Hex,
  managerChainId: Hex,
  managerAddress: Hex,
  members: readonly L1Member[],
): Hex {
  const validators = members.map(({ nodeId, signer, weight }) => {
    return { nodeId, publicKey: signer.publicKey, weight }
  })
  return hexOf(conversionIdOf({ subnetId, managerChainId, managerAddress, validators }))
}

/** The id of the L1 validator at `index` in a conversion's list. */
export function validationIdOf(subnetId: Hex, index: number): Hex {
  return hexOf(convertedValidationId(bytesOf(subnetId), index))
}
