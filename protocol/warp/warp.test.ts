import {
  Address,
  BigIntPr,
  BlsPublicKey,
  Bool,
  Bytes,
  Id,
  Int,
  NodeId,
  PChainOwner,
  pvmSerial,
} from '@avalabs/avalanchejs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CodecError } from '../codec/reader.ts'
import { cb58, fromHex, hexText, idOfText } from '../ids/text.ts'
import recorded from './fixtures/recorded.json' with { type: 'json' }
import {
  decodeJustification,
  encodeJustification,
  JustificationError,
  validationOf,
} from './justification.ts'
import {
  conversionIdOf,
  decodeL1Payload,
  encodeL1Payload,
  pChainMessage,
  registeredValidationId,
  type L1Payload,
} from './l1-payloads.ts'
import { bitSetOf, decodeSigned, encodeSigned } from './signed-message.ts'
import { decodePayload, decodeUnsigned, encodePayload, encodeUnsigned, messageIdOf } from './warp-messages.ts'

const runs = { numRuns: 300 }
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const owner = fc.record({
  threshold: fc.nat(),
  addresses: fc.array(bytes(20), { maxLength: 4 }),
})
const l1Payload: fc.Arbitrary<L1Payload> = fc.oneof(
  fc.record({ type: fc.constant('SubnetToL1Conversion' as const), conversionId: bytes(32) }),
  fc.record({
    type: fc.constant('RegisterL1Validator' as const),
    subnetId: bytes(32),
    nodeId: bytes(20),
    // avalanchejs takes a point of the curve only.
    publicKey: fc.constantFrom(...recorded.conversion.validators.map((each) => fromHex(each.publicKey))),
    expiry: u64,
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight: u64,
  }),
  fc.record({
    type: fc.constant('L1ValidatorRegistration' as const),
    validationId: bytes(32),
    registered: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('L1ValidatorWeight' as const),
    validationId: bytes(32),
    nonce: u64,
    weight: u64,
  }),
)
/** Views of other bytes and bytes of their own compare alike. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return hexText(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
const { emitted, conversion } = recorded

describe('what a real node emitted, signed and accepted', () => {
  test('a message of the C-Chain', () => {
    const unsigned = fromHex(emitted.unsigned)
    const message = decodeUnsigned(unsigned)
    expect(message.networkId).toBe(12_345)
    expect(plain(decodePayload(message.payload))).toEqual({
      kind: 'AddressedCall',
      source: emitted.sender,
      payload: hexText(Buffer.from('hello 1795246994656')),
    })
    expect(hexText(messageIdOf(unsigned))).toBe(emitted.messageId)
    expect(hexText(encodeUnsigned(message))).toBe(emitted.unsigned)
    const signed = { message: unsigned, signers: [0, 1, 2, 4, 5], aggregate: fromHex(emitted.aggregate) }
    expect(hexText(encodeSigned(signed))).toBe(emitted.signed)
    expect(plain(decodeSigned(fromHex(emitted.signed)))).toEqual(plain(signed))
  })

  test('the conversion of a subnet, from what its transaction says', () => {
    const conversionId = conversionIdOf({
      subnetId: fromHex(conversion.subnet),
      managerChainId: fromHex(conversion.managerChain),
      managerAddress: fromHex(conversion.managerAddress),
      validators: conversion.validators.map((each) => ({
        nodeId: fromHex(each.nodeId),
        publicKey: fromHex(each.publicKey),
        weight: BigInt(each.weight),
      })),
    })
    expect(hexText(conversionId)).toBe(conversion.conversionID)
    expect(hexText(pChainMessage(12_345, { type: 'SubnetToL1Conversion', conversionId }))).toBe(
      conversion.unsigned,
    )
    expect(hexText(decodeSigned(fromHex(conversion.signed)).message)).toBe(conversion.unsigned)
  })

  test.each([
    ['register', { type: 'RegisterL1Validator', expiry: 1_795_251_028n, weight: 3n }],
    ['setWeight', { type: 'L1ValidatorWeight', nonce: 0n, weight: 4n }],
    ['remove', { type: 'L1ValidatorWeight', nonce: 1n, weight: 0n }],
  ] as const)('the message of a manager: %s', (name, fields) => {
    const signed = decodeSigned(fromHex(recorded[name]))
    expect(signed.signers).toEqual([0])
    expect(hexText(encodeSigned(signed))).toBe(recorded[name])
    const call = decodePayload(decodeUnsigned(signed.message).payload)
    if (call.kind !== 'AddressedCall') throw new Error('a call is expected')
    const payload = decodeL1Payload(call.payload)
    expect(payload).toMatchObject(fields)
    expect(hexText(encodeL1Payload(payload))).toBe(hexText(call.payload))
    const id =
      payload.type === 'L1ValidatorWeight' ? payload.validationId : registeredValidationId(call.payload)
    expect(cb58(id)).toBe(recorded.registeredAs)
  })
})

describe('against avalanchejs', () => {
  const { warp } = pvmSerial
  const { AddressedCallPayloads: messages } = warp
  const id = (each: Uint8Array) => new Id(each)
  const big = (each: bigint) => new BigIntPr(each)
  const toOwner = (each: { threshold: number; addresses: readonly Uint8Array[] }) =>
    new PChainOwner(
      new Int(each.threshold),
      each.addresses.map((address) => new Address(address)),
    )
  const theirs = (payload: L1Payload) => {
    switch (payload.type) {
      case 'SubnetToL1Conversion':
        return new messages.SubnetToL1ConversionMessage(id(payload.conversionId))
      case 'RegisterL1Validator':
        return new messages.RegisterL1ValidatorMessage(
          id(payload.subnetId),
          new NodeId(payload.nodeId),
          BlsPublicKey.fromBytes(payload.publicKey)[0],
          big(payload.expiry),
          toOwner(payload.remainingBalanceOwner),
          toOwner(payload.disableOwner),
          big(payload.weight),
        )
      case 'L1ValidatorRegistration':
        return new messages.L1ValidatorRegistrationMessage(
          id(payload.validationId),
          new Bool(payload.registered),
        )
      case 'L1ValidatorWeight':
        return new messages.L1ValidatorWeightMessage(
          id(payload.validationId),
          big(payload.nonce),
          big(payload.weight),
        )
    }
  }

  test('L1 payloads have the same bytes and read back', () => {
    fc.assert(
      fc.property(l1Payload, (payload) => {
        const written = encodeL1Payload(payload)
        expect(hexText(written)).toBe(`0x0000${hexText(theirs(payload).toBytes(warp.codec)).slice(2)}`)
        expect(plain(decodeL1Payload(written))).toEqual(plain(payload))
      }),
      runs,
    )
  })

  test('messages and calls have the same bytes and read back', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        bytes(32),
        fc.uint8Array({ maxLength: 20 }),
        fc.uint8Array({ maxLength: 90 }),
        (networkId, sourceChainId, source, inner) => {
          const call = { kind: 'AddressedCall', source, payload: inner } as const
          const payload = encodePayload(call)
          expect(plain(decodePayload(payload))).toEqual(plain(call))
          const unsigned = encodeUnsigned({ networkId, sourceChainId, payload })
          const their = new warp.WarpUnsignedMessage(
            new Int(networkId),
            new Id(sourceChainId),
            new Bytes(payload),
          )
          expect(hexText(unsigned)).toBe(`0x0000${hexText(their.toBytes(warp.codec)).slice(2)}`)
          expect(plain(decodeUnsigned(unsigned))).toEqual(plain({ networkId, sourceChainId, payload }))
        },
      ),
      runs,
    )
  })
})

describe('signers of a signed message', () => {
  test.each([
    [[], ''],
    [[0], '01'],
    [[0, 1, 2, 3, 4], '1f'],
    [[8], '0100'],
    [[9, 0], '0201'],
  ])('%j are the bits %s', (signers, bits) => {
    expect(hexText(bitSetOf(signers))).toBe(`0x${bits}`)
  })

  test('read back, in order and without a leading zero byte', () => {
    const places = fc.uniqueArray(fc.nat({ max: 3_000 }), { maxLength: 40 })
    fc.assert(
      fc.property(places, bytes(96), (signers, aggregate) => {
        const message = fromHex(conversion.unsigned)
        const signed = encodeSigned({ message, signers, aggregate })
        expect(decodeSigned(signed).signers).toEqual(signers.toSorted((left, right) => left - right))
        expect(bitSetOf(signers)[0]).not.toBe(0)
      }),
      runs,
    )
    const padded = Buffer.concat([
      fromHex(conversion.unsigned),
      Buffer.from('00000000000000020001', 'hex'),
      new Uint8Array(96),
    ])
    expect(() => decodeSigned(padded)).toThrow(/zero byte/)
  })
})

describe('justifications', () => {
  const subnetId = idOfText(conversion.subnetID)
  const subnetHex = conversion.subnet.slice(2)

  test.each([
    [0, `0a220a20${subnetHex}`],
    [5, `0a240a20${subnetHex}1005`],
    [300, `0a250a20${subnetHex}10ac02`],
  ])('of validator %i of a conversion, in protobuf', (index, hex) => {
    const justification = { kind: 'converted', subnetId, index } as const
    expect(hexText(encodeJustification(justification))).toBe(`0x${hex}`)
    expect(plain(decodeJustification(Buffer.from(hex, 'hex')))).toEqual(plain(justification))
  })

  test('of a registration is its payload, which names the validation', () => {
    const call = decodePayload(decodeUnsigned(decodeSigned(fromHex(recorded.register)).message).payload)
    if (call.kind !== 'AddressedCall') throw new Error('a call is expected')
    const written = encodeJustification({ kind: 'registered', payload: call.payload })
    expect(hexText(written)).toBe(`0x12b601${hexText(call.payload).slice(2)}`)
    const read = decodeJustification(written)
    expect(cb58(validationOf(read) ?? new Uint8Array(0))).toBe(recorded.registeredAs)
  })

  test('of a conversion is the bare subnet id', () => {
    expect(plain(decodeJustification(subnetId))).toEqual(plain({ kind: 'subnet', subnetId }))
  })
})

describe('bytes that say nothing', () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    // Near misses get further than noise does.
    fc
      .tuple(
        fc.constantFrom(recorded.register, recorded.remove, conversion.signed, conversion.unsigned),
        fc.nat(),
        fc.nat({ max: 255 }),
        fc.nat({ max: 40 }),
      )
      .map(([hex, place, value, cut]) => {
        const altered = Uint8Array.from(fromHex(hex))
        altered[place % altered.length] = value
        return altered.subarray(0, altered.length - cut)
      }),
  )
  const readers = [decodeUnsigned, decodePayload, decodeL1Payload, decodeSigned]

  test('are refused by a CodecError, whatever they are', () => {
    fc.assert(
      fc.property(anything, (noise) => {
        for (const read of readers) {
          try {
            read(noise)
          } catch (error) {
            expect(error).toBeInstanceOf(CodecError)
          }
        }
        try {
          validationOf(decodeJustification(noise))
        } catch (error) {
          expect(error instanceof JustificationError || error instanceof CodecError).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a length past the end allocates nothing', () => {
    const huge = Buffer.concat([Buffer.alloc(2 + 4 + 32), Buffer.from('ffffffff', 'hex')])
    expect(() => decodeUnsigned(huge)).toThrow(/4294967295 bytes wanted, 0 left/)
  })

  test('what stands behind a message is refused', () => {
    expect(() => decodeUnsigned(fromHex(`${conversion.unsigned}00`))).toThrow(/left over/)
  })
})
