import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { HttpError } from './http-errors.ts'
import { createPageTokens, dataTokenLife, metricsTokenLife } from './page-tokens.ts'

const scope = { operation: 'listBlocks', filters: { chainId: '43113', sortOrder: 'desc' } }
const otherScopes = [
  { ...scope, operation: 'listTransactions' },
  { ...scope, filters: { ...scope.filters, chainId: '1' } },
  { ...scope, filters: { ...scope.filters, sortOrder: 'asc' } },
  { ...scope, filters: { ...scope.filters, startBlock: 5 } },
]

function setUp(secret = 'secret') {
  const time = { now: 1_790_000_000 }
  return { time, tokens: createPageTokens(Buffer.from(secret), () => time.now) }
}

function refusal(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error instanceof HttpError ? `${error.status} ${String(error.detail)}` : error
  }
}

test('a data token gives back its position, whatever the order of the filters', () => {
  const { tokens } = setUp()
  const token = tokens.sealData(scope, ['18446744073709551615', 7])
  const reordered = { ...scope, filters: { sortOrder: 'desc', chainId: '43113', endBlock: undefined } }
  expect(tokens.openData(reordered, token)).toEqual(['18446744073709551615', 7])
})

test('a data token works for its own list only', () => {
  const { tokens } = setUp()
  const token = tokens.sealData(scope, ['5'])
  for (const other of otherScopes) {
    expect(refusal(() => tokens.openData(other, token))).toBe('400 pageToken: was not made for this request')
  }
  expect(refusal(() => setUp('another').tokens.openData(scope, token))).toMatch(/^400/)
})

test('every change of a data token is refused', () => {
  const { tokens } = setUp()
  const token = tokens.sealData(scope, ['5'])
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let index = 0; index < token.length; index += 1) {
    const letter = letters[(letters.indexOf(token.charAt(index)) + 1) % 64]
    const changed = token.slice(0, index) + letter + token.slice(index + 1)
    expect(refusal(() => tokens.openData(scope, changed))).toMatch(/^400 pageToken/)
  }
  for (const foreign of ['', 'x', '=', token + 'A', token.slice(1), `${token}=`, ` ${token}`, '\u0000']) {
    expect(refusal(() => tokens.openData(scope, foreign))).toMatch(/^400 pageToken/)
  }
})

test('a data token ends with its life', () => {
  const { tokens, time } = setUp()
  const token = tokens.sealData(scope, ['5'])
  time.now += dataTokenLife
  expect(tokens.openData(scope, token)).toEqual(['5'])
  time.now += 1
  expect(refusal(() => tokens.openData(scope, token))).toMatch(/^400 pageToken: has expired/)
})

test('a metrics token is a UUID of version 8 that gives back its position', () => {
  const { tokens } = setUp()
  assert(
    property(integer({ min: 0, max: 2 ** 34 - 1 }), (position) => {
      const token = tokens.sealMetrics(scope, position)
      expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(tokens.openMetrics(scope, token)).toBe(position)
      expect(tokens.openMetrics(scope, token.toUpperCase())).toBe(position)
    }),
  )
})

test('a metrics token restarts the listing after 24 hours', () => {
  const { tokens, time } = setUp()
  expect(metricsTokenLife).toBe(86_400)
  const token = tokens.sealMetrics(scope, 1_789_948_800)
  time.now += 86_400
  expect(tokens.openMetrics(scope, token)).toBe(1_789_948_800)
  time.now += 1
  expect(tokens.openMetrics(scope, token)).toBeUndefined()
})

test('foreign, altered and malformed metrics tokens are refused', () => {
  const { tokens, time } = setUp()
  const token = tokens.sealMetrics(scope, 1_789_948_800)
  for (const other of otherScopes) {
    expect(refusal(() => tokens.openMetrics(other, token))).toMatch(/^400/)
  }
  for (let index = 0; index < token.length; index += 1) {
    if (token.charAt(index) === '-') continue
    const digit = ((Number.parseInt(token.charAt(index), 16) + 1) % 16).toString(16)
    const changed = token.slice(0, index) + digit + token.slice(index + 1)
    expect(refusal(() => tokens.openMetrics(scope, changed))).toMatch(/^400/)
  }
  for (const foreign of ['', 'next', '6f1f0a5e-7b7e-4b8e-9d0e-0f8f6f1f0a5e', `${token} `, `{${token}}`]) {
    expect(refusal(() => tokens.openMetrics(scope, foreign))).toMatch(/^400/)
  }
  // A forged token must not pass as an expired one, which would be answered.
  time.now += 10 * 86_400
  expect(refusal(() => tokens.openMetrics(otherScopes[0] ?? scope, token))).toMatch(/^400/)
})

test('a wide metrics token is bound like a data token, and restarts the listing after 24 hours', () => {
  const { tokens, time } = setUp()
  const position = [12, `0x${'ab'.repeat(20)}`, 'walk']
  const token = tokens.sealWide(scope, position)
  time.now += 86_400
  expect(tokens.openWide(scope, token)).toEqual(position)
  for (const other of otherScopes) expect(refusal(() => tokens.openWide(other, token))).toMatch(/^400/)
  // A token of another kind holds a position of another list.
  expect(refusal(() => tokens.openData(scope, token))).toMatch(/^400/)
  expect(refusal(() => tokens.openWide(scope, tokens.sealData(scope, position)))).toMatch(/^400/)
  time.now += 1
  expect(tokens.openWide(scope, token)).toBeUndefined()
  expect(refusal(() => tokens.openWide(scope, `${token}A`))).toMatch(/^400/)
})
