import { expect, test } from 'vitest'
import { aggregationEvents } from '../../../contract/signatures/aggregation-events.ts'
import { ApiError } from '../../api/errors.ts'
import type { RoundEvent } from '../../api/signatures/signatures-stream.ts'
import { groupsOf, reasonsOf, shortfallOf } from './explain.ts'
import { afterError, afterEvents, startRun, type Asked, type Run } from './run.ts'

const asked: Asked = {
  network: 'fuji',
  body: { message: '0xab', quorumPercentage: 80 },
  byTransaction: false,
}

const signer = (index: number, weight: string) => ({
  index,
  nodeIds: [`NodeID-${index}`],
  publicKey: '0x00',
  weight,
  isConnected: true,
})
const begun: RoundEvent = {
  name: 'begun',
  data: aggregationEvents.begun.parse({
    message: {
      messageId: '0x01',
      message: '0xab',
      networkId: 5,
      sourceBlockchainId: '11111111111111111111111111111111LpoYY',
      payloadKind: 'AddressedCall',
    },
    set: {
      subnetId: 'subnet',
      pChainHeight: '7',
      totalWeight: '200',
      keylessWeight: '20',
      signers: [signer(0, '30'), signer(1, '90'), signer(2, '40'), signer(3, '20')],
    },
    quorumPercentage: 80,
    quorumPercentageBuffer: 0,
    deadline: 1_700_000_010,
  }),
}
const told = (index: number, outcome: string, signedWeight: string, reason?: string): RoundEvent => ({
  name: 'signer',
  data: aggregationEvents.signer.parse({
    index,
    outcome,
    milliseconds: 5,
    signedWeight,
    totalWeight: '200',
    requiredWeight: '160',
    ...(reason !== undefined && { reason }),
  }),
})

const begin = (): Run => startRun(asked, 1_000)
const weights = (run: Run) => groupsOf(run).map(({ outcome, weight }) => `${outcome} ${weight}`)

test('adds signatures one by one and shows every signer in the bar', () => {
  let run = afterEvents(begin(), [begun], 1_010)
  expect(weights(run)).toEqual(['waiting 180'])
  run = afterEvents(run, [told(1, 'signed', '90'), told(3, 'refused', '90', 'not accepted yet')], 1_020)
  expect(weights(run)).toEqual(['signed 90', 'waiting 70', 'refused 20'])
  expect(run).toMatchObject({ state: 'running', signedWeight: '90', requiredWeight: '160' })
})

test('ends with the message when the quorum is reached, and marks unneeded signers as not asked', () => {
  const run = afterEvents(
    begin(),
    [
      begun,
      told(1, 'signed', '90'),
      {
        name: 'done',
        data: {
          signedMessage: '0xcd',
          signers: [1, 2],
          results: [{ index: 2, outcome: 'signed', milliseconds: 9, source: 'rpc' }],
          isCached: false,
          signedWeight: '130',
          totalWeight: '200',
          requiredWeight: '120',
        },
      },
    ],
    2_000,
  )
  expect(run).toMatchObject({ state: 'done', endedAt: 2_000, signedMessage: '0xcd', signers: [1, 2] })
  expect(run.results.get(2)).toMatchObject({ source: 'rpc' })
  expect(weights(run)).toEqual(['signed 130', 'not asked 50'])
  expect(shortfallOf(run)).toBeUndefined()
})

test('reports the missing weight of a missed quorum and what may help', () => {
  const run = afterEvents(
    begin(),
    [
      begun,
      told(1, 'signed', '90'),
      told(0, 'silent', '90', 'no answer in 5 s'),
      told(2, 'refused', '90', 'unknown block'),
      told(3, 'refused', '90', 'unknown block'),
      {
        name: 'failed',
        data: {
          statusCode: 503,
          error: 'Service Unavailable',
          message: ['the quorum was not reached'],
          signedWeight: '90',
          totalWeight: '200',
          requiredWeight: '160',
        },
      },
    ],
    2_000,
  )
  expect(run.failure).toEqual({
    status: 503,
    name: 'Service Unavailable',
    lines: ['the quorum was not reached'],
  })
  expect(shortfallOf(run)).toEqual({
    signed: 90n,
    total: 200n,
    required: 160n,
    missing: 70n,
    reached: 45,
    advice: [
      { kind: 'again', weight: 30n },
      { kind: 'content', weight: 60n },
      { kind: 'height', weight: 90n },
      { kind: 'lower', quorum: 45 },
    ],
  })
  expect(reasonsOf(run)).toEqual([
    { outcome: 'refused', reason: 'unknown block', count: 2, weight: 60n },
    { outcome: 'silent', reason: 'no answer in 5 s', count: 1, weight: 30n },
  ])
})

test('identifies an unreachable quorum', () => {
  const failed: RoundEvent = {
    name: 'failed',
    data: {
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'not reached',
      signedWeight: '180',
      totalWeight: '200',
      requiredWeight: '182',
    },
  }
  const all = [0, 1, 2, 3].map((index) => told(index, 'signed', '180'))
  expect(shortfallOf(afterEvents(begin(), [begun, ...all, failed], 2_000))?.advice).toEqual([
    { kind: 'never', max: 90 },
    { kind: 'lower', quorum: 90 },
  ])
})

test('shows a refusal line by line, and does not treat cancelling as a failure', () => {
  const error = new ApiError('status', 'message: is empty; quorumPercentage: is odd', {
    status: 400,
    name: 'Bad Request',
    requestId: 'req-1',
  })
  expect(afterError(begin(), error, 2_000, false)).toMatchObject({
    state: 'failed',
    failure: {
      status: 400,
      name: 'Bad Request',
      lines: ['message: is empty', 'quorumPercentage: is odd'],
      requestId: 'req-1',
    },
  })
  expect(afterError(begin(), new Error('aborted'), 2_000, true)).toMatchObject({ state: 'left' })
})
