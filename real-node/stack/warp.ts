import { bls12_381 } from '@noble/curves/bls12-381.js'
import { utils } from '@avalabs/avalanchejs'
import { createHash } from 'node:crypto'

const signTag = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const proofTag = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const signatures = bls12_381.longSignatures

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

const sized = (bytes: Uint8Array): Buffer => Buffer.concat([u32(bytes.length), bytes])

/** The 96 uncompressed bytes of a key, by which keys are sorted. */
export function uncompressed(key: Uint8Array): Buffer {
  return Buffer.from(bls12_381.G1.Point.fromBytes(key).toBytes(false))
}

/** A BLS key pair derived from a name, with its proof of possession. */
export function blsKeyOf(name: string): { readonly publicKey: Uint8Array; readonly proof: Uint8Array } {
  // A first byte of zero keeps the number below the group order.
  const secret = createHash('sha256').update(name).digest()
  secret[0] = 0
  const publicKey = signatures.getPublicKey(secret).toBytes()
  const proof = signatures.sign(signatures.hash(publicKey, proofTag), secret).toBytes()
  return { publicKey, proof }
}

/** A node id derived from a name. No such node exists. */
export function nodeIdOf(name: string): { readonly bytes: Uint8Array; readonly text: string } {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 20)
  return { bytes, text: `NodeID-${utils.base58check.encode(bytes)}` }
}

/** The owner that gets a remaining balance, or may disable a validator: a single address. */
function owner(address: Uint8Array): Buffer {
  return Buffer.concat([u32(1), u32(1), address])
}

/** The message by which an L1's manager registers a validator. Its SHA-256 hash is the validation id. */
export function registration(options: {
  readonly subnetId: Uint8Array
  readonly nodeId: Uint8Array
  readonly publicKey: Uint8Array
  readonly expiry: bigint
  readonly address: Uint8Array
  readonly weight: bigint
}): { readonly payload: Uint8Array; readonly validationId: Uint8Array } {
  const { subnetId, nodeId, publicKey, expiry, address, weight } = options
  const payload = Buffer.concat([
    u16(0),
    u32(1),
    subnetId,
    sized(nodeId),
    publicKey,
    u64(expiry),
    owner(address),
    owner(address),
    u64(weight),
  ])
  return { payload, validationId: createHash('sha256').update(payload).digest() }
}

/** The message by which an L1's manager changes a validator's weight; 0 removes it. */
export function weightChange(validationId: Uint8Array, nonce: bigint, weight: bigint): Uint8Array {
  return Buffer.concat([u16(0), u32(3), validationId, u64(nonce), u64(weight)])
}

/** The validation id of a conversion's validator, from the subnet and its index in the list. */
export function convertedValidationId(subnetId: Uint8Array, index: number): Uint8Array {
  return createHash('sha256').update(subnetId).update(u32(index)).digest()
}

/**
 * A manager's payload as a message of its chain, signed by one validator that has nearly all the weight.
 * `publicKeys` are those of the whole set: the bit of a signer is its index among them, sorted by uncompressed key.
 */
export function signedMessage(options: {
  readonly networkId: number
  readonly sourceChainId: Uint8Array
  readonly manager: Uint8Array
  readonly payload: Uint8Array
  readonly secretKey: Uint8Array
  readonly publicKeys: readonly string[]
}): Uint8Array {
  const call = Buffer.concat([u16(0), u32(1), sized(options.manager), sized(options.payload)])
  const unsigned = Buffer.concat([u16(0), u32(options.networkId), options.sourceChainId, sized(call)])
  const signature = signatures.sign(signatures.hash(unsigned, signTag), options.secretKey).toBytes()
  const own = Buffer.from(signatures.getPublicKey(options.secretKey).toBytes(false))
  const order = [...new Set(options.publicKeys)]
    .map((key) => uncompressed(Buffer.from(key.replace(/^0x/, ''), 'hex')))
    .sort(Buffer.compare)
  const place = order.findIndex((key) => key.equals(own))
  if (place < 0) throw new Error('the signer is not a validator')
  const bits = (1n << BigInt(place)).toString(16)
  const bitSet = Buffer.from(bits.padStart(2 * Math.ceil(bits.length / 2), '0'), 'hex')
  return Buffer.concat([unsigned, u32(0), sized(bitSet), signature])
}

/** The signers of a message, verified without code of the service. */
export type Signers = {
  readonly nodeIds: readonly string[]
  readonly weight: bigint
  /** The weight of the whole set. */
  readonly total: bigint
}

/**
 * Parses a signed message and verifies its aggregate signature against an answer of `platform.getValidatorsAt` in
 * which no two nodes share a key. Throws if it is not a message of `unsigned`, or if the signature is invalid.
 */
export function verifySigned(
  signed: Uint8Array,
  unsigned: Uint8Array,
  set: Readonly<Record<string, { publicKey: string | null; weight: string }>>,
): Signers {
  const bytes = Buffer.from(signed)
  if (!bytes.subarray(0, unsigned.length).equals(unsigned)) throw new Error('another message was signed')
  const head = bytes.subarray(unsigned.length)
  const length = head.readUInt32BE(4)
  if (head.readUInt32BE(0) !== 0 || head.length !== 8 + length + 96) throw new Error('no signed message')
  const bits = head.subarray(8, 8 + length)
  if (bits[0] === 0) throw new Error('the bit set begins with a zero byte')
  const canonical = Object.entries(set)
    .flatMap(([nodeId, { publicKey, weight }]) => {
      if (publicKey === null) return []
      const point = bls12_381.G1.Point.fromHex(publicKey.replace(/^0x/, ''))
      return [{ nodeId, weight: BigInt(weight), point, key: Buffer.from(point.toBytes(false)) }]
    })
    .sort((a, b) => Buffer.compare(a.key, b.key))
  const chosen = BigInt(`0x0${bits.toString('hex')}`)
  if (chosen >> BigInt(canonical.length) !== 0n) throw new Error('a bit is beyond the set')
  const signers = canonical.filter((_, at) => ((chosen >> BigInt(at)) & 1n) === 1n)
  const key = signatures.aggregatePublicKeys(signers.map(({ point }) => point))
  const isRight = signatures.verify(head.subarray(8 + length), signatures.hash(unsigned, signTag), key)
  if (!isRight) throw new Error('the signature is wrong')
  const sum = (weights: bigint[]): bigint => weights.reduce((whole, weight) => whole + weight, 0n)
  return {
    nodeIds: signers.map(({ nodeId }) => nodeId),
    weight: sum(signers.map(({ weight }) => weight)),
    total: sum(Object.values(set).map(({ weight }) => BigInt(weight))),
  }
}
