import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageOfLog } from './messages.ts'
import { addressOf, seedChain, type SeedLog } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import {
  deliveredLog,
  messenger,
  sentLog,
  teleporterPayload,
  weightPayload,
} from '../../testing/message-logs.ts'

const chain = 43_113
const here = Buffer.alloc(32, 0xaa)
const there = Buffer.alloc(32, 0xbb)
const pChain = '00'.repeat(32)
const app = addressOf('app')

const teleported = sentLog(here, messenger, teleporterPayload(there, 'Hello'))
const toP = sentLog(here, app, weightPayload(4n))

/** A copy of a log with other bytes at a position of its data. */
function changed(log: SeedLog, at: number, bytes: readonly number[]): SeedLog {
  const data = Buffer.from(log.data.slice(2), 'hex')
  Buffer.from(bytes).copy(data, at)
  return { ...log, data: `0x${data.toString('hex')}` }
}
const cut = (log: SeedLog, length: number): SeedLog => ({ ...log, data: log.data.slice(0, 2 + 2 * length) })

/** Logs with what they count as: direction, and the blockchain at the other end in hex. */
const cases: [what: string, log: SeedLog, expected: string | undefined][] = [
  ['a message of TeleporterMessenger', teleported, `sent ${there.toString('hex')}`],
  ['a weight for the P-Chain', toP, `sent ${pChain}`],
  [
    'a registration for the P-Chain',
    sentLog(here, app, Buffer.from('000000000001ff', 'hex')),
    `sent ${pChain}`,
  ],
  ['a weight with a byte more', sentLog(here, app, Buffer.concat([weightPayload(4n), here])), 'sent'],
  ['what another contract sends', sentLog(here, app, teleporterPayload(there, 'Hello')), 'sent'],
  ['an empty payload', sentLog(here, app, Buffer.alloc(0)), 'sent'],
  [
    'too short a message of TeleporterMessenger',
    sentLog(here, messenger, teleporterPayload(there, '').subarray(0, 287)),
    'sent',
  ],
  ['a payload of the messenger that is not a message', changed(teleported, 140, [1]), 'sent'],
  ['a payload of another type', changed(teleported, 111, [0]), 'sent'],
  ['a payload with another length', changed(teleported, 139, [7]), 'sent'],
  ['a sender of another length', changed(teleported, 115, [19]), 'sent'],
  ['another codec version', changed(teleported, 65, [1]), undefined],
  ['a length of the payload that is too large', changed(teleported, 105, [255]), undefined],
  ['a length of the message past the data', changed(teleported, 62, [255]), undefined],
  ['an enormous length', changed(teleported, 56, [255]), undefined],
  [
    'a message without a payload',
    cut(changed(changed(teleported, 62, [0, 42]), 102, [0, 0, 0, 0]), 106),
    'sent',
  ],
  ['data that end too early', cut(teleported, 105), undefined],
  ['no data', cut(teleported, 0), undefined],
  ['the log of another address', { ...teleported, address: app }, undefined],
  ['another log of the precompile', { ...teleported, topics: [`0x56600${'0'.repeat(59)}`] }, undefined],
  ['a delivery', deliveredLog(there), `delivered ${there.toString('hex')}`],
  ['a delivery that another contract claims', { ...deliveredLog(there), address: app }, undefined],
  [
    'a delivery with too few topics',
    { ...deliveredLog(there), topics: deliveredLog(there).topics.slice(0, 3) },
    undefined,
  ],
]

const shown = (direction: number, peer: string | null | undefined): string =>
  `${['sent', 'delivered'][direction]} ${peer ?? ''}`.trim()

test.each(cases)('the indexer reads %s', (_, log, expected) => {
  const found = messageOfLog(log, log.topics)
  expect(found && shown(found.direction, found.peer)).toBe(expected)
})

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

test('the checker finds the same messages', async () => {
  const { database } = store
  await seedChain(database, {
    chain,
    blocks: cases.map(([, log], number) => ({
      number,
      ts: 1_700_000_000 + number,
      txs: [{ from: app, to: app, logs: [log] }],
    })),
  })
  const expected = cases.flatMap(([what, , message], number) =>
    message === undefined ? [] : [{ what, ts: String(1_700_000_000 + number), message }],
  )
  const rows = await database<{ number: bigint; ts: string; direction: number; peer: string | null }[]>`
    select number, ts::text as ts, direction, encode(peer, 'hex') as peer
    from cross_chain_messages where chain = ${chain} order by number`
  const found = rows.map(({ number, ts, direction, peer }) => ({
    what: cases[Number(number)]?.[0],
    ts,
    message: shown(direction, peer),
  }))
  expect(found).toEqual(expected)
})
