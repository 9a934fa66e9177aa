import { type Owner, type Proof } from './transactions.ts'
import { SecretKey } from '@chainsafe/blst'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHash } from 'node:crypto'
import { keccak256 } from 'viem'
import type { Hex } from './ledger.ts'
import { hexOf, sha256 } from './text.ts'

/** A secp256k1 key, with its address on P and X and its account on the C-chain. */
export type Key = {
  readonly secret: Uint8Array
  /** ripemd160(sha256(public key)), 20 bytes. */
  readonly address: Hex
  /** The 20 bytes of the same key's EVM account. */
  readonly account: Hex
}

/** The key that belongs to a name: the same name, the same key. */
export function keyOf(name: string): Key {
  const secret = new Uint8Array(sha256(`ridgeline sample key/${name}`))
  const publicKey = secp256k1.getPublicKey(secret, true)
  const whole = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return {
    secret,
    address: createHash('ripemd160').update(sha256(publicKey)).digest('hex'),
    account: keccak256(whole.subarray(1)).slice(-40),
  }
}

/** The 65 bytes (r, s, recovery) of a signature over a hash. */
export function sign(hash: Uint8Array, key: Key): Hex {
  const signature = secp256k1.sign(hash, key.secret, { prehash: false, format: 'recovered' })
  return hexOf(signature.subarray(1)) + hexOf(signature.subarray(0, 1))
}

/** An owner of one or several keys; addresses are sorted. */
export function ownerOf(keys: readonly Key[], threshold = 1, locktime = 0n): Owner {
  return { locktime, threshold, addresses: keys.map((key) => key.address).sort() }
}

/** A BLS key: signs warp messages, and stands for a validator. */
export type BlsKey = {
  readonly secret: Uint8Array
  /** Compressed, 48 bytes. */
  readonly publicKey: Hex
  /** Signature of the public key by itself under the tag of proofs. */
  readonly proof: Hex
}

const proofTag = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const bls = bls12_381.longSignatures
const { Fr } = bls12_381.fields

/** The secret of the BLS key that belongs to a name: 32 bytes, big-endian. Quick, unlike the proof. */
export function blsSecretOf(name: string): Uint8Array {
  const seed = createHash('sha512').update(`ridgeline sample BLS key/${name}`).digest('hex')
  return Fr.toBytes(Fr.create(BigInt(`0x${seed}`)))
}

/** The BLS key that belongs to a name. */
export function blsKeyOf(name: string): BlsKey {
  const secret = blsSecretOf(name)
  const publicKey = SecretKey.fromBytes(secret).toPublicKey().toBytes(true)
  return { secret, publicKey: hexOf(publicKey), proof: hexOf(signProof(publicKey, secret)) }
}

export function proofOf(key: BlsKey): Proof {
  return { publicKey: key.publicKey, proof: key.proof }
}

/** A signature under the tag of proofs: of a key by itself, and of a node's address. The native library has no such tag. */
export function signProof(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return bls.sign(bls.hash(message, proofTag), secret).toBytes(true)
}

/** One validator's signature over a warp message, 96 bytes. */
export function signWarpAlone(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return SecretKey.fromBytes(secret).sign(message).toBytes(true)
}

/** The aggregate of all the keys' signatures over a warp message: one signature by the sum of the secrets. */
export function signWarp(message: Uint8Array, keys: readonly BlsKey[]): Uint8Array {
  const sum = keys.reduce((total, key) => Fr.add(total, Fr.fromBytes(key.secret)), Fr.ZERO)
  return signWarpAlone(message, Fr.toBytes(sum))
}
