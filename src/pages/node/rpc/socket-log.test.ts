import { expect, test } from 'vitest'
import frames from '../../../api/fixtures/socket-frames.json' with { type: 'json' }
import { emptyLog, logAfter, rateOf, subscribeParams, summaryOf } from './socket-log.ts'

const event = (value: unknown) => ({ at: 0, kind: 'newHeads' as const, value, size: 1 })

test('keeps a thousand notifications, the newest first, and counts all', () => {
  let log = emptyLog
  for (let round = 0; round < 12; round += 1)
    log = logAfter(
      log,
      Array.from({ length: 100 }, (_, index) => event(round * 100 + index)),
    )
  expect(log.total).toBe(1_200)
  expect(log.events).toHaveLength(1_000)
  expect([log.events[0], log.events.at(-1)]).toMatchObject([
    { seq: 1_200, value: 1_199 },
    { seq: 201, value: 200 },
  ])
  expect(
    logAfter(
      emptyLog,
      Array.from({ length: 1_500 }, (_, index) => event(index)),
    ).events,
  ).toHaveLength(1_000)
})

test('computes the rate of the last ten seconds', () => {
  expect(rateOf([1_000, 5_000, 10_500, 11_000, 12_000], 12_000)).toBe(0.4)
  expect(rateOf([], 12_000)).toBe(0)
})

test('summarizes recorded notifications in one line each', () => {
  const results = frames.flatMap(({ params }) =>
    params === undefined || !('result' in params) ? [] : [params.result],
  )
  const find = (key: string): unknown =>
    results.find((result) => typeof result === 'object' && result !== null && key in result)
  expect(summaryOf('newHeads', find('parentHash'))).toMatch(/^block [\d,]+ 0x[0-9a-f]{64}$/)
  expect(summaryOf('logs', find('logIndex'))).toMatch(/^block [\d,]+, log 0 of 0x52c84043/)
  expect(summaryOf('newPendingTransactions', find('maxFeePerGas'))).toMatch(/^0x052e0f87/)
  expect(summaryOf('newAcceptedTransactions', '0xab')).toBe('0xab')
})

test('converts input to parameters of eth_subscribe, or refuses it with an explanation', () => {
  const address = `0x${'a'.repeat(40)}`
  const topic = (digit: string): string => `0x${digit.repeat(64)}`
  const logs = (more: { address?: string; topics?: string }) =>
    subscribeParams({ kind: 'logs', address: '', topics: '', isWhole: true, ...more })
  expect(logs({})).toEqual({ params: ['logs', {}] })
  expect(
    logs({ address: `${address}, ${address}`, topics: `${topic('1')}\n\n${topic('2')}, ${topic('3')}\n` }),
  ).toEqual({
    params: ['logs', { address: [address, address], topics: [topic('1'), null, [topic('2'), topic('3')]] }],
  })
  for (const more of [{ address: '0x12' }, { topics: address }, { topics: `${topic('1')}\n`.repeat(5) }])
    expect(logs(more)).toHaveProperty('wrong')
  const plain = { address: 'ignored', topics: 'ignored', isWhole: false }
  expect(subscribeParams({ ...plain, kind: 'newHeads', isWhole: true })).toEqual({ params: ['newHeads'] })
  expect(subscribeParams({ ...plain, kind: 'newAcceptedTransactions', isWhole: true })).toEqual({
    params: ['newAcceptedTransactions', true],
  })
  expect(subscribeParams({ ...plain, kind: 'newPendingTransactions' })).toEqual({
    params: ['newPendingTransactions'],
  })
})
