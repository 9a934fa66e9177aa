import { describe, expect, test } from 'vitest'
import { describeRefusal } from './refusals.ts'

const chain = Buffer.alloc(32, 0xcc)

describe('refusals', () => {
  test('are explained with the message of the refusing chain', () => {
    expect(describeRefusal(new Uint8Array(32), 7, 'mismatched\n\u202econversionID')).toBe(
      'the conversion ID is another (7: mismatched conversionID)',
    )
    expect(describeRefusal(chain, 2, '')).toBe('the chain has not accepted it (2)')
    expect(describeRefusal(chain, 99, 'x'.repeat(5_000))).toHaveLength(
      'the validator refused (99: )'.length + 200,
    )
  })
})
