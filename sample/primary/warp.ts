import type { L1Member } from './codec/types.ts'
import { address, id32 } from './codec/types.ts'
import type { Of } from './codec/wire.ts'
import { blob, decode, encode, fixed, hexBlob, list, struct } from './codec/wire.ts'
import { tagged, u32, u64, whole } from './codec/wire.ts'
import type { BlsKey } from './keys.ts'
import { signWarp } from './keys.ts'
import type { Hex } from './ledger.ts'
import { sha256Hex } from './text.ts'

const party = struct({ threshold: u32, addresses: list(address) })

/** What an L1's manager tells the P-chain: ACP-77. */
const payload = tagged('message of an L1', {
  registration: [
    1,
    struct({
      subnetId: id32,
      nodeId: hexBlob,
      publicKey: fixed(48),
      expiry: whole,
      remainingBalanceOwner: party,
      deactivationOwner: party,
      weight: u64,
    }),
  ],
  weight: [3, struct({ validationId: id32, nonce: u64, weight: u64 })],
})
export type L1Message = Of<typeof payload>

const addressedCall = tagged('payload', { call: [1, struct({ source: hexBlob, payload: blob })] })
const unsignedShape = { networkId: u32, sourceChainId: id32, payload: blob }
const unsigned = struct(unsignedShape)
const signed = struct({
  ...unsignedShape,
  signature: tagged('signature', { bits: [0, struct({ signers: blob, signature: fixed(96) })] }),
})

/** A signed warp message of an L1's manager contract; all of `keys` sign. */
export function l1Message(
  chainId: Hex,
  manager: Hex,
  message: L1Message,
  keys: readonly BlsKey[],
): Uint8Array {
  const call = encode(addressedCall, { type: 'call', source: manager, payload: encode(payload, message) })
  const body = { networkId: 5, sourceChainId: chainId, payload: call }
  const signature = signWarp(encode(unsigned, body), keys)
  // The first signers of the set: the lowest bits, big-endian without leading zeros.
  const bits = ((1n << BigInt(keys.length)) - 1n).toString(16)
  const signers = new Uint8Array(Buffer.from(bits.length % 2 === 0 ? bits : `0${bits}`, 'hex'))
  return encode(signed, {
    ...body,
    signature: { type: 'bits', signers, signature: Buffer.from(signature).toString('hex') },
  })
}

/** What a signed warp message says, from which chain and contract; `id` is the hash of the message itself. */
export function readL1Message(bytes: Uint8Array): {
  readonly chainId: Hex
  readonly manager: Hex
  readonly message: L1Message
  readonly id: Hex
} {
  const { sourceChainId, payload: call } = decode(signed, bytes)
  const { source, payload: inner } = decode(addressedCall, call)
  return { chainId: sourceChainId, manager: source, message: decode(payload, inner), id: sha256Hex(inner) }
}

const conversion = struct({
  subnetId: id32,
  managerChainId: id32,
  managerAddress: hexBlob,
  validators: list(struct({ nodeId: hexBlob, publicKey: fixed(48), weight: u64 })),
})

/** The id of a subnet's conversion: the hash of who manages it and who validates it at first. */
export function conversionId(
  subnetId: Hex,
  managerChainId: Hex,
  managerAddress: Hex,
  members: readonly L1Member[],
): Hex {
  const validators = members.map(({ nodeId, signer, weight }) => ({
    nodeId,
    publicKey: signer.publicKey,
    weight,
  }))
  return sha256Hex(encode(conversion, { subnetId, managerChainId, managerAddress, validators }))
}
