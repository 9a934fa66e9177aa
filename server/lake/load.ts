import { FatalError, RetryableError } from '../kernel/errors.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { Writer } from '../indexer/evm/apply.ts'
import { decodeBlock, type DecodedBlock } from '../indexer/evm/decode.ts'
import { registerChain } from '../indexer/evm/identity.ts'
import type { Database } from '../store/database.ts'
import { StoreSession } from '../store/session.ts'
import type { LakeEngine } from './engine.ts'
import type { BlockRange, Manifest } from './manifest.ts'
import { readManifest, storedRanges } from './ranges.ts'
import { readRange } from './read-range.ts'
import { faultsOfFiles } from './range-files.ts'

export type LoadOptions = {
  /** A migrated store. */
  database: Database
  root: string
  /** The EVM chain id. */
  chain: number
  engine: LakeEngine
  signal: AbortSignal
  onRange?(loaded: LoadedRange): void
}

export type LoadedRange = { readonly range: BlockRange; readonly milliseconds: number }

/** The blocks that were loaded; undefined if the store had all of them before. */
export type Loaded = { readonly blocks: BlockRange | undefined; readonly lakeEnd: number }

/** Limits of one transaction, as when the indexer catches up. */
const maxBlocks = 256
const maxBytes = 12 * 1024 * 1024

/**
 * Fills a chain's tables from a lake, without a node. The blocks take the indexer's own way from the answer
 * on: checked, decoded and applied in order, so that the result equals that of the ordinary way row by row.
 * It continues above the highest stored block, and so does the indexer afterwards: both check that their
 * first block follows the stored one. Throws FatalError if the store has other blocks, or if files of the
 * lake are damaged; nothing of a damaged range is loaded.
 */
export async function loadLake(options: LoadOptions): Promise<Loaded> {
  const { database, root, chain, signal } = options
  const ranges = await contiguousRanges(root, chain)
  const [first] = ranges
  const last = ranges.at(-1)
  if (!first || !last) throw new FatalError(`${root}: holds no ranges of chain ${chain}`)
  const session = new StoreSession(database, chain, signal)
  try {
    await session.open()
    await session.transaction((sql) =>
      registerChain(
        sql,
        { id: chain, startBlock: first.from },
        { genesisHash: first.genesisHash, clientVersion: undefined },
        'the lake',
      ),
    )
    const writer = new Writer({
      session,
      chain,
      // Nothing in a lake is ever replaced.
      reorgLimit: 0,
      stats: createStats(),
      earlierBlock: (number) =>
        Promise.reject(new FatalError(`the receipts of block ${number} are below the lake's first block`)),
    })
    await writer.load()
    const before = writer.tip?.number ?? first.from - 1
    await checkSeam(session, chain, ranges, before)
    for (const manifest of ranges) {
      if (manifest.to <= (writer.tip?.number ?? -1)) continue
      if (signal.aborted) break
      const began = performance.now()
      await loadRange(options, manifest, writer, last.to)
      options.onRange?.({ range: manifest, milliseconds: performance.now() - began })
    }
    const tip = writer.tip?.number ?? before
    if (tip > before)
      await session.use(
        (sql) => sql`
          update chains set state = 'waiting', reason = ${`loaded from a lake up to block ${tip}`}
          where chain = ${chain}`,
      )
    return { blocks: tip > before ? { from: before + 1, to: tip } : undefined, lakeEnd: last.to }
  } finally {
    await session.close()
  }
}

/** The manifests from the lake's first range up to its first gap. */
export async function contiguousRanges(root: string, chain: number): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const range of await storedRanges(root, chain)) {
    const before = manifests.at(-1)
    if (before && range.from !== before.to + 1) break
    manifests.push(await readManifest(root, chain, range))
  }
  return manifests
}

/** Throws FatalError if the store has another block than the lake at the end of a range. */
async function checkSeam(
  session: StoreSession,
  chain: number,
  ranges: readonly Manifest[],
  tip: number,
): Promise<void> {
  const range = ranges.findLast(({ to }) => to <= tip)
  if (!range) return
  const [row] = await session.use(
    (sql) => sql<{ hash: string }[]>`
      select '0x' || encode(hash, 'hex') as hash from blocks where chain = ${chain} and number = ${range.to}`,
  )
  if (row && row.hash !== range.last.hash)
    throw new FatalError(`block ${range.to} of the store is ${row.hash}, that of the lake ${range.last.hash}`)
}

async function loadRange(
  { root, engine, signal }: LoadOptions,
  manifest: Manifest,
  writer: Writer,
  lakeEnd: number,
): Promise<void> {
  const [fault] = await faultsOfFiles(root, manifest)
  if (fault !== undefined) throw new FatalError(`blocks ${manifest.from} to ${manifest.to}: ${fault}`)
  const view = {
    headNumber: lakeEnd,
    seenTs: Math.floor(Date.now() / 1000),
    traceSource: manifest.traces === 'off' ? ('none' as const) : manifest.traces,
  }
  let blocks: DecodedBlock[] = []
  let bytes = 0
  const append = async () => {
    if (blocks.length === 0) return
    await appendFinal(writer, blocks, view)
    blocks = []
    bytes = 0
  }
  const above = writer.tip?.number ?? -1
  for await (const block of readRange(root, manifest, { engine, stats: createStats(), above })) {
    if (signal.aborted) return
    const decoded = decodeBlock(manifest.chain, block.checked, block.traces)
    blocks.push(decoded)
    bytes += decoded.rows.logs.length + decoded.rows.transactions.length + decoded.rows.calls.length
    if (blocks.length >= maxBlocks || bytes >= maxBytes) await append()
  }
  await append()
}

/** Appends blocks. A lake does not change, so a disagreement with the store stays. */
async function appendFinal(
  writer: Writer,
  blocks: readonly DecodedBlock[],
  view: Parameters<Writer['append']>[1],
): Promise<void> {
  try {
    await writer.append(blocks, view)
  } catch (error) {
    if (error instanceof RetryableError && error.kind === 'disagreement')
      throw new FatalError(`the store and the lake disagree: ${error.message}`)
    throw error
  }
}
