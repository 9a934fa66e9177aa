import { expect, test } from 'vitest'
import { purposeOf } from './decoded.tsx'

const hex = (text: string): string => `0x${Buffer.from(text).toString('hex')}`

test('a message of a contract says its payload where that is text', () => {
  const says = (payload: string | undefined) =>
    purposeOf({ payloadKind: 'AddressedCall', ...(payload !== undefined && { payload }) })
  expect(says(hex('gm from Harbor'))).toBe('“gm from Harbor”')
  for (const bytes of [undefined, '0x', '0x00ff', hex('a‮b')])
    expect(says(bytes)).toBe('A message of a contract')
})

test('a message of a contract that is not text names the contract', () => {
  const sourceAddress = `0x12345678${'0'.repeat(26)}abcdef`
  const says = (payload: string) => purposeOf({ payloadKind: 'AddressedCall', payload, sourceAddress })
  expect(says('0x00ff')).toBe('A message of 0x1234…cdef')
  expect(says(hex('gm'))).toBe('“gm”')
})

test('a message to or from the P-Chain says its kind, whatever its bytes', () => {
  const l1Message = { type: 'L1ValidatorRegistration', registered: true } as const
  expect(purposeOf({ payloadKind: 'AddressedCall', payload: hex('text'), l1Message })).toBe(
    'A validator was registered',
  )
})
