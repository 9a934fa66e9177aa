import { removeAbandoned } from '../work-folders.ts'
import { createStats } from '../../kernel/indexer-stats.ts'
import { FatalError, RetryableError } from '../../kernel/errors.ts'
import { defaultPace } from '../../kernel/pause.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { PrimaryNode } from '../../indexer/primary/node.ts'
import { publicGenesis } from '../../primary/public-genesis.ts'
import type { LakeEngine } from '../engine.ts'
import type { BlockRange } from '../manifest.ts'
import { RangeWriter } from '../range-writer.ts'
import { bytesOfRows } from '../rows.ts'
import { missingRanges } from '../ranges.ts'
import { beginReplay, contiguousManifests, type Replay, replayLake } from './history.ts'
import {
  type Constants,
  genesisOf,
  type GenesisBytes,
  type PrimaryManifest,
  storedGenesis,
  storeGenesis,
} from './manifest.ts'
import type { AppliedBlock } from './replay.ts'
import type { BlockText } from './rows.ts'
import { constantsOf, isBlock, type NodeSource, openIndex, pBlocksOfNode, xBlocksOfNode } from './source.ts'
import { layoutOf, type PrimaryLakeChain } from './tables.ts'

export type PrimaryExtractOptions = {
  chain: PrimaryLakeChain
  /** The node's base URL. */
  nodeUrl: string
  root: string
  /** The network's genesis bytes; undefined if the lake has them, or the network is a public one. */
  genesis: Uint8Array | undefined
  /** The last block to extract; undefined for the newest. */
  to: number | undefined
  /** Blocks per range. */
  size: number
  concurrency: number
  engine: LakeEngine
  signal: AbortSignal
  /** The id that the last block of a range must have; undefined if any will do. */
  lastIdOf?: (range: BlockRange) => Promise<string | undefined>
  onWritten(written: { manifest: PrimaryManifest; milliseconds: number }): void
}

/** What an extraction did; `left` are blocks that do not fill a range yet. */
type PrimaryExtracted = { readonly ranges: number; readonly left: BlockRange | undefined }

/**
 * Extracts the P- or the X-Chain from where the lake ends. Rewards, balances and unspent outputs depend on everything
 * before, so one process applies the blocks in order; what the lake has already is applied from its files. Every
 * accepted block is final. Throws FatalError if node and lake disagree.
 */
export async function extractPrimary(options: PrimaryExtractOptions): Promise<PrimaryExtracted> {
  const extraction = new PrimaryExtraction(options)
  try {
    return await extraction.advance(options.to)
  } finally {
    extraction.close()
  }
}

/** An extraction that goes on as the chain does. After a failure it can't be used any more. */
export class PrimaryExtraction {
  readonly #options: Omit<PrimaryExtractOptions, 'to'>
  readonly #node: PrimaryNode
  #opened: Opened | undefined

  constructor(options: Omit<PrimaryExtractOptions, 'to'>) {
    this.#options = options
    this.#node = new PrimaryNode({
      url: options.nodeUrl,
      timeout: 30_000,
      concurrency: options.concurrency,
      stats: createStats(),
      pace: defaultPace,
    })
  }

  close(): void {
    this.#node.close()
  }

  /** The node's newest block. */
  head(): Promise<number> {
    return this.#node.height(this.#options.chain, this.#options.signal)
  }

  /** Writes the ranges that end at or below `to`, or the node's newest block. */
  async advance(limit: number | undefined): Promise<PrimaryExtracted> {
    const { chain, root, size, signal } = this.#options
    const head = await this.head()
    const to = limit ?? head
    if (to > head) throw new FatalError(`block ${to} does not exist yet: the newest is ${head}`)
    // Also if nothing is missing: a process may have been killed behind its last range.
    await removeAbandoned(root, chain)
    const ranges = await missingRanges(root, chain, { from: 0, to, size })
    const next = Math.floor((to + 1) / size) * size
    const left = next <= to && !signal.aborted ? { from: next, to } : undefined
    const [first] = ranges
    if (!first) return { ranges: 0, left }
    this.#opened ??= await this.#open(first)
    const { P, X } = this.#opened.replay
    if ((P?.state ?? X)?.height !== first.from - 1)
      throw new RetryableError('store', `another process changed the lake below block ${first.from}`)
    const written = await writeRanges(this.#options, this.#opened, ranges)
    return { ranges: written, left }
  }

  /** Applies what the lake has, up to where the first missing range begins. */
  async #open(first: BlockRange): Promise<Opened> {
    const { chain, root, engine, signal } = this.#options
    const opened = await open(this.#options, this.#node)
    const { manifests, beyond } = await contiguousManifests(root, chain)
    if (beyond > 0)
      throw new FatalError(`block ${first.from} is missing below other ranges of the lake: remove those`)
    for (const manifest of manifests) checkSame(manifest, opened)
    await replayLake(root, manifests, opened.replay, engine, signal)
    return opened
  }
}

type Opened = {
  readonly source: NodeSource
  readonly constants: Constants
  readonly genesisId: string
  readonly genesis: GenesisBytes
  readonly replay: Replay
}

type Options = Omit<PrimaryExtractOptions, 'to'>

async function open({ chain, root, ...options }: Options, node: PrimaryNode): Promise<Opened> {
  const { signal, concurrency } = options
  const constants = await constantsOf(node, signal)
  const block0 = await node.block(chain, 0, signal)
  const genesisId = cb58((chain === 'P' ? decodePBlock : decodeXBlock)(block0).id)
  const { parentId } = decodePBlock(chain === 'P' ? block0 : await node.block('P', 0, signal))
  const stored = await storedGenesis(root, chain)
  const given = options.genesis ?? publicGenesis(parentId)
  const genesis = stored ?? (given && genesisOf(given))
  if (!genesis)
    throw new FatalError('no genesis: give the bytes of the network’s genesis with --genesis FILE')
  // Throws if the genesis is that of another network.
  const replay = beginReplay(chain, constants, genesis)
  if (cb58(genesis.genesis.id) !== cb58(parentId))
    throw new FatalError('the genesis belongs to another network: its hash is not the parent of block 0')
  if (!stored) await storeGenesis(root, chain, genesis)
  const index = await openIndex(node, chain, signal)
  return { source: { node, index, concurrency }, constants, genesisId, genesis, replay }
}

/** Whether a range of the lake is of the same network, and was read like what follows it. */
function checkSame(manifest: PrimaryManifest, { genesisId, source }: Opened): void {
  if (manifest.genesis !== genesisId)
    throw new FatalError(
      `the node serves another ${manifest.chain}-Chain: its block 0 is ${genesisId}, that of the lake ${manifest.genesis}`,
    )
  if (manifest.indexed !== (source.index !== undefined))
    throw new FatalError(
      manifest.indexed
        ? 'the lake has proposers, and the node has no index of them: start it with --index-enabled'
        : 'the lake has no proposers, because its node had no index: use such a node, or begin a new lake',
    )
}

/** Applies the node's blocks and writes each range when it is full. */
async function writeRanges(
  { chain, root, engine, signal, lastIdOf, onWritten }: Options,
  { source, constants, genesisId, genesis, replay }: Opened,
  ranges: readonly BlockRange[],
): Promise<number> {
  const last = ranges.at(-1)
  if (!last || signal.aborted) return 0
  const blocks = replay.P
    ? pBlocksOfNode(source, replay.P, last.to, signal)
    : replay.X && xBlocksOfNode(source, replay.X, last.to, signal)
  if (!blocks) throw new Error('no chain is replayed')
  let written = 0
  const iterator = blocks[Symbol.asyncIterator]()
  try {
    for (const range of ranges) {
      if (signal.aborted) break
      const began = performance.now()
      const writer = await RangeWriter.of({ root, chain, range, engine, layout: layoutOf(chain) })
      try {
        const ends = await copyRange(iterator, range, writer)
        const lastId = await lastIdOf?.(range)
        if (lastId !== undefined && lastId !== ends.last.id)
          throw new FatalError(
            `block ${range.to} of the node is ${ends.last.id}, that of the store ${lastId}`,
          )
        const manifest = await writer.finish({
          chain,
          genesis: genesisId,
          genesisBytes: genesis.sha256,
          constants: activeAt(constants, ends.last.ts),
          indexed: source.index !== undefined,
          ...ends,
        })
        written += 1
        onWritten({ manifest, milliseconds: performance.now() - began })
      } catch (error) {
        await writer.discard()
        throw error
      }
    }
  } finally {
    await iterator.return?.(undefined)
  }
  return written
}

async function copyRange(
  blocks: AsyncIterator<BlockText | AppliedBlock>,
  range: BlockRange,
  writer: RangeWriter<string>,
): Promise<Pick<PrimaryManifest, 'first' | 'last'>> {
  let first: PrimaryManifest['first'] | undefined
  for (;;) {
    const { value, done } = await blocks.next()
    if (done === true) throw new Error('a range ended early')
    await writer.add(bytesOfRows(value.rows), value.counts)
    if (!isBlock(value)) continue
    const { id, parentId, ts } = value
    first ??= { id, parentId, ts }
    if (value.number === range.to) return { first, last: { id, ts } }
  }
}

/**
 * The constants without upgrades that come after a time: a later version of a node may know more of these, and a
 * range does not depend on them.
 */
function activeAt(constants: Constants, ts: number): Constants {
  const active = (time: number | null): number | null => (time !== null && time <= ts ? time : null)
  const { cortina, durango, etna, helicon } = constants.upgrades
  return {
    ...constants,
    upgrades: {
      cortina: active(cortina),
      durango: active(durango),
      etna: active(etna),
      helicon: active(helicon),
    },
  }
}
