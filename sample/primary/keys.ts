import { type Owner, type Proof } from './transactions.ts'
import { SecretKey } from '@chainsafe/blst'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createECDH, createHash } from 'node:crypto'
import { keccak256 } from 'viem'
import { type BareHex, hexOf } from '../../protocol/ids/bare-hex.ts'
import { sha256 } from '../../protocol/native/hashes.ts'

/** A secp256k1 key, with its address on P and X and its account on the C-Chain. */
export type Key = {
  readonly secret: Uint8Array
  /** ripemd160(sha256(public key)), 20 bytes. */
  readonly address: BareHex
  /** The 20 bytes of the same key's EVM account. */
  readonly account: BareHex
}

/** The key derived from a name. */
export function keyOf(name: string): Key {
  const secret = new Uint8Array(sha256(Buffer.from(`ridgeline sample key/${name}`)))
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(secret)
  const publicKey = pair.getPublicKey(null, 'compressed')
  return {
    secret,
    address: createHash('ripemd160').update(sha256(publicKey)).digest('hex'),
    account: keccak256(pair.getPublicKey().subarray(1)).slice(-40),
  }
}

/** The 65 bytes (r, s, recovery) of a signature over a hash. */
export function sign(hash: Uint8Array, key: Key): BareHex {
  const signature = secp256k1.sign(hash, key.secret, { prehash: false, format: 'recovered' })
  return hexOf(signature.subarray(1)) + hexOf(signature.subarray(0, 1))
}

/** An owner of one or several keys; addresses are sorted. */
export function ownerOf(keys: readonly Key[], threshold = 1, locktime = 0n): Owner {
  return { locktime, threshold, addresses: keys.map((key) => key.address).sort() }
}

/** A validator's BLS key, which signs warp messages. */
export type BlsKey = {
  readonly secret: Uint8Array
  /** Compressed, 48 bytes. */
  readonly publicKey: BareHex
  /** Proof of possession: the key's signature of its own public key. */
  readonly proof: BareHex
}

const proofTag = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
const bls = bls12_381.longSignatures
const { Fr } = bls12_381.fields

/** The secret of the BLS key derived from a name: 32 bytes, big-endian. Fast, unlike the proof. */
export function blsSecretOf(name: string): Uint8Array {
  const seed = createHash('sha512').update(`ridgeline sample BLS key/${name}`).digest('hex')
  return Fr.toBytes(Fr.create(BigInt(`0x${seed}`)))
}

/** The BLS key derived from a name. */
export function blsKeyOf(name: string): BlsKey {
  const secret = blsSecretOf(name)
  const publicKey = SecretKey.fromBytes(secret).toPublicKey().toBytes(true)
  return { secret, publicKey: hexOf(publicKey), proof: hexOf(signProof(publicKey, secret)) }
}

export function proofOf(key: BlsKey): Proof {
  return { publicKey: key.publicKey, proof: key.proof }
}

/**
 * A signature under the proof-of-possession tag, of a public key or a node's address. The native library does
 * not support this tag.
 */
export function signProof(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return bls.sign(bls.hash(message, proofTag), secret).toBytes(true)
}

/** One validator's signature of a warp message, 96 bytes. */
export function signWarpAlone(message: Uint8Array, secret: Uint8Array): Uint8Array {
  return SecretKey.fromBytes(secret).sign(message).toBytes(true)
}

/**
 * The aggregate signature of all keys over a warp message, computed as one signature with the sum of the
 * secrets.
 */
export function signWarp(message: Uint8Array, keys: readonly BlsKey[]): Uint8Array {
  const sum = keys.reduce((total, key) => Fr.add(total, Fr.fromBytes(key.secret)), Fr.ZERO)
  return signWarpAlone(message, Fr.toBytes(sum))
}
