import { idOfText } from '../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { Batch } from '../../indexer/primary/batch/batch.ts'
import { keyOf } from '../../indexer/primary/batch/rows.ts'
import { type Cursor, runBlocks, runBytes, writeBlocks } from '../../indexer/primary/batch/runs.ts'
import { countStrays, registerChain, report } from '../../indexer/primary/batch/store.ts'
import type { Strays } from '../../indexer/primary/batch/utxos.ts'
import { applyPBlock } from '../../indexer/primary/p-apply.ts'
import { applyPGenesis, genesisOfBytes } from '../../indexer/primary/p-genesis.ts'
import { loadPState } from '../../indexer/primary/p-state.ts'
import { applyVertex, applyXBlock, applyXGenesis } from '../../indexer/primary/x-apply.ts'
import { FatalError } from '../../kernel/errors.ts'
import { primaryChainKey, type PrimaryNetwork } from '../../primary/chains.ts'
import type { Database } from '../../store/database.ts'
import { StoreSession } from '../../store/session.ts'
import type { LakeEngine } from '../engine.ts'
import type { BlockRange } from '../manifest.ts'
import { faultsOfFiles } from '../range-files.ts'
import { beginReplay, contiguousManifests, faultsOfBlock } from './history.ts'
import { type GenesisBytes, type PrimaryManifest, storedGenesis } from './manifest.ts'
import { pRulesOf, xGenesisOf, xRulesOf } from './replay.ts'
import { readStored, type StoredBlock } from './stored.ts'
import type { PrimaryLakeChain } from './tables.ts'

export type LoadPrimaryOptions = {
  /** A migrated store. */
  database: Database
  root: string
  chain: PrimaryLakeChain
  network: PrimaryNetwork
  /** Whether the service that continues from there indexes the C-Chain too. */
  isCFollowed: boolean
  engine: LakeEngine
  signal: AbortSignal
  onRange?(loaded: { range: BlockRange; milliseconds: number }): void
}

/** The blocks that were loaded; undefined if the store had all of them before. */
type PrimaryLoaded = { readonly blocks: BlockRange | undefined; readonly lakeEnd: number }

/**
 * Fills the tables of the P- or the X-Chain from a lake, without a node: the lake is recounted, and its blocks are applied
 * to the store by the indexer's rules, in its transactions. It continues above the highest stored block, and so does the
 * indexer afterwards. Throws FatalError if the store has other blocks, or if the lake is damaged.
 */
export async function loadPrimary(options: LoadPrimaryOptions): Promise<PrimaryLoaded> {
  const { database, root, chain: chainAlias, network, signal } = options
  const { manifests } = await contiguousManifests(root, chainAlias)
  const last = manifests.at(-1)
  const genesis = await storedGenesis(root, chainAlias)
  if (!last || !genesis) throw new FatalError(`${root}: holds no ranges of the ${chainAlias}-Chain`)
  const key = primaryChainKey(network, chainAlias === 'P' ? 'p-chain' : 'x-chain')
  const session = new StoreSession(database, -key, signal, `the primary network's chain ${key}`)
  try {
    await session.open()
    const loader = await openLoader(options, session, key, last, genesis)
    const before = loader.cursor.height
    const replay = beginReplay(chainAlias, last.constants, genesis)
    for (const manifest of manifests) {
      const began = performance.now()
      const faults = await faultsOfFiles(root, manifest)
      if (faults.length > 0)
        throw new FatalError(`blocks ${manifest.from} to ${manifest.to}: ${faults.join('; ')}`)
      for await (const block of readStored(root, manifest, replay, options.engine)) {
        if (signal.aborted) break
        const [fault] = faultsOfBlock(chainAlias, block)
        if (fault !== undefined) throw new FatalError(`blocks ${manifest.from} to ${manifest.to}: ${fault}`)
        await loader.add(block)
      }
      await loader.write()
      if (signal.aborted) break
      if (manifest.to > before)
        options.onRange?.({ range: manifest, milliseconds: performance.now() - began })
    }
    const { height } = loader.cursor
    if (height > before)
      await session.use((sql) =>
        report(sql, key, 'waiting', `loaded from a lake up to block ${height}`, undefined),
      )
    return { blocks: height > before ? { from: before + 1, to: height } : undefined, lakeEnd: last.to }
  } finally {
    await session.close()
  }
}

/** Takes the blocks of a lake in order and writes those that the store lacks. */
type Loader = {
  readonly cursor: Cursor
  add(block: StoredBlock): Promise<void>
  write(): Promise<void>
}

async function openLoader(
  { chain: chainAlias, network, isCFollowed }: LoadPrimaryOptions,
  session: StoreSession,
  key: number,
  { constants, genesis: genesisId, indexed, to }: PrimaryManifest,
  genesis: GenesisBytes,
): Promise<Loader> {
  const keys = {
    P: primaryChainKey(network, 'p-chain'),
    X: primaryChainKey(network, 'x-chain'),
    C: primaryChainKey(network, 'c-chain'),
  }
  const identity = {
    chain: key,
    name: `${chainAlias}-Chain`,
    blockchainId: chainAlias === 'P' ? new Uint8Array(32) : idOfText(constants.xId),
    genesis: idOfText(genesisId),
    avaxAsset: idOfText(constants.avaxAsset),
    version: undefined,
    hasIndex: indexed,
  }
  const pRules = pRulesOf(constants, keys, isCFollowed)
  const xRules = xRulesOf(constants, keys, isCFollowed)
  await session.transaction(async (sql) => {
    await registerChain(sql, identity, false)
    if (chainAlias === 'X') return
    const { minPrice, conversion } = pRules.l1Fees
    const { helicon } = pRules.upgrades
    await sql`
      update primary_chains set l1_min_price = ${minPrice.toString()}, l1_conversion = ${conversion.toString()},
        helicon_ts = ${Number.isFinite(helicon) ? helicon : null}
      where chain = ${key}`
  })
  const strays: Strays = { next: await session.use((sql) => countStrays(sql, key)) }
  const state = chainAlias === 'P' ? await session.use((sql) => loadPState(sql, pRules)) : undefined
  const known = { ids: new Set<string>(), next: 0 }
  let cursor: Cursor = await cursorOf(session, key)
  let written = cursor
  let batch = new Batch(key)
  let blocks = 0
  let bytes = 0
  const write = async (): Promise<void> => {
    if (blocks === 0) return
    await writeBlocks(session, key, { batch, before: written, cursor }, to)
    written = cursor
    batch = new Batch(key)
    blocks = 0
    bytes = 0
  }
  return {
    get cursor() {
      return written
    },
    write,
    async add(block) {
      if (block.number <= cursor.height && cursor.height >= 0) {
        if (block.number === cursor.height && keyOf(idOfText(block.id)) !== cursor.id)
          throw new FatalError(`block ${block.number} of the store is another one than that of the lake`)
        return
      }
      if (state) {
        const effects = { state, batch, genesisTime: genesis.genesis.time, strays }
        const decoded = decodePBlock(block.bytes)
        if (state.height < 0) applyPGenesis(effects, genesisOfBytes(genesis.bytes, decoded), decoded)
        else applyPBlock(effects, { block: decoded, wrapper: block.wrapper, rewards: block.rewards })
      } else {
        const effects = { rules: xRules, batch, strays }
        if (block.number < 0) {
          applyXGenesis(effects, xGenesisOf(constants, genesis), genesis.genesis.time)
          for (const vertex of block.vertices) applyVertex(effects, vertex, known)
          return
        }
        applyXBlock(effects, decodeXBlock(block.bytes), block.wrapper)
      }
      cursor = { height: block.number, id: keyOf(idOfText(block.id)), ts: block.ts }
      blocks += 1
      bytes += block.bytes.length
      if (blocks >= runBlocks || bytes >= runBytes) await write()
    },
  }
}

async function cursorOf(session: StoreSession, key: number): Promise<Cursor> {
  const [row] = await session.use(
    (sql) => sql<{ height: bigint; id: Buffer; ts: bigint }[]>`
      select height, id, ts from primary_blocks where chain = ${key} order by height desc limit 1`,
  )
  return row
    ? { height: Number(row.height), id: keyOf(row.id), ts: Number(row.ts) }
    : { height: -1, id: '', ts: 0 }
}
