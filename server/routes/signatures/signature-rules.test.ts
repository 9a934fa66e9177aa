import { afterAll, beforeAll, expect, test } from 'vitest'
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import recorded from '../../../protocol/warp/fixtures/recorded.json' with { type: 'json' }
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { idBytes } from '../../testing/primary-rows.ts'
import {
  hex,
  insertWorld,
  messageOf,
  pMessage,
  startSignatureService,
  world,
  type SignatureService,
} from '../../testing/signature-service.ts'

const { first, second } = world
const { emitted, conversion } = recorded

let store: TestDatabase
let network: SignatureService

beforeAll(async () => {
  store = await createTestDatabase()
  await insertWorld(store.database, { weight: '4', minNonce: '1' })
  network = await startSignatureService(store.database, [{ weight: 1n }])
})
afterAll(async () => {
  await network.close()
  await store.drop()
})

const post = (body: object) => network.ask('/aggregateSignatures', body)

const gone = `000000000002${Buffer.from(idOfText(second.validation)).toString('hex')}00`
const big = (size: number): string => 'ab'.repeat(size)
const unknown = cb58(idBytes('nowhere'))

test.each([
  ['neither message nor justification', {}, /either message or justification must be provided/],
  ['an odd hex digit', { message: '0xabc' }, /message: must be whole bytes in hex/],
  ['an oversized message', { message: big(262_145) }, /message: must be at most 262144 bytes/],
  ['an oversized justification', { justification: big(262_145) }, /justification: must be at most/],
  [
    'a body that holds more',
    { message: big(600_000) },
    /message, justification: must be at most 262144 bytes each/,
  ],
  ['an unparsable message', { message: '0xdeadbeef' }, /message: is not an unsigned message: codec version/],
  [
    'bytes behind the message',
    { message: `${emitted.unsigned}00` },
    /message: is not an unsigned message: 1 bytes are left over/,
  ],
  [
    'a message of another network',
    { message: messageOf('hello', 1) },
    /message: is of network 1; fuji has the network ID 12345/,
  ],
  [
    'an unknown source',
    { message: messageOf('hello', 12_345, unknown) },
    new RegExp(`message: its source blockchain ${unknown} does not exist`),
  ],
  [
    'an unknown subnet',
    { message: emitted.unsigned, signingSubnetId: unknown },
    new RegExp(`signingSubnetId: subnet ${unknown} does not exist`),
  ],
  [
    'a subnet without its checksum',
    { message: emitted.unsigned, signingSubnetId: `${unknown.slice(0, -1)}z` },
    /signingSubnetId: .*checksum/,
  ],
  ['a part of a percent', { message: emitted.unsigned, quorumPercentage: 66.5 }, /quorumPercentage: /],
  ['a percentage past 100', { message: emitted.unsigned, quorumPercentage: 101 }, /quorumPercentage: /],
  [
    'a sum past 100',
    { message: emitted.unsigned, quorumPercentage: 67, quorumPercentageBuffer: 34 },
    /quorumPercentageBuffer: .*together must be at most 100/,
  ],
  ['a negative height', { message: emitted.unsigned, pChainHeight: -1 }, /pChainHeight: /],
  [
    'a height past the tip',
    { message: emitted.unsigned, pChainHeight: 10 },
    /pChainHeight: the node has no validators at 10: current P-chain height \(9\)/,
  ],
  ['a justification that is none', { justification: '0xdead' }, /justification: it is neither a subnet id/],
  [
    'a subnet that was never converted',
    { justification: hex(idBytes('plain subnet')) },
    /justification: no conversion of subnet .* is indexed/,
  ],
  [
    'a conversion without its subnet',
    { message: conversion.unsigned },
    /justification: must be the 32 bytes of the ID of the subnet/,
  ],
  [
    'a Hash of the P-Chain',
    { message: `000000003039${'00'.repeat(32)}00000026${'00'.repeat(38)}` },
    /AddressedCall/,
  ],
  [
    'an unknown payload of the P-Chain',
    { message: pMessage('000000000009') },
    /nothing that the P-Chain says/,
  ],
  [
    'a registration as if the P-Chain had said it',
    { message: pMessage(recorded.register.slice(2 + 2 * 76, 2 + 2 * (76 + 182))) },
    /RegisterL1Validator is said to the P-Chain/,
  ],
  ['the end of a validation that stands', { message: pMessage(gone) }, /the index knows of no end of it/],
  [
    'the justification of another validation',
    { message: pMessage(gone), justification: `0a220a20${hex(idOfText(first.subnet)).slice(2)}` },
    new RegExp(
      `justification: is of validation ${first.validation}, the message of validation ${second.validation}`,
    ),
  ],
])('%s is a 400', async (_name, given, text) => {
  const { status, body } = await post(given)
  expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request' })
  expect(status).toBe(400)
  expect([body['message']].flat().join('\n')).toMatch(text)
  expect(network.validators[0]?.requests).toEqual([])
})

test('the largest message is taken, with the largest justification', async () => {
  const message = messageOf('x'.repeat(262_144 - 42 - 14))
  const { status } = await post({ message, justification: big(262_144) })
  expect(status).toBe(201)
})
