import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { transferOf } from '../../../verify/transfers.ts'
import { Random } from '../../testing/random.ts'
import {
  rangeTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from '../../../store/evm/transfer-logs.ts'
import { tokenTransfers } from '../../../tokens/abi/token-transfers.ts'
import { readMovements, readTransfer } from './transfers.ts'

const token = '0x00000000000000000000000000000000000000c3'
const alice = '0x00000000000000000000000000000000000000a1'
const bob = '0x00000000000000000000000000000000000000b2'
const topic = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`
const words = (...values: (number | bigint)[]) =>
  `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`
const any = `0x${'9'.repeat(64)}`
const pair = [topic(alice), topic(bob)]
const batch = [transferBatchTopic, topic(bob), ...pair]

describe('readTransfer', () => {
  test.each([
    ['ERC-20', [transferTopic, ...pair], words(5), 20, [{ id: '-1', value: 5n }]],
    ['ERC-721', [transferTopic, ...pair, words(8)], '0x', 721, [{ id: '8', value: 1n }]],
    ['a single', [transferSingleTopic, topic(bob), ...pair], words(1, 2), 1155, [{ id: '1', value: 2n }]],
    ['a batch of one', batch, words(64, 128, 1, 7, 1, 8), 1155, [{ id: '7', value: 8n }]],
    [
      'the same id twice',
      batch,
      words(64, 160, 2, 7, 7, 2, 8, 0),
      1155,
      [
        { id: '7', value: 8n },
        { id: '7', value: 0n },
      ],
    ],
    ['an empty batch', batch, words(64, 96, 0, 0), 1155, []],
  ])('reads %s', (_name, topics, data, kind, moved) => {
    expect(readMovements(token, topics, data)).toEqual({
      token,
      kind,
      from: alice,
      to: bob,
      count: moved.length,
      moved,
    })
  })

  test.each([
    ['an indexed value', [transferTopic, topic(alice), topic(bob)], '0x'],
    ['nothing indexed', [transferTopic], words(1, 2, 3)],
    ['an ERC-721 with data', [transferTopic, topic(alice), topic(bob), words(1)], words(1)],
    ['a party that is not an address', [transferTopic, any, topic(bob)], words(1)],
    ['a short single', [transferSingleTopic, topic(bob), topic(alice), topic(bob)], words(1)],
    ['a batch of unequal lists', batch, words(64, 128, 1, 7, 0)],
    ['a batch that ends early', batch, words(64, 96, 1)],
    ['a batch with a giant offset', batch, words(2 ** 40, 64, 0)],
  ])('calls it malformed: %s', (_name, topics, data) => {
    expect(readTransfer(topics, data)).toBe('malformed')
    expect(readMovements(token, topics, data)).toBeUndefined()
  })

  test('leaves other events alone', () => {
    expect(readTransfer([], '0x')).toBeUndefined()
    expect(readTransfer([any, topic(alice), topic(bob)], words(1))).toBeUndefined()
  })

  test('reads back every batch that an ABI encoder writes', () => {
    const random = new Random(5)
    for (let round = 0; round < 200; round += 1) {
      const items = Array.from({ length: random.between(0, 40) }, () => ({
        id: BigInt(random.bytes(random.between(1, 32))),
        value: BigInt(random.bytes(random.between(1, 32))),
      }))
      const lists = [items.map(({ id }) => id), items.map(({ value }) => value)] as const
      const data = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], lists)
      expect(readMovements(token, batch, data)).toMatchObject({
        moved: items.map(({ id, value }) => ({ id: id.toString(), value })),
      })
    }
  })

  test('takes and refuses the same data as the checker, whatever the offsets and lengths', () => {
    const random = new Random(6)
    let taken = 0
    for (let round = 0; round < 3_000; round += 1) {
      const size = random.between(2, 9)
      const data = words(
        ...Array.from({ length: size }, () =>
          random.chance(0.6) ? 32 * random.between(0, size) : random.between(0, 3),
        ),
      ).slice(0, random.chance(0.1) ? -random.between(1, 40) * 2 : undefined) as Hex
      const read = readMovements(token, batch, data)
      const checked = transferOf({ address: token, topics: batch, data })
      if (!read) expect(checked, data).toBeUndefined()
      else {
        taken += 1
        expect(
          checked?.items.map(({ id, value }) => ({ id: `${id}`, value })),
          data,
        ).toEqual(read.moved)
      }
    }
    expect(taken).toBeGreaterThan(100)
  })

  test('reads ranges of NFTs as the checker and as the lists do', () => {
    const random = new Random(7)
    const edges = [0n, 1n, 2n, 5_000n, 2n ** 255n, 2n ** 256n - 2n, 2n ** 256n - 1n]
    let taken = 0
    for (let round = 0; round < 400; round += 1) {
      const [first, last] = [random.pick(edges), random.pick(edges)]
      const parties = random.chance(0.1) ? [any, topic(bob)] : [topic(alice), topic(bob)]
      const topics = [rangeTopic, words(first), ...parties].slice(0, random.chance(0.1) ? 3 : 4)
      const data = random.chance(0.1) ? '0x' : words(last)
      const read = readMovements(token, topics, data)
      const checked = transferOf({ address: token, topics, data })
      const listed = tokenTransfers({ index: 0, address: token, topics, data })
      expect(checked?.items.map(({ id, value }) => ({ id: `${id}`, value }))).toEqual(read?.moved)
      expect(listed.map(({ tokenId, value }) => ({ id: tokenId, value: BigInt(value) }))).toEqual(
        read?.moved ?? [],
      )
      if (!read) continue
      taken += 1
      expect(read).toMatchObject({ kind: 721, from: alice, to: bob, count: 1 })
      expect(read.moved).toEqual([{ id: `${first}`, value: last - first + 1n }])
      expect(listed[0]?.lastTokenId).toBe(last > first ? `${last}` : undefined)
    }
    expect(taken).toBeGreaterThan(100)
  })
})
