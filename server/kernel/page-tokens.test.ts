import { assert, integer, maxSafeInteger, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'
import { HttpError } from './http-errors.ts'
import { createPageTokens, pageTokenLife } from './page-tokens.ts'

const scope = { operation: 'listBlocks', filters: { chainId: '43113', sortOrder: 'desc' } }
const otherScopes = [
  { ...scope, operation: 'listTransactions' },
  { ...scope, filters: { ...scope.filters, chainId: '1' } },
  { ...scope, filters: { ...scope.filters, sortOrder: 'asc' } },
  { ...scope, filters: { ...scope.filters, startBlock: 5 } },
]

function setUp(secret = 'secret') {
  const time = { now: 1_790_000_000 }
  return { time, pageTokens: createPageTokens(Buffer.from(secret), () => time.now) }
}

function refusal(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error instanceof HttpError ? `${error.status} ${String(error.detail)}` : error
  }
}

test('a page token of the data API returns its position, regardless of the order of the filters', () => {
  const { pageTokens } = setUp()
  const pageToken = pageTokens.sealData(scope, ['18446744073709551615', 7])
  const reordered = { ...scope, filters: { sortOrder: 'desc', chainId: '43113', endBlock: undefined } }
  expect(pageTokens.openData(reordered, pageToken)).toEqual(['18446744073709551615', 7])
})

test('a page token of the data API works for its own list only', () => {
  const { pageTokens } = setUp()
  const pageToken = pageTokens.sealData(scope, ['5'])
  for (const other of otherScopes) {
    expect(refusal(() => pageTokens.openData(other, pageToken))).toBe(
      '400 pageToken: was not made for this request',
    )
  }
  expect(refusal(() => setUp('another').pageTokens.openData(scope, pageToken))).toMatch(/^400/)
})

test('every change of a page token is refused', () => {
  const { pageTokens } = setUp()
  const pageToken = pageTokens.sealData(scope, ['5'])
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let index = 0; index < pageToken.length; index += 1) {
    const letter = letters[(letters.indexOf(pageToken.charAt(index)) + 1) % 64]
    const changed = pageToken.slice(0, index) + letter + pageToken.slice(index + 1)
    expect(refusal(() => pageTokens.openData(scope, changed))).toMatch(/^400 pageToken/)
  }
  for (const foreign of [
    '',
    'x',
    '=',
    pageToken + 'A',
    pageToken.slice(1),
    `${pageToken}=`,
    ` ${pageToken}`,
    '\u0000',
  ]) {
    expect(refusal(() => pageTokens.openData(scope, foreign))).toMatch(/^400 pageToken/)
  }
})

test('a page token of the data API expires', () => {
  const { pageTokens, time } = setUp()
  const pageToken = pageTokens.sealData(scope, ['5'])
  time.now += pageTokenLife
  expect(pageTokens.openData(scope, pageToken)).toEqual(['5'])
  time.now += 1
  expect(refusal(() => pageTokens.openData(scope, pageToken))).toMatch(/^400 pageToken: has expired/)
})

test('a page token of the metrics API is a UUID of version 8 that returns its position', () => {
  const { pageTokens } = setUp()
  assert(
    property(oneof(integer({ min: 0, max: 2 ** 31 - 1 }), maxSafeInteger().map(Math.abs)), (position) => {
      const pageToken = pageTokens.sealMetrics(scope, position)
      expect(pageToken).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(pageTokens.openMetrics(scope, pageToken)).toBe(position)
      expect(pageTokens.openMetrics(scope, pageToken.toUpperCase())).toBe(position)
    }),
  )
})

test.each([0, 2 ** 34 - 1, 2 ** 34, 1_790_000_000_000, 2 ** 53 - 1])(
  'a page token of the metrics API holds the time %i, and no other is taken for it',
  (position) => {
    const { pageTokens } = setUp()
    const pageToken = pageTokens.sealMetrics(scope, position)
    expect(pageToken).toHaveLength(36)
    expect(pageTokens.openMetrics(scope, pageToken)).toBe(position)
    for (let index = 0; index < pageToken.length; index += 1) {
      if (pageToken.charAt(index) === '-') continue
      const digit = (Number.parseInt(pageToken.charAt(index), 16) ^ 1).toString(16)
      const changed = pageToken.slice(0, index) + digit + pageToken.slice(index + 1)
      expect(refusal(() => pageTokens.openMetrics(scope, changed))).toMatch(/^400/)
    }
  },
)

test.each([-1, 0.5, 2 ** 53, Number.NaN])('a page token cannot hold %d', (position) => {
  expect(() => setUp().pageTokens.sealMetrics(scope, position)).toThrow(RangeError)
})

test('a page token of the metrics API restarts the listing after 24 hours', () => {
  const { pageTokens, time } = setUp()
  expect(pageTokenLife).toBe(86_400)
  const pageToken = pageTokens.sealMetrics(scope, 1_789_948_800)
  time.now += 86_400
  expect(pageTokens.openMetrics(scope, pageToken)).toBe(1_789_948_800)
  time.now += 1
  expect(pageTokens.openMetrics(scope, pageToken)).toBeUndefined()
})

test('foreign, altered and malformed page tokens of the metrics API are refused', () => {
  const { pageTokens, time } = setUp()
  const pageToken = pageTokens.sealMetrics(scope, 1_789_948_800)
  for (const other of otherScopes) {
    expect(refusal(() => pageTokens.openMetrics(other, pageToken))).toMatch(/^400/)
  }
  for (let index = 0; index < pageToken.length; index += 1) {
    if (pageToken.charAt(index) === '-') continue
    const digit = ((Number.parseInt(pageToken.charAt(index), 16) + 1) % 16).toString(16)
    const changed = pageToken.slice(0, index) + digit + pageToken.slice(index + 1)
    expect(refusal(() => pageTokens.openMetrics(scope, changed))).toMatch(/^400/)
  }
  for (const foreign of [
    '',
    'next',
    '6f1f0a5e-7b7e-4b8e-9d0e-0f8f6f1f0a5e',
    `${pageToken} `,
    `{${pageToken}}`,
  ]) {
    expect(refusal(() => pageTokens.openMetrics(scope, foreign))).toMatch(/^400/)
  }
  // A forged token must not count as an expired one, which would be accepted.
  time.now += 10 * 86_400
  expect(refusal(() => pageTokens.openMetrics(otherScopes[0] ?? scope, pageToken))).toMatch(/^400/)
})

test('a wide page token is bound as one of the data API, and restarts the listing after 24 hours', () => {
  const { pageTokens, time } = setUp()
  const position = [12, `0x${'ab'.repeat(20)}`, 'walk']
  const pageToken = pageTokens.sealWide(scope, position)
  time.now += 86_400
  expect(pageTokens.openWide(scope, pageToken)).toEqual(position)
  for (const other of otherScopes)
    expect(refusal(() => pageTokens.openWide(other, pageToken))).toMatch(/^400/)
  // A token of another kind contains a position of another list.
  expect(refusal(() => pageTokens.openData(scope, pageToken))).toMatch(/^400/)
  expect(refusal(() => pageTokens.openWide(scope, pageTokens.sealData(scope, position)))).toMatch(/^400/)
  time.now += 1
  expect(pageTokens.openWide(scope, pageToken)).toBeUndefined()
  expect(refusal(() => pageTokens.openWide(scope, `${pageToken}A`))).toMatch(/^400/)
})
