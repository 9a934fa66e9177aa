import { type PUnsigned, readP } from './transactions.ts'
import { describe, expect, test } from 'vitest'
import recorded from './fixtures/l1.json' with { type: 'json' }
import { decodeL1Payload } from '../../protocol/warp/l1-payloads.ts'
import { blsKeyOf } from './keys.ts'
import { bytesOf } from '../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { conversionId, l1Message, readL1Message, validationIdOf } from './warp.ts'

function unsignedOf(hex: string): PUnsigned {
  return readP(bytesOf(hex)).unsigned
}

// Transactions and ids recorded from avalanchego 1.14.0 on local networks.
describe('messages of an L1', () => {
  test('register a validator under the id that the node gives it, and change its weight', () => {
    const register = unsignedOf(recorded.register)
    const setWeight = unsignedOf(recorded.setWeight)
    if (register.type !== 'RegisterL1ValidatorTx' || setWeight.type !== 'SetL1ValidatorWeightTx') {
      throw new Error('other transactions were recorded')
    }
    const registered = readL1Message(bytesOf(register.message))
    expect(registered.message).toMatchObject({ type: 'RegisterL1Validator', weight: 3n })
    expect(cb58(registered.id)).toBe(recorded.registeredAs)
    const weight = readL1Message(bytesOf(setWeight.message))
    expect(weight.message).toEqual({
      type: 'L1ValidatorWeight',
      validationId: registered.id,
      nonce: 0n,
      weight: 4n,
    })
    // Built again with generated keys, everything except the signature is the same.
    const again = l1Message('00'.repeat(32), weight.manager, decodeL1Payload(weight.payload), [blsKeyOf('a')])
    const expected = bytesOf(setWeight.message)
    // Network 5, and another chain.
    expected.set([0, 0, 0, 5, ...new Uint8Array(32)], 2)
    expect(new Uint8Array(again.subarray(0, -96))).toEqual(expected.subarray(0, -96))
  })

  test('give a conversion and its first validator the ids that the node gives them', () => {
    const convert = unsignedOf(recorded.convert)
    if (convert.type !== 'ConvertSubnetToL1Tx') throw new Error('another transaction was recorded')
    const { subnetId, managerChainId, managerAddress, validators } = convert
    expect(cb58(conversionId(subnetId, managerChainId, managerAddress, validators))).toBe(
      recorded.conversionId,
    )
    expect(cb58(validationIdOf(subnetId, 0))).toBe(recorded.convertedAs)
  })
})
