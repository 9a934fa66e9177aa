import { afterEach, beforeEach, describe, expect, vi, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { LockedError } from '../kernel/errors.ts'
import { rewindChain } from './rewind.ts'
import {
  chainConfig,
  chainRow,
  digest,
  digestOfFresh,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { faults, SimulatedNode, type Fault } from './testing/simulated-node.ts'

const reorgLimit = 10

let testDatabase: TestDatabase
let node: SimulatedNode
let chain: SimulatedChain
let rpcUrl: string
const running: RunningIndexer[] = []

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  chain = new SimulatedChain(77)
  chain.mine(40)
  node = new SimulatedNode({ chain })
  rpcUrl = await node.start()
})

afterEach(async () => {
  vi.useRealTimers()
  for (const indexer of running.splice(0)) await indexer.stop()
  await node.stop()
  await testDatabase.drop()
})

function start(
  settings: Parameters<typeof chainConfig>[0] | object = {},
  database = testDatabase.database,
): RunningIndexer {
  const indexer = startIndexer(
    database,
    chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit, ...settings }),
  )
  running.push(indexer)
  return indexer
}

async function stopAll(): Promise<void> {
  for (const indexer of running.splice(0)) await indexer.stop()
}

const caughtUp = (database = testDatabase.database, within?: number) =>
  until(
    `block ${chain.height} is indexed`,
    async () => (await storedHead(database, chain.id))?.hash === chain.hash(chain.height),
    within,
  )

async function expectClean(): Promise<void> {
  const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
  expect(report.findings.all()).toEqual([])
  expect(report.blocks).toBeGreaterThan(0)
}

/** Expects the same rows as a new run on the final chain. */
async function expectSameAsFresh(settings: object = {}): Promise<void> {
  await stopAll()
  const fresh = await digestOfFresh(chain.id, async (database) => {
    start(settings, database)
    await caughtUp(database)
    await stopAll()
  })
  expect(await digest(testDatabase.database, chain.id)).toEqual(fresh)
}

describe('following the chain', () => {
  test('follows reorgs of every depth up to the limit, live', async () => {
    start()
    await caughtUp()
    for (let depth = 1; depth <= reorgLimit; depth += 1) {
      chain.reorg(depth, depth + 1)
      await caughtUp()
    }
    await expect.poll(() => running[0]?.stats?.reorgs).toBe(reorgLimit)
    await expectClean()
    await expectSameAsFresh()
  })

  test('follows reorgs of every depth that happened while it was stopped', async () => {
    for (let depth = 1; depth <= reorgLimit; depth += 1) {
      start()
      await caughtUp()
      await stopAll()
      chain.reorg(depth, depth + (depth % 3) * 30 + 1)
    }
    start()
    await caughtUp()
    await expectClean()
    await expectSameAsFresh()
  })

  test('follows a branch that is shorter than the one it replaces', async () => {
    start()
    await caughtUp()
    chain.reorg(6, 2)
    await caughtUp()
    expect((await storedHead(testDatabase.database, chain.id))?.number).toBe(36)
    await expectClean()
  })

  test('rolls nothing back when the node lags', async () => {
    start()
    await caughtUp()
    const before = await digest(testDatabase.database, chain.id)
    node.reportedHead = 31
    const asked = node.requests
    await until('the node was asked ten times more', async () => node.requests > asked + 10)
    expect(await digest(testDatabase.database, chain.id)).toEqual(before)
    expect(running[0]?.stats?.reorgs).toBe(0)
    node.reportedHead = undefined
    chain.mine(1)
    await caughtUp()
  })

  test('never requests blocks above the head', async () => {
    start()
    await caughtUp()
    chain.mine(3)
    await caughtUp()
    const heights = node.asked
      .map(({ first }) => first)
      .filter((first) => typeof first === 'string' && first.startsWith('0x'))
    expect(heights.length).toBeGreaterThan(80)
    expect(Math.max(...heights.map(Number))).toBe(chain.height)
  })

  test('starts at a chosen height', async () => {
    start({ startBlock: 25 })
    await caughtUp()
    await expectClean()
    const [row] = await testDatabase.database<{ low: bigint }[]>`select min(number) as low from blocks`
    expect(row?.low).toBe(25n)
  })

  test('changes nothing when it receives the same blocks again', async () => {
    start()
    await caughtUp()
    const before = await digest(testDatabase.database, chain.id)
    await stopAll()
    start()
    await until('the head was looked at', async () => (running[0]?.stats?.headNumber ?? 0) > 0)
    expect(await digest(testDatabase.database, chain.id)).toEqual(before)
    expect(running[0]?.stats?.blocksApplied).toBe(0)
  })

  test('stores the same rows in every time zone and at every clock time', async () => {
    const zone = process.env['TZ']
    start()
    await caughtUp()
    await stopAll()
    try {
      for (const [tz, skew] of [
        ['Pacific/Kiritimati', 86_400_000],
        ['America/St_Johns', -86_400_000],
      ] as const) {
        process.env['TZ'] = tz
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew })
        await expectSameAsFresh()
        vi.useRealTimers()
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})

describe('what is final', () => {
  const told = async (): Promise<number | null> => {
    const [row] = await testDatabase.database<{ node_finalized: bigint | null }[]>`
      select node_finalized from chains where chain = ${chain.id}`
    return row?.node_finalized == null ? null : Number(row.node_finalized)
  }
  const finalAt = (height: number | null): Promise<void> =>
    until(`${height} is final`, async () => (await told()) === height)

  test('is what the node tells, also while its head stands still', async () => {
    node.finalized = 12
    start()
    await caughtUp()
    await finalAt(12)
    // No new head: only the finality advances.
    node.finalized = 30
    await finalAt(30)
    chain.mine(3)
    node.finalized = chain.height
    await caughtUp()
    await finalAt(chain.height)
  })

  test('is asked again of a node that did not know the tag, or had no such block yet', async () => {
    node.finalized = undefined
    start()
    await caughtUp()
    expect(await told()).toBeNull()
    node.finalized = null
    chain.mine(1)
    await caughtUp()
    expect(await told()).toBeNull()
    node.finalized = 7
    await finalAt(7)
  })
})

describe('announcements', () => {
  test('reports heads and reorgs with the commit, and the reason for waiting', async () => {
    const heard: Record<string, unknown>[] = []
    await testDatabase.database.listen('ridgeline', (payload) =>
      heard.push(JSON.parse(payload) as Record<string, unknown>),
    )
    start()
    await caughtUp()
    chain.reorg(3, 4)
    await caughtUp()
    node.fault = () => 'status 503'
    const about = (kind: string) => heard.filter((event) => event['kind'] === kind)
    await until(
      'it is heard',
      async () => about('reorg').length > 0 && about('progress').some(({ state }) => state === 'waiting'),
    )
    expect(about('reorg')).toEqual([{ kind: 'reorg', chain: '43113', ancestor: '37', depth: 3, count: 1 }])
    const last = about('head').at(-1)
    const height = `${chain.height}`
    expect(last).toMatchObject({
      chain: '43113',
      number: height,
      node: height,
      hash: chain.hash(chain.height),
    })
    expect(Object.keys(last ?? {}).sort()).toEqual(['chain', 'hash', 'kind', 'node', 'number', 'ts', 'txs'])
    const counted = about('head')
      .slice(0, -1)
      .reduce((sum, event) => sum + Number(event['txs']), 0)
    expect(counted).toBeGreaterThan(0)
    node.fault = () => undefined
  })
})

describe('a reorg deeper than the limit', () => {
  test('stops the chain without changes, and continues after a rewind', async () => {
    start()
    await caughtUp()
    const before = await digest(testDatabase.database, chain.id)
    chain.reorg(reorgLimit + 1, reorgLimit + 5)
    await until(
      'the chain stops',
      async () => (await chainRow(testDatabase.database, chain.id))?.state === 'stopped',
    )
    expect((await chainRow(testDatabase.database, chain.id))?.reason).toContain('--rewind 29')
    expect(await digest(testDatabase.database, chain.id)).toEqual(before)

    await rewindChain(testDatabase.database, chain.id, 29)
    await caughtUp()
    expect((await chainRow(testDatabase.database, chain.id))?.state).not.toBe('stopped')
    await expectClean()
    await expectSameAsFresh()
  })

  test('continues after a rewind far below the final block', async () => {
    start()
    await caughtUp()
    chain.reorg(33, 50)
    await until(
      'the chain stops',
      async () => (await chainRow(testDatabase.database, chain.id))?.state === 'stopped',
    )
    await rewindChain(testDatabase.database, chain.id, 7)
    await caughtUp()
    await expectClean()
    await expectSameAsFresh()
  })

  test('rewinds a chain that is being indexed', async () => {
    start()
    await caughtUp()
    await rewindChain(testDatabase.database, chain.id, 12)
    await caughtUp()
    await expectClean()
    await expectSameAsFresh()
  })
})

describe('another chain behind the URL', () => {
  test.each([
    ['another chain id', new SimulatedChain(3, { id: 999 }), /serves chain 999, not 43113/],
    ['another genesis', new SimulatedChain(4), /another genesis block/],
  ])('refuses to write after a restart: %s', async (_name, other, reason) => {
    start()
    await caughtUp()
    await stopAll()
    const before = await digest(testDatabase.database, chain.id)
    other.mine(60)
    node.chain = other
    start()
    await until(
      'the chain stops',
      async () => (await chainRow(testDatabase.database, chain.id))?.state === 'stopped',
    )
    expect((await chainRow(testDatabase.database, chain.id))?.reason).toMatch(reason)
    expect(await digest(testDatabase.database, chain.id)).toEqual(before)
  })

  test('is indexed from the start if the operator allows it', async () => {
    start()
    await caughtUp()
    await stopAll()
    chain = new SimulatedChain(4)
    chain.mine(60)
    node.chain = chain
    start({ onNewGenesis: 'startOver' })
    await caughtUp()
    await expectClean()
    await expectSameAsFresh()
  })

  test('refuses to write when the chain changes while it is indexed', async () => {
    start()
    await caughtUp()
    const before = await digest(testDatabase.database, chain.id)
    const other = new SimulatedChain(4)
    other.mine(60)
    node.chain = other
    await until(
      'the chain stops',
      async () => (await chainRow(testDatabase.database, chain.id))?.state === 'stopped',
    )
    expect(await digest(testDatabase.database, chain.id)).toEqual(before)
  })
})

describe('wrong answers', () => {
  const each: readonly Fault[] = [...faults, 'stalled body']
  test.each(each)('asks again after: %s', async (fault) => {
    // Fewer than the attempts for a block: after so many the run begins anew, and what it had read is asked for again.
    let left = 3
    let wrong = 0
    node.fault = () => {
      if (node.requests <= 6 || left === 0) return undefined
      left -= 1
      wrong += 1
      return fault
    }
    // A busy machine answers slowly too: only what never ends has to be given up soon.
    start({ ...(fault === 'stalled body' && { requestSeconds: 0.3 }), concurrency: 2 })
    await caughtUp()
    expect(wrong).toBe(3)
    // Only one layer retries, so a bad answer costs one request. Those for the head go on as long as it takes.
    const receipts = node.asked.filter(({ method }) => method === 'eth_getBlockReceipts')
    const repeated = receipts.length - new Set(receipts.map(({ first }) => first)).size
    expect(repeated).toBeLessThanOrEqual(3)
    await expectClean()
  })

  test('waits, reports the reason, and continues', async () => {
    start()
    await caughtUp()
    node.fault = () => 'status 503'
    await until(
      'it waits',
      async () => (await chainRow(testDatabase.database, chain.id))?.state === 'waiting',
    )
    expect((await chainRow(testDatabase.database, chain.id))?.reason).toContain('503')
    node.fault = () => undefined
    chain.mine(2)
    await caughtUp()
    await until('it is live', async () => (await chainRow(testDatabase.database, chain.id))?.state === 'live')
    expect((await chainRow(testDatabase.database, chain.id))?.reason).toBeNull()
  })
})

describe('traces', () => {
  test.each(['debug', 'trace'] as const)('takes those that the node has: %s', async (traces) => {
    await node.stop()
    node = new SimulatedNode({ chain, traces })
    rpcUrl = await node.start()
    start()
    await caughtUp()
    expect((await chainRow(testDatabase.database, chain.id))?.trace_source).toBe(traces)
    await expectClean()
    const [row] = await testDatabase.database<
      { inner: bigint }[]
    >`select count(*) as inner from contracts where ordinal >= 0`
    expect(row?.inner).toBeGreaterThan(0n)
  })
})

describe('one indexer per chain', () => {
  test('refuses a second one and names the chain', async () => {
    start()
    await caughtUp()
    const second = startIndexer(testDatabase.open(), chainConfig({ evmChainId: chain.id, rpcUrl }))
    const outcome = await second.ended.catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(LockedError)
    expect(String(outcome)).toContain(`chain ${chain.id}`)
    chain.mine(2)
    await caughtUp()
    await expectClean()
  })

  test('takes its lock again after the connection is lost', async () => {
    start()
    await caughtUp()
    await testDatabase.database`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7101 and granted
        and database = (select oid from pg_database where datname = current_database())`
    chain.mine(3)
    await caughtUp()
    await expectClean()
    const [row] = await testDatabase.database<{ held: bigint }[]>`
      select count(*) as held from pg_locks where locktype = 'advisory' and classid = 7101 and granted
        and database = (select oid from pg_database where datname = current_database())`
    expect(row?.held).toBe(1n)
  })
})

describe('malicious data', () => {
  test('continues past anything that a contract may choose', async () => {
    const address = `0x${'ab'.repeat(20)}`
    chain.mineWith([{ address, topics: [], data: '0x' }], '0x00')
    chain.mineWith([{ address, topics: [`0x${'00'.repeat(32)}`], data: `0x${'00'.repeat(1_000_000)}` }], '0x')
    chain.mineWith([], `0x${Buffer.from('a\0b\uFFFD\n\t\\N\\.').toString('hex')}`)
    chain.mine(1)
    start()
    await caughtUp()
    await expectClean()
  })
})
