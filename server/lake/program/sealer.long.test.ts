import { namesIn } from '../../kernel/durable-files.ts'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedNode } from '../../indexer/primary/testing/recorded-node.ts'
import { chainConfig, startIndexer, storedHead, until } from '../../indexer/testing/harness.ts'
import { Random } from '../../indexer/testing/random.ts'
import { SimulatedChain } from '../../indexer/testing/simulated-chain.ts'
import { SimulatedNode } from '../../indexer/testing/simulated-node.ts'
import type { ChainConfig, NetworkConfig } from '../../kernel/settings/config.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { openEngine } from '../engine.ts'
import { extractPrimary } from '../primary/extract.ts'
import {
  indexRewarded,
  recordedGenesis,
  rewardedNetworks,
  rewardedNode,
} from '../primary/testing/rewarded-node.ts'
import { storedRanges } from '../ranges.ts'
import { kill, killSettings, watchFiles } from '../testing/kills.ts'
import { contentOf, runLake, writeRanges } from '../testing/run-lake.ts'
import { runLakeSealer } from './run-sealer.ts'

const settings = killSettings({ kills: 2, seed: 6 })

let folder: string
let store: TestDatabase
let node: RecordedNode
let networks: NetworkConfig[]
let running: { end(): Promise<void> } | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ridgeline-sealer-'))
  store = await createTestDatabase()
  node = rewardedNode()
  networks = rewardedNetworks(await node.start(), folder)
  await indexRewarded(store.database, networks)
})
afterEach(() => running?.end())
afterAll(async () => {
  await node?.stop()
  await store?.drop()
  rmSync(folder, { recursive: true, force: true })
})

type Given = { readonly isOn?: boolean; readonly size?: number; readonly chains?: ChainConfig[] }

function start(lakeFolder: string, { isOn = true, size = 7, chains = [] }: Given = {}) {
  const abort = new AbortController()
  const pids: (number | undefined)[] = []
  const log: Record<string, unknown>[] = []
  const write = (fields: object, message: string) => void log.push({ ...fields, message })
  const ended = runLakeSealer({
    config: { lake: { seal: isOn, rangeSize: size }, lakeFolder, home: folder, chains, networks },
    databaseUrl: store.url,
    logger: { info: write, warn: write },
    signal: abort.signal,
    every: 50,
    againAfter: 10,
    onStarted: (pid) => void pids.push(pid),
  })
  const end = () => {
    abort.abort()
    return ended
  }
  running = { end }
  return { pids, log, ended, end }
}

const rangesOf = async (root: string): Promise<number> => (await storedRanges(root, 'P')).length

describe('seals beside the service what its indexer has', () => {
  const size = 5
  /** The highest final block of the EVM chain, whose node does not say what is final. */
  const final = 20
  const evm = new SimulatedChain(settings.seed, { id: 4_901 })
  const evmNode = new SimulatedNode({ chain: evm, traces: 'trace' })
  let chains: ChainConfig[]
  /** What an extraction writes, and how many events that takes. */
  let expected: Record<string, string>
  let events = 0

  beforeAll(async () => {
    evm.mine(final + 64)
    const rpcUrl = await evmNode.start()
    chains = [chainConfig({ evmChainId: evm.id, rpcUrl })]
    const indexer = startIndexer(store.database, chainConfig({ evmChainId: evm.id, rpcUrl, reorgLimit: 12 }))
    const isIndexed = async () => (await storedHead(store.database, evm.id))?.number === evm.height
    await until('the chain is indexed', isIndexed)
    await indexer.stop()
    const root = join(folder, 'extracted')
    mkdirSync(root)
    const end = watchFiles(root, () => void (events += 1))
    const ranges = Array.from({ length: Math.floor((final + 1) / size) }, (_, at) => ({
      from: at * size,
      to: at * size + size - 1,
    }))
    await writeRanges({ root, rpcUrl, chain: evm.id }, ranges)
    const engine = await openEngine(folder)
    for (const chain of ['P', 'X'] as const)
      await extractPrimary({
        chain,
        nodeUrl: networks[0]?.nodeUrl ?? '',
        root,
        genesis: recordedGenesis,
        to: undefined,
        size,
        concurrency: 4,
        engine,
        signal: new AbortController().signal,
        onWritten: () => undefined,
      })
    engine.close()
    end()
    expected = await contentOf(root)
  })
  afterAll(() => evmNode.stop())

  /** Whether a lake has all ranges, and nothing that is not finished. */
  async function isSealed(root: string): Promise<boolean> {
    for (const chain of ['P', 'X', evm.id] as const) {
      const wanted = Object.keys(expected).filter((path) => path.startsWith(`${chain}/manifests/`))
      if ((await storedRanges(root, chain)).length < wanted.length) return false
      if ((await namesIn(join(root, `${chain}`, 'unfinished'))).length > 0) return false
    }
    return true
  }

  /** Seals into a new lake, and kills the sealer at random moments. Returns how often, `max` times at most. */
  async function sealKilled(random: Random, max: number, name: string): Promise<number> {
    const root = mkdtempSync(join(folder, 'killed-'))
    const moments: number[] = []
    let seen = 0
    const draw = () => (moments.length < max ? seen + random.between(1, events) : undefined)
    let moment = draw()
    const sealer = start(root, { chains, size })
    const end = watchFiles(root, () => {
      seen += 1
      const pid = sealer.pids.at(-1)
      if (seen !== moment || pid === undefined || !kill(pid)) return
      moments.push(seen)
      moment = draw()
    })
    const when = () => `${name}, killed after ${moments.join(' and ')} of ${events} events`
    try {
      await until(
        'all is sealed',
        () => {
          expect(
            sealer.log.filter(({ message }) => String(message).includes('no more')),
            when(),
          ).toEqual([])
          return isSealed(root)
        },
        120_000,
      )
    } finally {
      end()
      await sealer.end()
    }
    expect(await contentOf(root), when()).toEqual(expected)
    // Nothing but the kills ended a sealer, and the last one may have been through before its kill.
    expect([moments.length, moments.length + 1], when()).toContain(sealer.pids.length)
    return moments.length
  }

  test(
    `killed at random moments, in the bytes of an extraction (seed ${settings.seed})`,
    async () => {
      const { kills, seed } = settings
      const random = new Random(seed)
      let killed = 0
      for (let targets = 1; killed < kills; targets += 1) {
        expect(targets, `seed ${seed}: the sealer is through before it is killed`).toBeLessThan(
          20 + kills * 4,
        )
        killed += await sealKilled(random, Math.min(kills - killed, 4), `seed ${seed}, target ${targets}`)
      }
    },
    settings.timeout,
  )
})

test('waits for the indexer, and stops at a block that is not the stored one', async () => {
  const root = join(folder, 'held')
  const { database } = store
  const blocks = await database`select * from primary_blocks where chain = 11 and height = 13`
  await database`delete from primary_blocks where chain = 11 and height > 12`
  const args = ['seal', '--once', '--root', root, '--chain', 'P', '--network', 'fuji', '--range-size', '7']
  const source = ['--rpc', networks[0]?.nodeUrl ?? '', '--genesis', join(folder, 'genesis.bin')]
  expect(await runLake([...args, ...source], { DATABASE_URL: store.url })).toMatchObject({ code: 0 })
  expect(await rangesOf(root)).toBe(1)
  await database`insert into primary_blocks ${database(blocks)}`
  await database`update primary_blocks set id = ${Buffer.alloc(32, 1)} where chain = 11 and height = 13`
  const { log } = start(root)
  await until('it stops', async () => log.some(({ message }) => String(message).includes('no more')))
  expect(log.find(({ text }) => String(text).includes('that of the store'))).toMatchObject({
    chain: 'fuji P',
  })
  expect(await rangesOf(root)).toBe(1)
})

test('is off unless the settings say so', async () => {
  const { ended, pids } = start(join(folder, 'off'), { isOn: false })
  await ended
  expect(pids).toEqual([])
})
