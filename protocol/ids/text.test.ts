import { describe, expect, test } from 'vitest'
import { addressOfText, addressText, cb58, fromCb58, fromCheckedHex, hexText, nodeIdOfText } from './text.ts'

const address = 'P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'
const addressHex = '0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c'

describe('text forms', () => {
  test('of an address are those of a real node, with or without a chain', () => {
    expect(hexText(addressOfText(address, 'local'))).toBe(addressHex)
    expect(hexText(addressOfText(address.slice(2), 'local'))).toBe(addressHex)
    expect(`P-${addressText(addressOfText(address, 'local'), 'local')}`).toBe(address)
  })

  test('of the P-Chain is its id, whose bytes are all zero', () => {
    expect(cb58(new Uint8Array(32))).toBe('11111111111111111111111111111111LpoYY')
  })

  test('are refused with a wrong checksum, length, alphabet or prefix', () => {
    const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
    expect(nodeIdOfText(node)).toHaveLength(20)
    expect(() => nodeIdOfText(node.replace('7X', '8X'))).toThrow('the checksum does not fit')
    expect(() => nodeIdOfText(node.slice(7))).toThrow('begins with NodeID-')
    expect(() => fromCb58('11111111111111111111111111111111LpoYY', 20)).toThrow('32 bytes, not 20')
    expect(() => fromCb58('0OIl', 32)).toThrow('base 58')
    expect(() => fromCb58('1'.repeat(1_000), 32)).toThrow('too long')
    expect(() => addressOfText(address, 'fuji')).toThrow('begin with fuji1')
    expect(() => addressOfText(address.replace('96u', '96v'), 'local')).toThrow('the checksum does not fit')
    expect(() => addressOfText('local1', 'local')).toThrow('bech32')
    for (const text of [address.toUpperCase(), address.replace('P-', 'C-'), address.replace('P-', 'x-')])
      expect(addressOfText(text, 'local')).toEqual(addressOfText(address, 'local'))
    expect(() => fromCheckedHex('0x000000000000')).toThrow('checksum')
  })
})
