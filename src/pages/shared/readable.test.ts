import { assert, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { readBytes } from './readable.ts'

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

test('shows printable UTF-8 as text, in any script and over several lines', () => {
  for (const text of ['hello', 'zażółć gęślą jaźń', '日本語 🏔️', 'a\r\nb\tc', ' '])
    expect(readBytes(hex(Buffer.from(text)))).toEqual({ kind: 'text', text })
})

test('shows text with control and direction characters as bytes', () => {
  for (const bytes of [
    '00',
    '616200',
    'e280ae6d6f63',
    'efbbbf61',
    'e2808b',
    'ff',
    'c3',
    'eda080',
    '1b5b336d',
  ])
    expect(readBytes(`0x${bytes}`)).toEqual({ kind: 'bytes', hex: `0x${bytes}` })
})

test('treats a missing memo as empty, and reads text instead of hex', () => {
  for (const memo of [undefined, '', '0x']) expect(readBytes(memo)).toEqual({ kind: 'empty' })
  expect(readBytes('0xzz')).toEqual({ kind: 'text', text: '0xzz' })
  expect(readBytes('plain')).toEqual({ kind: 'text', text: 'plain' })
})

test('loses nothing of a memo', () => {
  assert(
    property(uint8Array({ minLength: 1, maxLength: 256 }), (bytes) => {
      const memo = readBytes(hex(bytes))
      const back = memo.kind === 'text' ? hex(Buffer.from(memo.text)) : memo.kind === 'bytes' ? memo.hex : ''
      expect(back).toBe(hex(bytes))
    }),
  )
})
