import type { L1Member } from './codec/types.ts'
import { address, id32 } from './codec/types.ts'
import type { Codec, Of } from './codec/wire.ts'
import { WireError, blob, decode, encode, fixed, hexBlob, list, struct } from './codec/wire.ts'
import { tagged, u32, u64, whole } from './codec/wire.ts'
import type { BlsKey } from './keys.ts'
import { signWarp } from './keys.ts'
import type { Hex } from './ledger.ts'
import { sha256Hex } from './text.ts'

const party = struct({ threshold: u32, addresses: list(address) })

const flag: Codec<boolean> = {
  write: (to, value) => to.u8(value ? 1 : 0),
  read(from) {
    const value = from.u8()
    if (value > 1) throw new WireError(`${value} is neither true nor false`)
    return value === 1
  },
}

/** What an L1's manager and the P-chain tell each other: ACP-77. */
const payload = tagged('message of an L1', {
  conversion: [0, struct({ conversionId: id32 })],
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
  registered: [2, struct({ validationId: id32, registered: flag })],
  weight: [3, struct({ validationId: id32, nonce: u64, weight: u64 })],
})
export type L1Message = Of<typeof payload>

/** What a validator of a subnet EVM chain may be asked to confirm: how long another has been online, seconds. */
const uptimeProof = tagged('message', { uptime: [0, struct({ validationId: id32, seconds: u64 })] })

const content = tagged('payload', {
  hash: [0, struct({ hash: id32 })],
  call: [1, struct({ source: hexBlob, payload: blob })],
})
export type WarpContent = Of<typeof content>
const unsignedShape = { networkId: u32, sourceChainId: id32, payload: blob }
const unsigned = struct(unsignedShape)
export type UnsignedWarp = Of<typeof unsigned>
const signed = struct({
  ...unsignedShape,
  signature: tagged('signature', { bits: [0, struct({ signers: blob, signature: fixed(96) })] }),
})

/** What is yet to be signed. Throws `WireError`, as do the readers below. */
export function readUnsigned(bytes: Uint8Array): UnsignedWarp {
  return decode(unsigned, bytes)
}

export function readContent(bytes: Uint8Array): WarpContent {
  return decode(content, bytes)
}

export function readL1Payload(bytes: Uint8Array): L1Message {
  return decode(payload, bytes)
}

export function readUptimeProof(bytes: Uint8Array): Of<typeof uptimeProof> {
  return decode(uptimeProof, bytes)
}

/** The bytes of an L1's message, as a manager hands them to its chain. */
export function l1Payload(message: L1Message): Uint8Array {
  return encode(payload, message)
}

/** A message that is yet to be signed. */
export function unsignedWarp(sourceChainId: Hex, what: WarpContent): Uint8Array {
  return encode(unsigned, { networkId: 5, sourceChainId, payload: encode(content, what) })
}

/** A signed warp message of an L1's manager contract; all of `keys` sign. */
export function l1Message(
  chainId: Hex,
  manager: Hex,
  message: L1Message,
  keys: readonly BlsKey[],
): Uint8Array {
  const call = encode(content, { type: 'call', source: manager, payload: encode(payload, message) })
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
  const what = decode(content, call)
  if (what.type !== 'call') throw new WireError('no call')
  const { source, payload: inner } = what
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
