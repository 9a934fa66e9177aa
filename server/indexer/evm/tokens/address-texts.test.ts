import { expect, test } from 'vitest'
import { Random } from '../../testing/random.ts'
import { addressText } from './address-texts.ts'

test('gives the text of any address, also of those that share a place with others', () => {
  const random = new Random(3)
  const tails = Array.from({ length: 40 }, () => random.bytes(2).slice(2))
  for (let round = 0; round < 4_000; round += 1) {
    const text = `0x${random.bytes(18).slice(2)}${tails[round % tails.length]}`
    const again = random.chance(0.5) ? 2 : 1
    for (let time = 0; time < again; time += 1) {
      expect(addressText(Buffer.from(`ffff${text.slice(2)}ff`, 'hex'), 2)).toBe(text)
    }
  }
})
