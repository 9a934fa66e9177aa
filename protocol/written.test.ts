import { describe, expect, test } from 'vitest'
import recorded from './fixtures/recorded.json' with { type: 'json' }
import { CodecError } from './codec/reader.ts'
import { type Codec, decode, encode, type Writable } from './codec/schema.ts'
import { cb58, fromCheckedHex, hexText, idOfText } from './ids/text.ts'
import { sha256 } from './native/hashes.ts'
import { atomicTx, extraData } from './primary/atomic.ts'
import { decodePGenesis, pGenesis, xGenesis } from './primary/genesis.ts'
import { utxos } from './primary/outputs.ts'
import type { ChainAlias } from './primary/chains.ts'
import { decodePBlock, encodePBlock, type PBlockInput } from './primary/p-blocks.ts'
import { pTx } from './primary/p-transactions.ts'
import { decodeWrapper, encodeWrapper, unsignedWrapper } from './primary/proposer.ts'
import { decodeXBlock, encodeVertex, encodeXBlock } from './primary/x-blocks.ts'
import { xTx } from './primary/x-transactions.ts'

/** What was read can be written: bytes are bytes, and nothing recorded has an unknown type. */
function rewritten<T, In>(codec: Codec<T, In>, bytes: Uint8Array): string {
  return hexText(encode(codec, decode(codec, bytes) as unknown as In))
}

describe('what a real node recorded is written with the bytes that it was read from', () => {
  test.each(recorded.pBlocks.map(({ hex, json }) => [json.height, json.id, hex] as const))(
    'P-Chain block %i %s',
    (_height, id, hex) => {
      const bytes = fromCheckedHex(hex)
      const written = encodePBlock(decodePBlock(bytes) as PBlockInput)
      expect(hexText(written)).toBe(hexText(bytes))
      expect(cb58(sha256(written))).toBe(id)
    },
  )

  test.each(recorded.xBlocks.map(({ hex, json }) => [json.height, json.id, hex] as const))(
    'X-Chain block %i %s',
    (_height, id, hex) => {
      const bytes = fromCheckedHex(hex)
      const written = encodeXBlock(decodeXBlock(bytes) as Parameters<typeof encodeXBlock>[0])
      expect(hexText(written)).toBe(hexText(bytes))
      expect(cb58(sha256(written))).toBe(id)
    },
  )

  test('transactions of each chain', () => {
    for (const { hex } of recorded.pTxs) {
      expect(rewritten(pTx, fromCheckedHex(hex))).toBe(hexText(fromCheckedHex(hex)))
    }
    for (const { hex } of recorded.xTxs) {
      expect(rewritten(xTx, fromCheckedHex(hex))).toBe(hexText(fromCheckedHex(hex)))
    }
    for (const { hex } of recorded.atomicTxs) {
      expect(rewritten(atomicTx, fromCheckedHex(hex))).toBe(hexText(fromCheckedHex(hex)))
    }
    for (const hex of recorded.extraDataLists) {
      expect(rewritten(extraData, Buffer.from(hex, 'hex'))).toBe(`0x${hex}`)
    }
  })

  test.each(recorded.wrappers.map(({ chain, id, hex }) => [chain, id, hex] as const))(
    'proposer wrapper of the %s-chain %s',
    (_chain, id, hex) => {
      const bytes = fromCheckedHex(hex)
      const wrapper = decodeWrapper(bytes)
      expect(hexText(encodeWrapper(wrapper))).toBe(hexText(bytes))
      expect(cb58(sha256(unsignedWrapper(wrapper)))).toBe(id)
    },
  )

  test('UTXOs', () => {
    for (const { chain, hex } of recorded.utxos) {
      const codec = utxos[chain as ChainAlias]
      for (const each of hex)
        expect(rewritten(codec, fromCheckedHex(each))).toBe(hexText(fromCheckedHex(each)))
    }
  })

  test('the genesis of the P-Chain, and that of the X-Chain inside', () => {
    const bytes = fromCheckedHex(recorded.genesis.hex)
    expect(rewritten(pGenesis, bytes)).toBe(hexText(bytes))
    const [x] = decodePGenesis(bytes).chains
    if (x?.unsigned.type !== 'CreateChainTx') throw new Error('the genesis has no X-Chain')
    expect(rewritten(xGenesis, x.unsigned.genesis)).toBe(hexText(x.unsigned.genesis))
  })
})

describe('values', () => {
  const [first] = recorded.atomicTxs
  const bytes = fromCheckedHex(first?.hex ?? '')
  const hexed = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
    if (Array.isArray(value)) return value.map(hexed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hexed(each)]))
  }

  test('are written alike from bytes and from hex', () => {
    const { unsigned, credentials } = decode(atomicTx, bytes)
    const value = hexed({ unsigned, credentials }) as Writable<{
      unsigned: typeof unsigned
      credentials: typeof credentials
    }>
    expect(hexText(encode(atomicTx, value))).toBe(hexText(bytes))
  })

  test('are refused when they do not fit', () => {
    const { unsigned, credentials } = decode(atomicTx, bytes)
    const written = (changes: Partial<typeof unsigned>): Uint8Array =>
      encode(atomicTx, { unsigned: { ...unsigned, ...changes } as typeof unsigned, credentials })
    expect(() => written({ blockchainId: new Uint8Array(31) })).toThrow('31 bytes given, 32 wanted')
    expect(() => written({ networkId: 2 ** 32 })).toThrow('passes 32 bits')
    expect(() => written({ networkId: -1 })).toThrow('passes 32 bits')
    expect(() => written({ type: 'BaseTx' as 'ImportTx' })).toThrow(
      'atomic transaction type BaseTx is unknown',
    )
    expect(() =>
      encode(atomicTx, { unsigned: { ...unsigned, blockchainId: 'zz'.repeat(32) }, credentials }),
    ).toThrow('not in hex')
  })

  test('are refused when bytes are missing or left over', () => {
    expect(() => decode(atomicTx, bytes.subarray(0, -1))).toThrow(CodecError)
    expect(() => decode(atomicTx, Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(CodecError)
  })
})

// The ids come from avalanchego's own code.
describe('vertices', () => {
  const localX = idOfText('2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed')

  test('have the ids that the node gives them', () => {
    const vertex = encodeVertex({
      isStop: false,
      chainId: localX,
      height: 7,
      parents: ['01'.padEnd(64, '0'), '02'.padEnd(64, '0')],
      transactions: [Buffer.from('cc', 'hex'), Buffer.from('aabb', 'hex')],
    })
    expect(cb58(sha256(vertex))).toBe('Vm724b5SXjZ5zD76e78JiVscHqAhhcep4efpSiTcrMtuogihc')
    const stop = encodeVertex({ isStop: true, chainId: localX, height: 0, parents: [], transactions: [] })
    expect(cb58(sha256(stop))).toBe('3LdUD428gni3AFYAooqcTiN3xPGiLE7XdHowi9CsbNGH1i7QY')
  })
})
