import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromCheckedHex } from './ids/text.ts'
import { writeAtomicTx, writePTx, writeXTx } from './testing/avalanche.ts'
import { atomicModel, pModel, signatures, xModel } from './testing/models.ts'
import { atomicTx, decodeAtomicTx, decodeExtraData } from './primary/atomic.ts'
import recorded from './fixtures/recorded.json' with { type: 'json' }
import { decodePGenesis, decodeXGenesis } from './primary/genesis.ts'
import { sha256, txIdOf } from './native/hashes.ts'
import { decodeUtxo } from './primary/outputs.ts'
import { decodePBlock } from './primary/p-blocks.ts'
import { decodePTx, pTx } from './primary/p-transactions.ts'
import { decodeProposerWrapper } from './primary/proposer.ts'
import { CodecError, Reader } from './codec/reader.ts'
import { encode } from './codec/schema.ts'
import { decodeL1Message } from './warp/l1-messages.ts'
import { decodeVertex, decodeXBlock } from './primary/x-blocks.ts'
import { decodeXTx, operationOutputs, xTx } from './primary/x-transactions.ts'

const runs = { numRuns: 400 }
const credentialsOf = (lists: readonly (readonly Uint8Array[])[]) =>
  lists.map((each) => ({ kind: 'secp' as const, signatures: each }))
/** Views of other bytes and bytes of their own compare alike. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

describe('what avalanchejs writes', () => {
  test('P-Chain transactions of every type are read, and written alike', () => {
    fc.assert(
      fc.property(pModel, signatures, (model, signed) => {
        const bytes = writePTx(model, signed)
        const tx = decodePTx(bytes)
        expect(plain(tx.unsigned)).toEqual(plain(model))
        expect(plain(tx.credentials)).toEqual(plain(credentialsOf(signed)))
        expect(plain(tx.id)).toBe(plain(txIdOf(bytes)))
        expect(plain(encode(pTx, { unsigned: model, credentials: credentialsOf(signed) }))).toBe(
          `0000${plain(bytes)}`,
        )
      }),
      runs,
    )
  })

  test('X-Chain transactions are read, and written alike', () => {
    fc.assert(
      fc.property(xModel, signatures, (model, signed) => {
        const bytes = writeXTx(model, signed)
        const tx = decodeXTx(bytes)
        expect(plain(tx.unsigned)).toEqual(plain(model))
        expect(plain(tx.credentials)).toEqual(plain(credentialsOf(signed)))
        expect(plain(encode(xTx, { unsigned: model, credentials: credentialsOf(signed) }))).toBe(
          `0000${plain(bytes)}`,
        )
      }),
      runs,
    )
  })

  test('atomic transactions are read, alone and in a list, and written alike', () => {
    fc.assert(
      fc.property(atomicModel, signatures, (model, signed) => {
        const bytes = writeAtomicTx(model, signed)
        expect(plain(decodeAtomicTx(bytes).unsigned)).toEqual(plain(model))
        expect(plain(encode(atomicTx, { unsigned: model, credentials: credentialsOf(signed) }))).toBe(
          `0000${plain(bytes)}`,
        )
        const list = Buffer.concat([Buffer.from('000000000002', 'hex'), bytes, bytes])
        expect(decodeExtraData(list, model.blockchainId).map(({ unsigned }) => plain(unsigned))).toEqual([
          plain(model),
          plain(model),
        ])
      }),
      runs,
    )
  })
})

describe('operations, which avalanchejs does not write', () => {
  const hex = (...parts: string[]) => Buffer.from(parts.join(''), 'hex')
  const word = (value: number) => value.toString(16).padStart(8, '0')
  const asset = 'aa'.repeat(32)
  const owner = (tag: string) => `${'00'.repeat(7)}05${word(1)}${word(1)}${tag.repeat(20)}`
  const ownerOf = (tag: string) => ({ locktime: 5n, threshold: 1, addresses: [tag.repeat(20)] })
  const operationTx = (type: number, body: string) =>
    hex(
      word(2),
      word(5),
      '11'.repeat(32),
      word(0),
      word(0),
      word(0),
      word(1),
      asset,
      word(1),
      'bb'.repeat(32),
      word(3),
      word(type),
      word(1),
      word(0),
      body,
      word(0),
    )
  const cases: readonly (readonly [string, number, string, unknown])[] = [
    [
      'mints an amount',
      8,
      `${owner('01')}${'00'.repeat(7)}2a${owner('02')}`,
      [
        { type: 'MINT', owner: ownerOf('01') },
        { type: 'TRANSFER', amount: 42n, stakeableLocktime: 0n, owner: ownerOf('02') },
      ],
    ],
    [
      'mints an NFT for each owner',
      12,
      `${word(7)}${word(2)}cafe${word(2)}${owner('01')}${owner('02')}`,
      ['01', '02'].map((tag) => ({ type: 'NFT_TRANSFER', groupId: 7, payload: 'cafe', owner: ownerOf(tag) })),
    ],
    [
      'moves an NFT',
      13,
      `${word(7)}${word(2)}cafe${owner('02')}`,
      [{ type: 'NFT_TRANSFER', groupId: 7, payload: 'cafe', owner: ownerOf('02') }],
    ],
    [
      'mints a property',
      17,
      `${owner('01')}${owner('02')}`,
      [
        { type: 'PROPERTY_MINT', owner: ownerOf('01') },
        { type: 'PROPERTY_OWNED', owner: ownerOf('02') },
      ],
    ],
    ['burns a property', 18, '', []],
  ]

  test.each(cases)('%s', (_name, type, body, made) => {
    const { unsigned } = decodeXTx(operationTx(type, body))
    if (unsigned.type !== 'OperationTx') throw new Error('no operation')
    const [each] = unsigned.operations
    expect(plain(each?.references)).toEqual([{ txId: 'bb'.repeat(32), outputIndex: 3 }])
    expect(each && plain(operationOutputs(each.operation))).toEqual(made)
  })

  test('an operation of another type makes the transaction unknown, with its id', () => {
    const bytes = operationTx(20, '')
    expect(decodeXTx(bytes)).toMatchObject({ unsigned: { type: 'UNKNOWN' }, typeId: 2, id: txIdOf(bytes) })
  })
})

describe('vertices', () => {
  const chain = Buffer.alloc(32, 9)
  const vertex = (parents: Uint8Array[], txs: Uint8Array[]) => {
    const count = (size: number) => Buffer.from(size.toString(16).padStart(8, '0'), 'hex')
    const height = Buffer.from('0000000000000007', 'hex')
    const signed = txs.flatMap((each) => [count(each.length), each])
    return Buffer.concat([
      Buffer.alloc(2),
      chain,
      height,
      count(0),
      count(parents.length),
      ...parents,
      count(txs.length),
      ...signed,
    ])
  }
  const versioned = (tx: Uint8Array) => Buffer.concat([Buffer.alloc(2), tx])

  test('read back with their transactions, in the order of the hashes only', () => {
    fc.assert(
      fc.property(xModel, xModel, (one, two) => {
        const txs = [one, two].map((model) => versioned(writeXTx(model, [])))
        const [first, second] = txs.toSorted((a, b) => Buffer.compare(sha256(a), sha256(b)))
        if (!first || !second || first.equals(second)) return
        const parents = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
        const read = decodeVertex(vertex(parents, [first, second]))
        expect(plain(read.parents)).toEqual(parents.map(plain))
        expect(read.transactions.map((tx) => plain(tx.id))).toEqual(
          [first, second].map((tx) => plain(sha256(tx))),
        )
        expect(() => decodeVertex(vertex(parents, [second, first]))).toThrow('not sorted')
        expect(() => decodeVertex(vertex(parents.toReversed(), [first]))).toThrow('not sorted')
      }),
      { numRuns: 50 },
    )
  })

  test('have at most 128 parents, and something in them', () => {
    const parents = Array.from({ length: 129 }, (_, index) => Buffer.alloc(32, index))
    expect(() => decodeVertex(vertex(parents, []))).toThrow('lists too much')
    expect(() => decodeVertex(vertex([], []))).toThrow('empty')
  })
})

describe('bytes that are cut or turned', () => {
  const hexes = [
    ...recorded.pBlocks.map(({ hex }) => hex),
    ...recorded.xBlocks.map(({ hex }) => hex),
    ...recorded.pTxs.map(({ hex }) => hex),
    ...recorded.xTxs.map(({ hex }) => hex),
    ...recorded.atomicTxs.map(({ hex }) => hex),
    ...recorded.wrappers.slice(0, 6).map(({ hex }) => hex),
    ...recorded.utxos.flatMap(({ hex }) => hex),
    recorded.genesis.hex,
  ]
  const samples = hexes.map(fromCheckedHex)
  const decoders: ((bytes: Uint8Array) => unknown)[] = [
    decodePBlock,
    decodeXBlock,
    decodeVertex,
    decodeProposerWrapper,
    decodePGenesis,
    decodeXGenesis,
    decodeL1Message,
    (bytes) => decodePTx(bytes.subarray(2)),
    (bytes) => decodeXTx(bytes.subarray(2)),
    (bytes) => decodeAtomicTx(bytes.subarray(2)),
    (bytes) => decodeExtraData(bytes, Buffer.alloc(32)),
    (bytes) => decodeUtxo(bytes, 'P'),
    (bytes) => decodeUtxo(bytes, 'X'),
  ]
  /** Anything but a result and a CodecError is a crash. */
  const survive = (bytes: Uint8Array) => {
    for (const decode of decoders) {
      try {
        decode(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(CodecError)
      }
    }
  }

  test('give an error of the codec, whatever they are read as', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.nat(7), fc.nat(), (bytes, at, bit, cut) => {
        const turned = Uint8Array.from(bytes)
        const place = at % turned.length
        turned[place] = (turned[place] ?? 0) ^ (1 << bit)
        survive(turned)
        survive(bytes.subarray(0, cut % bytes.length))
      }),
      { numRuns: 1_000 },
    )
  })

  test('are refused before a list is made of a count that they cannot hold', () => {
    const claim = Buffer.concat([
      Buffer.from('00000000000300', 'hex'),
      Buffer.alloc(39),
      Buffer.alloc(4, 255),
    ])
    expect(() => decodePBlock(claim.subarray(1))).toThrow(CodecError)
    const count = new Reader(Buffer.concat([Buffer.alloc(4, 255), Buffer.alloc(1_000)]))
    expect(() => count.list(1, () => count.u8())).toThrow('a list of 4294967295 is too long')
    const long = new Reader(Buffer.concat([Buffer.from('000003e9', 'hex'), Buffer.alloc(1_000)]))
    expect(() => long.list(1, () => long.u8())).toThrow('a list of 1001 passes the end')
  })

  test('are refused when something follows', () => {
    for (const bytes of recorded.xBlocks.map(({ hex }) => fromCheckedHex(hex))) {
      expect(() => decodeXBlock(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow('left over')
    }
  })
})
