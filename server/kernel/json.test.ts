import { expect, test } from 'vitest'
import { hex } from './json.ts'

test('hex is text of whole bytes, in lower case whatever its case was', () => {
  expect(hex('0x', 'it')).toBe('0x')
  expect(hex('0x00ff9a', 'it')).toBe('0x00ff9a')
  expect(hex('0xABcd', 'it', 2)).toBe('0xabcd')
  for (const text of [
    '',
    '0',
    '00ff',
    '0X00',
    '0x0',
    '0xg0',
    '0x/0',
    '0x:0',
    '0x`0',
    '0x0\n',
    '\n0x00',
    '0x\u01300',
    7,
    null,
  ])
    expect(() => hex(text, 'it'), JSON.stringify(text)).toThrow('it is not hex text')
  expect(() => hex('0x00', 'it', 2)).toThrow('it is not 2 bytes long')
})
