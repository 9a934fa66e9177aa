import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { transferBatchTopic, transferSingleTopic, transferTopic } from '../../../store/evm/transfer-logs.ts'
import { BinaryRows } from '../../../store/copy-binary.ts'
import { writeHex } from '../../../kernel/hex-bytes.ts'
import { readTransfers } from './transfer-rows.ts'
import { readMovements } from './transfers.ts'

const hexText = (least: number, max = least) =>
  fc
    .uint8Array({ minLength: least, maxLength: max })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const smallWord = fc.integer({ min: 0, max: 96 }).map((value) => `0x${value.toString(16).padStart(64, '0')}`)
const addressWord = hexText(20).map((address) => `0x${'0'.repeat(24)}${address.slice(2)}`)
const word = fc.oneof(hexText(32), addressWord, smallWord)
const topic0 = fc.constantFrom(transferTopic, transferSingleTopic, transferBatchTopic, `0x${'ab'.repeat(32)}`)
const erc20 = fc.record({
  address: hexText(20),
  topics: fc.tuple(fc.constant(transferTopic), addressWord, addressWord),
  data: word,
})
const anyLog = fc.record({
  address: fc.oneof(fc.constant(`0x${'11'.repeat(20)}`), hexText(20)),
  topics: fc.oneof(
    fc.tuple(topic0, addressWord, addressWord),
    fc.tuple(topic0, addressWord, addressWord, addressWord),
    fc.tuple(topic0, word, word),
    fc.array(word, { maxLength: 4 }),
  ),
  data: fc.oneof(
    word,
    fc.constant('0x'),
    hexText(0, 70),
    fc.array(smallWord, { maxLength: 8 }).map((words) => `0x${words.map((text) => text.slice(2)).join('')}`),
  ),
})

const log = fc.oneof(anyLog, erc20)

/** Rows as decoding writes them. */
function rowsOf(logs: readonly { address: string; topics: readonly string[]; data: string }[]): Buffer {
  const rows = new BinaryRows(logs.reduce((size, { data }) => size + 300 + data.length, 0))
  for (const [index, { address, topics, data }] of logs.entries()) {
    rows.row(10)
    rows.bigint(99_999)
    rows.bigint(7)
    rows.integer(index)
    rows.integer(0)
    rows.hex(address, 'an address', 20)
    for (const position of [0, 1, 2, 3]) {
      const topic = topics[position]
      if (topic === undefined) rows.null()
      else rows.hex(topic, 'a topic', 32)
    }
    rows.hex(data, 'the data')
  }
  return rows.whole()
}

describe('the transfers in rows of logs', () => {
  test('equal those in the texts of the logs, in order', () => {
    let count = 0
    fc.assert(
      fc.property(fc.array(log, { maxLength: 12 }), (logs) => {
        const expected = logs.flatMap(
          ({ address, topics, data }) => readMovements(address, topics, data) ?? [],
        )
        count += expected.filter(({ kind }) => kind === 20).length
        expect(readTransfers({ logs: rowsOf(logs) })).toEqual(expected)
      }),
      { numRuns: 300 },
    )
    expect(count).toBeGreaterThan(50)
  })

  test('have amounts of up to 256 bits', () => {
    const topics = [transferTopic, `0x${'0'.repeat(63)}1`, `0x${'0'.repeat(63)}2`]
    const amounts = [0n, 1n, 2n ** 64n, 2n ** 128n - 1n, 2n ** 192n + 5n, 2n ** 256n - 1n]
    const logs = amounts.map((value) => ({
      address: `0x${'22'.repeat(20)}`,
      topics,
      data: `0x${value.toString(16).padStart(64, '0')}`,
    }))
    expect(readTransfers({ logs: rowsOf(logs) }).map(({ moved }) => moved[0]?.value)).toEqual(amounts)
  })
})

describe('writing hex', () => {
  test('writes digits in either case and of any length, and refuses other text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, upper) => {
        const digits = Buffer.from(bytes).toString('hex')
        const output = Buffer.alloc(bytes.length + 2)
        expect(writeHex(output, `0x${upper ? digits.toUpperCase() : digits}`, 1)).toBe(true)
        expect(output).toEqual(Buffer.from([0, ...bytes, 0]))
      }),
    )
    for (const text of [
      '0x1',
      '0x1g',
      '0xg1',
      '0x /',
      '0xŁ1',
      `0x${'00'.repeat(200)}0g`,
      `0x${'00'.repeat(200)}0`,
    ]) {
      expect(writeHex(Buffer.alloc(300), text, 0)).toBe(false)
    }
  })
})
