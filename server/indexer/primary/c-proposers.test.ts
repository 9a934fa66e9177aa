import { isDeepStrictEqual } from 'node:util'
import { fromRlp, keccak256, toRlp } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { decodeProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { cb58, fromCheckedHex, hexText, nodeIdText } from '../../../protocol/ids/text.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { RetryableError } from '../../kernel/errors.ts'
import { testPace, until, type LogEntry } from '../testing/harness.ts'
import { readCContainer } from './c-containers.ts'
import { runPrimaryIndexers } from './networks.ts'
import containers from './fixtures/c-containers.json' with { type: 'json' }
import { localNetwork } from './testing/local-network.ts'
import { RecordedNode } from './testing/recorded-node.ts'
import { storeRecordedBlocks } from './testing/stored-blocks.ts'

const asContainer = ({ id, hex }: { readonly id: string; readonly hex: string }) => ({
  id,
  bytes: fromCheckedHex(hex),
  ts: 0,
})

describe('a container of the C-Chain', () => {
  test.each([...containers.alone, ...containers.staking].map((each) => [each.id, each] as const))(
    '%s holds a block with the hash and height that viem reads from it',
    (_id, each) => {
      const container = asContainer(each)
      const { block } = decodeProposerWrapper(container.bytes)
      const [header] = fromRlp(hexText(block) as `0x${string}`, 'hex') as [`0x${string}`[]]
      const read = readCContainer(container)
      expect(hexText(read.id)).toBe(keccak256(toRlp(header)))
      expect(read.height).toBe(Number(header[8]))
    },
  )

  test('is signed by one of the validators of a network that stakes', () => {
    const [, signed] = containers.staking.map((each) => readCContainer(asContainer(each)))
    const node = signed?.wrapper?.details?.nodeId
    expect(recorded.validators).toContain(node && nodeIdText(node))
  })

  test('from before proposers were elected is the block itself, with its own hash', () => {
    const [first = { id: '', hex: '' }] = containers.alone
    const { block } = decodeProposerWrapper(fromCheckedHex(first.hex))
    const hash = Buffer.from((recorded.node.cBlocks[1]?.hash ?? '').slice(2), 'hex')
    const read = readCContainer({ id: cb58(hash), bytes: block, ts: 0 })
    expect(read).toMatchObject({ height: 1, wrapper: undefined })
    expect(() => readCContainer({ id: first.id, bytes: block, ts: 0 })).toThrow(RetryableError)
  })
})

const c = 13
let testDatabase: TestDatabase
let node: RecordedNode
let stop: () => Promise<void>
let log: LogEntry[]

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  node = new RecordedNode()
  node.behaviour.hasIndex = true
  stop = async () => undefined
})

afterEach(async () => {
  await stop()
  await node.stop()
  await testDatabase.drop()
})

async function start(url: string): Promise<void> {
  const abort = new AbortController()
  log = []
  const write = (level: string) => (fields: object, message: string) =>
    void log.push({ ...fields, level, message })
  const ended = runPrimaryIndexers({
    database: testDatabase.database,
    ...localNetwork(url, true),
    logger: { info: write('info'), warn: write('warn'), error: write('error') },
    signal: abort.signal,
    pace: testPace,
  })
  stop = async () => {
    abort.abort()
    await ended
  }
}

type Row = { height: number; proposer: string; parent: string; p: number; ts: number }

/** The stored blocks with proposers. */
async function proposed(): Promise<Row[]> {
  const rows = await testDatabase.database<
    { height: bigint; id: Buffer; parent: Buffer; node: Buffer | null; p: bigint; ts: bigint }[]
  >`
    select height, proposer_id as id, proposer_parent_id as parent, proposer_node as node,
      proposer_p_height as p, proposer_ts as ts
    from primary_blocks where chain = ${c} and proposer_id is not null order by height`
  return rows.map((row) => ({
    height: Number(row.height),
    proposer: cb58(row.id),
    parent: cb58(row.parent),
    p: Number(row.p),
    ts: Number(row.ts),
  }))
}

const untilProposed = (heights: readonly number[]): Promise<void> =>
  until(`the proposers of ${heights.join(', ')} are read`, async () =>
    isDeepStrictEqual(
      (await proposed()).map(({ height }) => height),
      heights,
    ),
  )

async function row(): Promise<{ state: string; has_index: boolean | null } | undefined> {
  const [found] = await testDatabase.database<{ state: string; has_index: boolean | null }[]>`
    select state, has_index from primary_chains where chain = ${c}`
  return found
}

const untilLive = (): Promise<void> =>
  until('the C-Chain is live', async () => (await row())?.state === 'live')

describe('proposers of the C-Chain', () => {
  test('are read from the index, new blocks and history, without delaying the indexer', async () => {
    await storeRecordedBlocks(testDatabase.database)
    node.behaviour.cContainers = containers.alone.slice(0, 1)
    await start(await node.start())
    await untilProposed([1])
    await untilLive()
    node.behaviour.cContainers = containers.alone
    await untilProposed([1, 2, 3])
    const rows = await proposed()
    expect(rows.map(({ proposer }) => proposer)).toEqual(containers.alone.map(({ id }) => id))
    // A wrapper's parent is the previous wrapper; that of the first is the genesis block.
    const genesis = cb58(Buffer.from((recorded.node.cBlocks[0]?.hash ?? '').slice(2), 'hex'))
    expect(rows.map(({ parent }) => parent)).toEqual([
      genesis,
      ...rows.slice(0, -1).map(({ proposer }) => proposer),
    ])
    expect(rows.map(({ ts }) => ts)).toEqual(
      recorded.node.cBlocks.slice(1).map(({ timestamp }) => Number(timestamp)),
    )
    expect((await row())?.has_index).toBe(true)
  })

  test('are added to a store that was indexed without them', async () => {
    await storeRecordedBlocks(testDatabase.database)
    node.behaviour.cContainers = undefined
    const url = await node.start()
    await start(url)
    await untilLive()
    await until('it is known that there is no index', async () => (await row())?.has_index === false)
    await stop()
    node.behaviour.cContainers = containers.alone
    await start(url)
    await untilProposed([1, 2, 3])
    const [done] = await testDatabase.database<{ from: bigint; to: bigint }[]>`
      select from_height as from, to_height as to from c_proposers where chain = ${c}`
    expect(done).toEqual({ from: 1n, to: 3n })
    await until('it is known that there is one', async () => (await row())?.has_index === true)
  })

  test('of blocks other than the stored ones are refused, without delaying the indexer', async () => {
    await storeRecordedBlocks(testDatabase.database)
    node.behaviour.cContainers = [...containers.staking, ...containers.alone.slice(2)]
    await start(await node.start())
    await until('it is refused', async () =>
      log.some(({ message }) => message === 'proposers could not be read, trying again'),
    )
    await untilLive()
    expect((await proposed()).map(({ height }) => height)).not.toContain(1)
    node.behaviour.cContainers = containers.alone
    await untilProposed([1, 2, 3])
  })
})
