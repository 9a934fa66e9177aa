import { bls12_381 } from '@noble/curves/bls12-381.js'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { joinAggregates, nativeBls, portableBls, signProof, soundOf, type Bls } from './bls.ts'
import { createBlsThread } from './bls-thread.ts'
import recorded from './fixtures/recorded-warp.json' with { type: 'json' }

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex')
const message = bytes(recorded.unsigned)
/** Five validators' signatures of a C-Chain message, as real nodes gave them. */
const signed = recorded.signatures.map(({ node, sig }) => ({
  key: bytes(recorded.validators[node as keyof typeof recorded.validators].publicKey),
  signature: bytes(sig),
}))
const { longSignatures } = bls12_381
const strange = longSignatures.sign(
  longSignatures.hash(Buffer.from('other')),
  createHash('sha256').update('x').digest().fill(0, 0, 1),
)
const infinity = Buffer.concat([Buffer.of(0xc0), Buffer.alloc(95)])

describe.each([
  ['native', nativeBls],
  ['portable', portableBls],
] as const)('BLS, %s', (name, load) => {
  const wrong = { key: signed[2]?.key ?? Buffer.alloc(0), signature: strange.toBytes(true) }
  const hopeless = { key: wrong.key, signature: Buffer.alloc(96, 0xff) }

  test('verifies and aggregates real validators’ signatures byte for byte', async () => {
    const bls: Bls = await load()
    expect(bls.name).toBe(name)
    const sound = soundOf(bls, message, signed)
    expect(sound.places.toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(Buffer.from(sound.aggregate ?? []).toString('hex')).toBe(recorded.aggregate)
    expect(soundOf(bls, bytes(recorded.conversion.unsigned), signed)).toEqual({ places: [] })
  })

  test('finds invalid signatures among valid ones', async () => {
    const bls: Bls = await load()
    const [a, b, c] = signed as [(typeof signed)[0], (typeof signed)[0], (typeof signed)[0]]
    const swapped = { key: a.key, signature: b.signature }
    const endless = { key: a.key, signature: infinity }
    const sound = soundOf(bls, message, [wrong, a, hopeless, swapped, b, endless, c])
    expect(sound.places.toSorted()).toEqual([1, 4, 6])
    expect(soundOf(bls, message, [wrong, hopeless])).toEqual({ places: [] })
    const parts = [[a], [b, c]].map((group) => soundOf(bls, message, group).aggregate ?? new Uint8Array())
    expect(joinAggregates(bls, parts)).toEqual(sound.aggregate)
  })

  test('uncompresses a key', async () => {
    const bls: Bls = await load()
    const [{ pk } = { pk: '' }] = recorded.canonical
    const point = bls12_381.G1.Point.fromHex(pk)
    expect(Buffer.from(bls.uncompress(bytes(pk))).toString('hex')).toBe(point.toHex(false))
    expect(() => bls.uncompress(Buffer.alloc(48, 0xff))).toThrow()
    expect(() => bls.uncompress(Buffer.alloc(47))).toThrow('48 bytes')
  })
})

describe('the thread', () => {
  test('returns results, reports failures, and rejects unfinished work', async () => {
    const thread = createBlsThread()
    const keyed = signed.map(({ key, signature }) => ({
      key: Buffer.from(bls12_381.G1.Point.fromBytes(key).toBytes(false)),
      signature,
    }))
    const sound = await thread.sound(message, [
      ...keyed,
      { ...keyed[0], signature: Buffer.alloc(9) } as (typeof keyed)[0],
    ])
    expect(sound.places.toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(Buffer.from(sound.aggregate ?? []).toString('hex')).toBe(recorded.aggregate)
    await expect(thread.uncompress([Buffer.alloc(48, 0xff)])).rejects.toThrow()
    const proof = await thread.proof(Buffer.alloc(32, 1), message)
    const key = longSignatures.getPublicKey(Buffer.alloc(32, 1))
    const tag = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_'
    expect(longSignatures.verify(proof, longSignatures.hash(message, tag), key)).toBe(true)
    expect(await signProof(Buffer.alloc(32, 1), message)).toEqual(proof)
    const left = thread.sound(message, keyed)
    await Promise.all([thread.close(), expect(left).rejects.toThrow('closed')])
    await expect(thread.join([])).rejects.toThrow('closed')
  })
})
