import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cb58Of, hexOfCb58, sha256Hex } from '../text.ts'
import { decodeExtraData, encodeExtraData, encodeVertex, pBlock, txsOf, unsignedWrapper } from './blocks.ts'
import { wrapper, xBlock } from './blocks.ts'
import { cTx, pTx } from './types.ts'
import type { Codec } from './wire.ts'
import { decode, encode } from './wire.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'

/** Recorded from avalanchego 1.14.0 on local networks, without the checksum of the encoding. */
type Recorded = {
  readonly hex: string
  readonly id: string
}
const fixtures = JSON.parse(readFileSync(new URL('../fixtures/blocks.json', import.meta.url), 'utf8')) as {
  readonly pBlocks: readonly (Recorded & { readonly height: number })[]
  readonly xBlocks: readonly (Recorded & { readonly height: number })[]
  readonly wrappersP: readonly Recorded[]
  readonly wrappersX: readonly Recorded[]
  readonly extraData: readonly string[]
}

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

function again<T>(codec: Codec<T>, hex: string): T {
  const value = decode(codec, bytes(hex))
  expect(Buffer.from(encode(codec, value)).toString('hex')).toBe(hex)
  return value
}

describe('the recorded blocks of a node', () => {
  test.each(fixtures.pBlocks)('P block $height comes out the same', ({ hex, id, height }) => {
    const block = again(pBlock, hex)
    expect(block.height).toBe(height)
    expect(cb58Of(sha256Hex(encode(pBlock, block)))).toBe(id)
  })

  test.each(fixtures.xBlocks)('X block $height comes out the same', ({ hex, id, height }) => {
    const block = again(xBlock, hex)
    expect(block.height).toBe(height)
    expect(cb58Of(sha256Hex(encode(xBlock, block)))).toBe(id)
  })

  test.each([...fixtures.wrappersP, ...fixtures.wrappersX])(
    'wrapper $id comes out the same',
    ({ hex, id }) => {
      const value = again(wrapper, hex)
      expect(cb58Of(sha256Hex(unsignedWrapper(value)))).toBe(id)
    },
  )

  test('the blocks inside the wrappers of P come out the same', () => {
    for (const { hex } of fixtures.wrappersP) {
      const inner = decode(wrapper, bytes(hex)).block
      expect(encode(pBlock, decode(pBlock, inner))).toEqual(inner)
    }
  })

  test('blockExtraData comes out the same', () => {
    for (const hex of fixtures.extraData) {
      const txs = decodeExtraData(bytes(hex))
      expect(Buffer.from(encodeExtraData(txs)).toString('hex')).toBe(hex)
      expect(txs).not.toHaveLength(0)
      for (const tx of txs) expect(encode(cTx, tx).length).toBeGreaterThan(100)
    }
  })

  test('every transaction of P has its own bytes again', () => {
    const all = fixtures.pBlocks.flatMap(({ hex }) => txsOf(decode(pBlock, bytes(hex))))
    expect(all.length).toBeGreaterThan(10)
    for (const tx of all) expect(decode(pTx, encode(pTx, tx))).toEqual(tx)
  })

  test('cut bytes are refused by name', () => {
    const hex = fixtures.pBlocks[1]?.hex ?? ''
    expect(() => decode(pBlock, bytes(hex.slice(0, -2)))).toThrow(CodecError)
    expect(() => decode(pBlock, bytes(`${hex}00`))).toThrow(CodecError)
  })
})

describe('vertices', () => {
  const localX = hexOfCb58('2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed') ?? ''

  // Both ids come from the node's own code.
  test('has the id that the node gives it', () => {
    const vertex = encodeVertex({
      stop: false,
      chainId: localX,
      height: 7,
      parents: ['01'.padEnd(64, '0'), '02'.padEnd(64, '0')],
      txs: [bytes('cc'), bytes('aabb')],
    })
    expect(cb58Of(sha256Hex(vertex))).toBe('Vm724b5SXjZ5zD76e78JiVscHqAhhcep4efpSiTcrMtuogihc')
  })

  test('the stop vertex of a local network has its id', () => {
    const stop = encodeVertex({ stop: true, chainId: localX, height: 0, parents: [], txs: [] })
    expect(cb58Of(sha256Hex(stop))).toBe('3LdUD428gni3AFYAooqcTiN3xPGiLE7XdHowi9CsbNGH1i7QY')
  })
})
