import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseLossless } from './json.ts'

test('integers above 2^53 keep their digits; all others are numbers', () => {
  const text =
    '{"a":9007199254740993,"b":-12345678901234567890,"c":9007199254740991,"d":[1e400000,0.1],"e":12345678901234567.5}'
  const value = parseLossless(text.replace('1e400000', '1e3')) as Record<string, unknown>
  expect(value['a']).toBe(9007199254740993n)
  expect(value['b']).toBe(-12345678901234567890n)
  expect(value['c']).toBe(9007199254740991)
  expect(value['d']).toEqual([1000, 0.1])
  expect(value['e']).toBe(Number('12345678901234567.5'))
})

test('digits inside strings stay strings, also behind escapes', () => {
  const value = {
    plain: '12345678901234567890',
    quoted: 'say "12345678901234567890"',
    slash: '\\',
    mark: '\u0000n12',
  }
  expect(parseLossless(JSON.stringify({ ...value, big: 0 }))).toEqual({ ...value, big: 0 })
  expect(parseLossless(`{"s":${JSON.stringify(value.quoted)},"n":12345678901234567890}`)).toEqual({
    s: value.quoted,
    n: 12345678901234567890n,
  })
})

test('no string becomes a number, whatever it holds', () => {
  const big = '12345678901234567890'
  const texts = ['\u0000n12', 'wide 0.5 12', `wide ${Math.random()} 12`]
  expect(parseLossless(JSON.stringify([...texts, 0]).replace(/0\]$/, `${big}]`))).toEqual([
    ...texts,
    BigInt(big),
  ])
})

test('parses everything that JSON.parse does, with the same result', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(
        JSON.stringify(parseLossless(text), (_, item: unknown) =>
          typeof item === 'bigint' ? Number(item) : item,
        ),
      ).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})
