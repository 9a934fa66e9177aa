import { cb58 } from '../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodeVertex, decodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { BlockIndex, type Wrapped } from '../../indexer/primary/containers.ts'
import { readConstants } from '../../indexer/primary/network-facts.ts'
import { containersAtOnce, type PrimaryNode } from '../../indexer/primary/node.ts'
import { readPBlocks, withRewards } from '../../indexer/primary/p-reader.ts'
import { Prefetcher } from '../../indexer/primary/prefetcher.ts'
import { vertexHeight } from '../../indexer/primary/x-apply.ts'
import { FatalError, RetryableError } from '../../kernel/errors.ts'
import type { Constants } from './manifest.ts'
import { type AppliedBlock, type PReplay, type XReplay } from './replay.ts'
import type { BlockText } from './rows.ts'

/** Where blocks are read from. */
export type NodeSource = {
  readonly node: PrimaryNode
  /** Undefined if the node has no index. */
  readonly index: BlockIndex | undefined
  readonly concurrency: number
}

/** Prefixes of addresses by network id; all others have the last one. */
const prefixes = new Map([
  [1, 'avax'],
  [5, 'fuji'],
  [12_345, 'local'],
])
const otherPrefix = 'custom'

/** The constants of the node's network. */
export async function constantsOf(node: PrimaryNode, signal: AbortSignal): Promise<Constants> {
  const networkId = await node.networkId(signal)
  const { ids, avaxAsset, upgrades, l1Fees } = await readConstants(node, signal)
  const time = (seconds: number): number | null => (Number.isFinite(seconds) ? seconds : null)
  return {
    networkId,
    prefix: prefixes.get(networkId) ?? otherPrefix,
    xId: cb58(ids.x),
    cId: cb58(ids.c),
    avaxAsset: cb58(avaxAsset),
    upgrades: {
      cortina: time(upgrades.cortina),
      durango: time(upgrades.durango),
      etna: time(upgrades.etna),
      helicon: time(upgrades.helicon),
    },
    l1Fees: {
      target: `${l1Fees.target}`,
      minPrice: `${l1Fees.minPrice}`,
      conversion: `${l1Fees.conversion}`,
    },
  }
}

/** The index of a chain's blocks; undefined if the node has none. */
export const openIndex = (node: PrimaryNode, chainAlias: 'P' | 'X', signal: AbortSignal) =>
  chainAlias === 'P'
    ? BlockIndex.open(node, 'pBlocks', (bytes) => decodePBlock(bytes).height, signal)
    : BlockIndex.open(node, 'xBlocks', (bytes) => decodeXBlock(bytes).height, signal)

/** Blocks at a time: what is applied between two looks at the node's answers. */
const batchBlocks = 64
const batchBytes = 4 * 1024 * 1024

const behind = (height: number): RetryableError =>
  new RetryableError('refused', `the node's index has no block ${height} yet`)

/** The P-Chain's blocks up to `to`, read from the node and applied. */
export async function* pBlocksOfNode(
  source: NodeSource,
  replay: PReplay,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<AppliedBlock> {
  const { node } = source
  const { state } = replay
  if (state.height < 0) {
    const block = decodePBlock(await node.block('P', 0, signal))
    yield replay.apply({ block, wrapper: undefined, rewards: undefined })
  }
  while (state.height < to) {
    const from = state.height + 1
    const reading = await readPBlocks({ ...source, onDepth: () => undefined }, from, to, signal)
    // Without its proposers, a block would have other rows than those of the index.
    if (source.index && !reading.byIndex) throw behind(from)
    try {
      for (;;) {
        const waiting = await reading.blocks.take(batchBlocks, batchBytes)
        if (waiting.length === 0) break
        const taken = waiting.map(({ block, ...facts }) => ({ ...facts, block: decodePBlock(block) }))
        for (const block of await withRewards(node, state.proposal?.tx, taken, signal))
          yield replay.apply(block)
      }
    } finally {
      reading.close()
    }
  }
}

/** What the X-Chain did before its blocks, and its blocks up to `to`, read from the node and applied. */
export async function* xBlocksOfNode(
  source: NodeSource,
  replay: XReplay,
  to: number,
  signal: AbortSignal,
): AsyncGenerator<BlockText | AppliedBlock> {
  const { node, index, concurrency } = source
  if (replay.height < 0) {
    yield* verticesOfNode(node, replay, signal)
    yield replay.apply(decodeXBlock(await node.block('X', 0, signal)), undefined)
  }
  const from = replay.height + 1
  if (index && (await index.headAt(to, signal)) < to) throw behind(to)
  const blocks = new Prefetcher<Wrapped>({
    from,
    to,
    chunk: index ? containersAtOnce : 1,
    concurrency: index ? 2 : concurrency,
    fetch: async (start, count) =>
      index
        ? index.blocks(start, count, signal)
        : [{ block: await node.block('X', start, signal), wrapper: undefined }],
    sizeOf: ({ block }) => block.length,
    onDepth: () => undefined,
  })
  try {
    for (;;) {
      const taken = await blocks.take(batchBlocks, batchBytes)
      if (taken.length === 0) return
      for (const { block, wrapper } of taken) yield replay.apply(decodeXBlock(block), wrapper)
    }
  } finally {
    blocks.close()
  }
}

async function* verticesOfNode(
  node: PrimaryNode,
  replay: XReplay,
  signal: AbortSignal,
): AsyncGenerator<BlockText> {
  const count = (await node.containerCount('xVertices', signal)) ?? 0
  for (let next = 0; next < count;) {
    const containers = await node.containers('xVertices', next, containersAtOnce, signal)
    if (containers.length === 0) throw new FatalError(`the node's index has no vertex ${next}`)
    for (const { id, bytes, ts } of containers) {
      const vertex = decodeVertex(bytes)
      if (cb58(vertex.id) !== id)
        throw new RetryableError('refused', `vertex ${next} has another id than ${id}`)
      yield replay.applyVertex({ vertex, index: next, ts })
      next += 1
    }
  }
}

/** Whether rows are those of a block; otherwise they are of a vertex. */
export const isBlock = (applied: BlockText | AppliedBlock): applied is AppliedBlock =>
  'number' in applied && applied.number > vertexHeight
