import { afterEach, beforeEach, expect, test } from 'vitest'
import { idOfText } from '../../protocol/ids/text.ts'
import checkpoints from '../primary/genesis/checkpoints.json' with { type: 'json' }
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary } from '../testing/primary-rows.ts'
import { compareCheckpoints } from './checkpoints.ts'
import { Findings } from './findings.ts'

/** Made-up chains of Fuji with the real ids of its checkpoints at every seventh height. */

const keys = { P: fujiKeys.p, X: fujiKeys.x, C: fujiKeys.c }
const interval = 7
const released = checkpoints.releasedTimestamp
/** Apricot Phase 4 on Fuji, since when blocks are wrapped. */
const wrappedFrom = 20 * interval
const phase4 = Date.UTC(2021, 8, 16, 21) / 1000
const fujiParent = 'MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3'

let store: TestDatabase
beforeEach(async () => {
  store = await createTestDatabase()
})
afterEach(() => store.drop())

type Made = {
  readonly to: number
  /** The time of the last block. */
  readonly end?: number
  readonly parent?: string
  /** Whether the node has no index, from which wrappers are read. */
  readonly isUnread?: boolean
  /** The height of a checkpoint in whose place another block is. */
  readonly wrong?: number
}

/** Stores the P-Chain from block 0 on, with checkpoints as blocks before Apricot Phase 4, and as wrappers since. */
async function storeChain({
  to,
  end = released + 1,
  parent = fujiParent,
  isUnread = false,
  wrong,
}: Made): Promise<void> {
  const rows = Array.from({ length: to + 1 }, (_, height) => {
    const place = height / interval - 1
    const text = height === wrong ? undefined : checkpoints.fuji.P[place]
    const checkpoint = text === undefined ? undefined : Buffer.from(idOfText(text))
    const isWrapped = height >= wrappedFrom
    const ts = height === to ? end : isWrapped ? phase4 + height : phase4 - wrappedFrom + height
    const wrapper = isWrapped && !isUnread ? (checkpoint ?? idBytes(`wrapper ${height}`)) : null
    return {
      chain: keys.P,
      height: BigInt(height),
      ts: BigInt(ts),
      id: (!isWrapped && checkpoint) || idBytes(`block ${height}`),
      parent_id: height === 0 ? Buffer.from(idOfText(parent)) : idBytes(`block ${height - 1}`),
      proposer_id: wrapper,
    }
  })
  await insertPrimary(store.database, 'primary_blocks', rows)
}

async function compare() {
  const findings = new Findings()
  const report = await compareCheckpoints(store.database, keys, findings)
  return { ...report, problems: findings.problems('I5') }
}

test.each<[string, Made, Awaited<ReturnType<typeof compare>>]>([
  ['has all', { to: 700 }, { found: 99, leftOut: [], problems: [] }],
  ['is on its way', { to: 150, end: phase4 + 150 }, { found: 21, leftOut: [], problems: [] }],
  [
    'is not at the first yet',
    { to: 5, end: phase4 },
    {
      found: 0,
      leftOut: ['checkpoints of the P-Chain: it is not indexed to the first of them'],
      problems: [],
    },
  ],
  [
    'has another block before wrappers',
    { to: 700, wrong: 14 },
    { found: 98, leftOut: [], problems: ['P block 14 is not the checkpoint of avalanchego'] },
  ],
  [
    'has another wrapper',
    { to: 700, wrong: 693 },
    { found: 98, leftOut: [], problems: ['P block 693 is not the checkpoint of avalanchego'] },
  ],
  [
    'has another wrapper on its way',
    { to: 300, end: phase4 + 300, wrong: 280 },
    { found: 41, leftOut: [], problems: ['P block 280 is not the checkpoint of avalanchego'] },
  ],
  [
    'has a node without an index',
    { to: 700, isUnread: true },
    {
      found: 19,
      leftOut: ["checkpoints of the P-Chain: 80, whose wrappers are not read from the node's index"],
      problems: [],
    },
  ],
  [
    'has a node without an index, and another block',
    { to: 700, isUnread: true, wrong: 70 },
    { found: 18, leftOut: [], problems: ['P block 70 is not the checkpoint of avalanchego'] },
  ],
  [
    'is of another network',
    { to: 700, parent: checkpoints.mainnet.P[0] ?? '' },
    { found: 0, leftOut: [], problems: [] },
  ],
])('a chain that %s', async (_, made, expected) => {
  await storeChain(made)
  expect(await compare()).toEqual(expected)
})

test('a chain past the release without any has another history', async () => {
  await storeChain({ to: 700 })
  await store.database`update primary_blocks set id = sha256(id), proposer_id = sha256(proposer_id)`
  expect(await compare()).toEqual({
    found: 0,
    leftOut: [],
    problems: ['P has none of the checkpoints of avalanchego'],
  })
})

test('a chain that begins later is not compared', async () => {
  await storeChain({ to: 700 })
  await insertPrimary(store.database, 'primary_blocks', [
    { chain: keys.C, height: 500n, ts: BigInt(released), id: idBytes('c'), parent_id: idBytes('b') },
  ])
  expect(await compare()).toMatchObject({
    found: 99,
    leftOut: ['checkpoints of the C-Chain: it is not indexed from its first block on'],
  })
})
