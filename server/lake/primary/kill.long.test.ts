import { namesIn } from '../../kernel/durable-files.ts'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedNode } from '../../indexer/primary/testing/recorded-node.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { Findings } from '../../verify/findings.ts'
import { checkPrimaryTables } from '../../verify/primary-tables.ts'
import { openEngine, type LakeEngine } from '../engine.ts'
import { killAtRandom, killSettings, startLoader, startWriter, untilNoLoader } from '../testing/kills.ts'
import { contentOf } from '../testing/run-lake.ts'
import { extractPrimary } from './extract.ts'
import { loadPrimary } from './load.ts'
import { primaryContents } from './testing/primary-contents.ts'
import { recordedGenesis, rewardedNetworks, rewardedNode } from './testing/rewarded-node.ts'
import { verifyPrimary } from './verify.ts'

const settings = killSettings({ kills: 2, seed: 12 })
/**
 * Blocks of a range, so that each chain has several: P ends with block 20, X with block 4. Block 14 of P decides what block
 * 13 proposed, in the range before.
 */
const sizes = { P: 2, X: 1 } as const
const chains = [{ chain: 'P' }, { chain: 'X' }] as const

let folder: string
/** A lake of both chains that was written without interruption. */
let whole: string
let node: RecordedNode
let nodeUrl: string
let engine: LakeEngine
const { signal } = new AbortController()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-kill-primary-'))
  whole = join(folder, 'whole')
  node = rewardedNode()
  node.behaviour.hasIndex = false
  nodeUrl = await node.start()
  // Writes the file of the genesis.
  rewardedNetworks(nodeUrl, folder)
  engine = await openEngine(folder)
  for (const { chain } of chains)
    await extractPrimary({
      chain,
      nodeUrl,
      root: whole,
      genesis: recordedGenesis,
      to: undefined,
      size: sizes[chain],
      concurrency: 4,
      engine,
      signal,
      onWritten: () => undefined,
    })
})
afterAll(async () => {
  engine?.close()
  await node?.stop()
  await rm(folder, { recursive: true, force: true })
})

describe(`kill -9 at random moments, seed ${settings.seed}`, () => {
  test.each(chains)(
    'of the extraction of $chain: the lake has the same bytes',
    async ({ chain }) => {
      const expected = await contentOf(join(whole, chain))
      let targets = 0
      await killAtRandom(settings, async () => {
        const root = join(folder, `${chain}-${(targets += 1)}`)
        await mkdir(root)
        const args = [
          'extract',
          '--root',
          root,
          '--chain',
          chain,
          '--rpc',
          nodeUrl,
          '--range-size',
          `${sizes[chain]}`,
        ]
        return {
          start: (event) => startWriter(root, [...args, '--genesis', join(folder, 'genesis.bin')], event),
          async afterKill(when) {
            const { problems } = await verifyPrimary({ root, chain, engine, filesOnly: true, signal })
            expect(problems, when).toEqual([])
          },
          async whenThrough(when) {
            expect(await contentOf(join(root, chain)), when).toEqual(expected)
            expect(await namesIn(join(root, chain, 'unfinished')), when).toEqual([])
          },
        }
      })
    },
    settings.timeout,
  )

  test.each(chains)(
    'of the load of $chain: the store has the same rows',
    async ({ chain }) => {
      const key = primaryChainKey('fuji', chain === 'P' ? 'p-chain' : 'x-chain')
      const quiet = await createTestDatabase()
      const { database } = quiet
      await loadPrimary({ database, root: whole, chain, network: 'fuji', isCFollowed: false, engine, signal })
      const expected = await primaryContents(database)
      await quiet.drop()
      const args = ['--root', whole, '--chain', chain, '--network', 'fuji', '--without-c']
      await killAtRandom(settings, async () => {
        const store = await createTestDatabase()
        return {
          start: (event) => startLoader(store.url, args, event),
          async afterKill(when) {
            await untilNoLoader(store.database)
            const findings = new Findings()
            await checkPrimaryTables(store.database, key, findings)
            expect(findings.all(), when).toEqual([])
          },
          async whenThrough(when) {
            expect(await primaryContents(store.database), when).toEqual(expected)
            await store.drop()
          },
        }
      })
    },
    settings.timeout,
  )
})
