import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { sha256 } from '../../../protocol/native/hashes.ts'
import { fromCheckedHex, hexText } from '../../../protocol/ids/text.ts'
import { readPrimaryStatus } from '../../store/primary/read-primary.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testPace, until } from '../testing/harness.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { addPBlock, addXBlock } from './testing/own-blocks.ts'
import { RecordedNode } from './testing/recorded-node.ts'

// Like those of EVM chains, the stops of the primary network's chains are examined again (server/indexer/stopped.ts).

const [p, x] = [11, 12]

let store: TestDatabase
let node: RecordedNode
let abort: AbortController
let running: Promise<void>

beforeEach(async () => {
  store = await createTestDatabase()
  node = new RecordedNode()
  node.behaviour.pHeight = 9
})
afterEach(async () => {
  abort.abort()
  await running.catch(() => undefined)
  await node.stop()
  await store.drop()
})

async function start(settings: { genesisFile?: string; networkId?: number } = {}): Promise<void> {
  abort = new AbortController()
  const quiet = () => undefined
  const { networks, chains } = localNetwork(await node.start())
  running = runPrimaryIndexers({
    database: store.database,
    chains,
    networks: networks.map((network) => ({ ...network, ...settings })),
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  running.catch(() => undefined)
}

const stateOf = async (chain: number) => (await readPrimaryStatus(store.database, [chain]))[0]
const stopped = (chain: number, reason: RegExp) =>
  until(`chain ${chain} is stopped for ${String(reason)}`, async () => {
    const row = await stateOf(chain)
    return row?.state === 'stopped' && reason.test(row.reason ?? '')
  })
const live = (chain: number, height: bigint) =>
  until(`chain ${chain} is live at ${height}`, async () => {
    const row = await stateOf(chain)
    return row?.state === 'live' && row.head_height === height
  })

/** Block 0 with another parent, so with another id. */
function otherGenesis(): string {
  const block = Buffer.from(fromCheckedHex(recorded.pBlocks[0]?.hex ?? ''))
  block[10] = 1
  return hexText(Buffer.concat([block, sha256(block).subarray(-4)]))
}

const stops: [string, RegExp, () => () => void][] = [
  [
    'credentials that are refused',
    /answered 401/,
    () => {
      node.behaviour.status = 401
      return () => (node.behaviour.status = undefined)
    },
  ],
  [
    'another block 0',
    /the node serves another P-Chain/,
    () => {
      // A failure makes it connect again, which compares the genesis.
      node.behaviour.otherPBlocks.set(0, otherGenesis())
      node.behaviour.otherPBlocks.set(9, otherNinth())
      return () => node.behaviour.otherPBlocks.clear()
    },
  ],
  [
    'another block at an accepted height',
    /another P-Chain block at the accepted height 9/,
    () => {
      node.behaviour.otherPBlocks.set(9, otherNinth())
      return () => node.behaviour.otherPBlocks.clear()
    },
  ],
]

function otherNinth(): string {
  const other = recorded.pBlocks.find(
    ({ json }) => json.height === 9 && json.parentID !== recorded.pBlocks[8]?.json.id,
  )
  return other?.hex ?? ''
}

test.each(stops)('a chain that ran continues after %s', async (_, reason, breakNode) => {
  await start()
  await live(p, 9n)
  const mend = breakNode()
  await stopped(p, reason)
  const since = (await stateOf(p))?.stopped_ts
  expect(Number(since)).toBeGreaterThan(0)
  mend()
  node.behaviour.pHeight = 11
  await live(p, 11n)
  await live(x, 4n)
  expect((await stateOf(p))?.reason).toBeNull()
})

test.each<[string, RegExp, () => () => void]>([
  stops[0] ?? ['', /./, () => () => undefined],
  [
    'another network',
    /serves the network 7, not 12345/,
    () => {
      node.behaviour.networkId = '7'
      return () => (node.behaviour.networkId = '12345')
    },
  ],
])('a network whose node never answered continues after %s', async (_, reason, breakNode) => {
  const mend = breakNode()
  await start()
  await stopped(p, reason)
  await stopped(x, reason)
  expect(Number((await stateOf(p))?.stopped_ts)).toBeGreaterThan(0)
  mend()
  await live(p, 9n)
  await live(x, 4n)
  // What samples validators had the same answers, and goes on too.
  await until('there are samples', async () => {
    const rows = await store.database`select from uptime_samples limit 1`
    return rows.length > 0
  })
})

test.each([
  ['of its own', 12_345, /^the genesis is needed, and the node cannot tell it/],
  [
    'with the ID of a public one',
    5,
    /is not a node of the network 5 \(Fuji\), but of another with the same ID/,
  ],
])('a network %s whose genesis nobody knows says what to do', async (_, networkId, reason) => {
  node.behaviour.hasValidators = false
  node.behaviour.networkId = String(networkId)
  await start({ networkId })
  await stopped(p, reason)
  node.behaviour.hasValidators = true
  await live(p, 9n)
})

/** The recorded genesis, which block 0 names as its parent, and one that differs in its last byte. */
const genesis = fromCheckedHex(recorded.genesis.hex)
const otherGenesisBytes = Buffer.concat([genesis.subarray(0, -1), Buffer.of((genesis.at(-1) ?? 0) ^ 1)])

test.each<[string, RegExp, Uint8Array | undefined]>([
  ['is missing', /cannot be read/, undefined],
  ['is none', /the genesis file cannot be read/, Buffer.from('0x00')],
  ['is of another network', /belongs to another network/, otherGenesisBytes],
])('a network continues after its genesis file %s', async (_, reason, bytes) => {
  const folder = await mkdtemp(join(tmpdir(), 'ridgeline-genesis-'))
  const path = join(folder, 'genesis.bin')
  try {
    if (bytes) await writeFile(path, bytes)
    await start({ genesisFile: path })
    // A file that can't be read may be about to be put there, so the chain waits; a wrong one stops it.
    await until(`it says why: ${String(reason)}`, async () => {
      const row = await stateOf(p)
      return row?.state === (bytes ? 'stopped' : 'waiting') && reason.test(row.reason ?? '')
    })
    expect(await store.database`select from primary_blocks where chain = ${p}`).toEqual([])
    await writeFile(path, genesis)
    await live(p, 9n)
    expect((await stateOf(p))?.reason).toBeNull()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe('a chain continues after a transaction of an unknown type', () => {
  // A newer version understands it; here the block is another one after the mend, as nothing of it was stored.
  const unknown = Buffer.concat([Buffer.from('000000ff', 'hex'), Buffer.alloc(96)])
  const above = (chain: number, height: number) =>
    store.database`select from primary_blocks where chain = ${chain} and height > ${height}`

  test('on the P-Chain', async () => {
    await start()
    await live(p, 9n)
    node.behaviour.pHeight = 11
    await live(p, 11n)
    addPBlock(node, 32, 1_795_246_100, [unknown])
    await stopped(p, /type 255/)
    expect(await above(p, 11)).toEqual([])
    node.blocks.pop()
    addPBlock(node, 32, 1_795_246_100, [])
    await live(p, 12n)
    expect((await stateOf(p))?.reason).toBeNull()
  })

  test('on the X-Chain', async () => {
    await start()
    const head = node.xBlocks.length - 1
    await live(x, BigInt(head))
    addXBlock(node, [], { unread: [unknown] })
    await stopped(x, /type 255/)
    expect(await above(x, head)).toEqual([])
    node.xBlocks.pop()
    addXBlock(node, [])
    await live(x, BigInt(head + 1))
    expect((await stateOf(x))?.reason).toBeNull()
  })
})
