import { expect, test } from 'vitest'
import { addressText, cb58, nodeIdText } from '../../../protocol/ids/text.ts'
import type { WatchKind } from '../../lib/storage/watch-list.ts'
import { hasChecksum } from './checksums.ts'

const bytes = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => (index * 37 + 11) % 256)

/** The text with its character at a place replaced by another of the alphabet. */
const mistyped = (text: string, at: number): string => {
  const letter = text.at(at) === '2' ? '3' : '2'
  return text.slice(0, at) + letter + text.slice(at + 1)
}

// The addresses of the test cases in EIP-55; the node ID of a local network of AvalancheGo; ids by the service's codec.
const right: [WatchKind, string][] = [
  ['address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['address', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['token', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  ['token', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  ['validator', 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'],
  ['validator', nodeIdText(bytes(20))],
  ['l1Validator', cb58(bytes(32))],
  ['wallet', addressText(bytes(20), 'fuji')],
  ['wallet', `P-${addressText(bytes(20), 'avax')}`],
]

test.each(right)('the checksum of the %s %s is right', (kind, text) => {
  expect(hasChecksum(kind, text)).toBe(true)
})

test.each(right)('one wrong character of the %s %s is noticed, wherever it is', (kind, text) => {
  const start =
    text.indexOf('1') >= 0 && kind === 'wallet' ? text.indexOf('1') + 1 : kind === 'validator' ? 7 : 2
  for (let at = start; at < text.length; at += 1)
    if (!/[0-9]/.test(text[at] ?? '') || kind !== 'address')
      expect(hasChecksum(kind, mistyped(text, at)), mistyped(text, at)).toBe(false)
})

test('letters of the wrong case are noticed, but an address in one case has no checksum', () => {
  expect(hasChecksum('address', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(false)
  expect(hasChecksum('address', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(true)
  expect(hasChecksum('address', '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED')).toBe(true)
})
