import { secp256k1 as legacy } from '@avalabs/avalanchejs'
import { X509Certificate, verify } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { certificateOf } from './certificates.ts'
import { blsKeyOf, keyOf, sign, signWarp } from './keys.ts'
import { bytesOf, hexOf } from '../../protocol/ids/bare-hex.ts'
import { sha256 } from '../../protocol/native/hashes.ts'

describe('keys', () => {
  test('have the addresses that other libraries give them, and sign so that the key can be told', () => {
    const key = keyOf('a')
    const publicKey = legacy.getPublicKey(key.secret)
    expect(hexOf(legacy.publicKeyBytesToAddress(publicKey))).toBe(key.address)
    expect(privateKeyToAccount(`0x${hexOf(key.secret)}`).address.toLowerCase()).toBe(`0x${key.account}`)
    const hash = sha256(Buffer.from('message'))
    expect(legacy.recoverPublicKey(hash, bytesOf(sign(hash, key)))).toEqual(publicKey)
  })

  test('sign warp messages together as one', () => {
    const keys = [blsKeyOf('a'), blsKeyOf('b')]
    const message = new Uint8Array(sha256(Buffer.from('message')))
    const { longSignatures: bls } = bls12_381
    const together = bls.aggregatePublicKeys(
      keys.map((key) => bls12_381.G1.Point.fromBytes(bytesOf(key.publicKey))),
    )
    const tagged = bls.hash(message, 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_')
    expect(bls.verify(bls12_381.G2.Point.fromBytes(signWarp(message, keys)), tagged, together)).toBe(true)
  })
})

describe('certificates', () => {
  test('are read by Node.js, signed by themselves, and sign', () => {
    const certificate = certificateOf('node')
    const read = new X509Certificate(certificate.der)
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    const message = Buffer.from('block')
    expect(verify('sha256', message, read.publicKey, certificate.sign(message))).toBe(true)
  })
})
