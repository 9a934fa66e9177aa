import { bech32 } from '@scure/base'
import { expect, test } from 'vitest'
import { ownersOf } from './owners.ts'

const addressOf = (prefix: string, seed: number): string =>
  bech32.encode(prefix, bech32.toWords(Uint8Array.from({ length: 20 }, (_, index) => (index * seed) % 256)))

test('accepts the addresses that a library encodes', () => {
  for (const prefix of ['avax', 'fuji', 'custom'])
    for (const seed of [0, 1, 7, 251])
      expect(ownersOf(addressOf(prefix, seed))).toEqual([addressOf(prefix, seed)])
})

test('refuses an address with one wrong character, or of another network', () => {
  const address = addressOf('fuji', 7)
  for (let at = 5; at < address.length; at++) {
    const wrong = address[at] === 'q' ? 'p' : 'q'
    expect(ownersOf(`${address.slice(0, at)}${wrong}${address.slice(at + 1)}`)).toBeUndefined()
  }
  expect(ownersOf(address.replace('fuji', 'avax'))).toBeUndefined()
})
