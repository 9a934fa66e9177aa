import { beforeEach, expect, test } from 'vitest'
import {
  bounded,
  bounds,
  draftOfEntry,
  forgetRound,
  labelRound,
  rememberRun,
  rounds,
  type Entry,
} from './history.ts'
import { afterAnswer, afterError, startRun, type Asked } from './run.ts'

beforeEach(() => rounds.set([]))

const asked = (message: string, tx?: string): Asked => ({
  network: 'fuji',
  body: {
    message,
    justification: '0x0f',
    signingSubnetId: 'subnet',
    quorumPercentage: 60,
    quorumPercentageBuffer: 5,
    pChainHeight: 4,
  },
  byTransaction: false,
  tx,
})
const keep = (id: string, message: string, tx?: string): void =>
  rememberRun(afterAnswer(startRun(asked(message, tx), 1_000), '0xfeed', 5_900), 'local', id)

test('reopens a round with its original form', () => {
  keep('one', '0xab')
  const [entry] = rounds.get()
  expect(entry).toMatchObject({ at: 5, outcome: 'signed', signedMessage: '0xfeed', profile: 'local' })
  expect(entry && draftOfEntry(entry)).toEqual({
    network: 'fuji',
    by: 'message',
    tx: '',
    message: '0xab',
    justification: '0x0f',
    subnet: 'subnet',
    quorum: '60',
    buffer: '5',
    height: '4',
  })
  keep('two', '0xab', 'txid')
  expect(rounds.get().map(({ id }) => id)).toEqual(['two', 'one'])
  expect(rounds.get()[0] && draftOfEntry(rounds.get()[0] as Entry)).toMatchObject({
    by: 'transaction',
    tx: 'txid',
    message: '',
  })
})

test('labels and removes rounds, and stores a failure in one line', () => {
  keep('one', '0xab')
  rememberRun(afterError(startRun(asked('0xcd'), 1_000), new Error('no way'), 2_000, false), 'local', 'two')
  expect(rounds.get()[0]).toMatchObject({ outcome: 'failed', error: 'Error: no way' })
  labelRound('one', `  ${'x'.repeat(99)} `)
  expect(rounds.get()[1]?.label).toBe('x'.repeat(64))
  forgetRound('two')
  expect(rounds.get().map(({ id }) => id)).toEqual(['one'])
})

test('keeps fifty rounds, and the newest million bytes', () => {
  for (let count = 0; count < bounds.entries + 3; count += 1) keep(String(count), '0xab')
  expect(rounds.get()).toHaveLength(bounds.entries)
  expect(rounds.get()[0]?.id).toBe(String(bounds.entries + 2))
  const entries = rounds.get().slice(0, 3)
  const heavy = bounded(entries.map((entry) => ({ ...entry, message: 'a'.repeat(600_000) })))
  expect(heavy.map(({ message }) => message?.length)).toEqual([600_000, undefined, undefined])
  expect(heavy[1]).toMatchObject({ id: entries[1]?.id, quorum: 60 })
})
