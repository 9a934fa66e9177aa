import { namedNetwork } from '../kernel/settings/public-networks.ts'
import { formatNumber } from './forecast-text.ts'

/** Asks a node; rejects if it does not answer, or with an error. `params` are those of the method. */
export type AskNode = (method: string, params: unknown) => Promise<unknown>

/**
 * Rates of docs/performance.md and docs/lake.md, measured on two cores with the node and the database beside the service.
 * The ordinary way is slow where the indexes do not fit the memory: each row then waits for the disk.
 */
const measured = {
  /** Transactions a second: in memory, and far beyond it. */
  inMemory: 3_134,
  beyondMemory: 109,
  /** Blocks a second that a node gives at most. */
  readBlocks: 712,
  /** Bytes of the store for each transaction, with logs, transfers, inner calls and indexes. */
  bytes: 4_300,
  /** Transactions a second of an extraction, and of a bulk load: 13.3 rows each. */
  extraction: [4_500, 6_000],
  bulkLoad: [2_180, 10_376],
  /** Blocks a second of P and X, and bytes of the store for each, with UTXOs and histories: as in the sample's 90 days. */
  primaryBlocks: 3_900,
  primaryBytes: 2_400,
} as const

/** How many blocks tell how many transactions a chain has. */
const sampled = 40

type Span = readonly [low: number, high: number]

/** What indexing takes; seconds from the best to the worst case. */
export type Forecast = {
  readonly blocks: number
  /** Estimated from some blocks of the node. */
  readonly transactions?: number
  readonly bytes: number
  readonly seconds: Span
  /** The same by a lake, where that is faster. */
  readonly lakeSeconds?: Span
}

/** Throws if a node serves another chain: what that takes says nothing of this one. */
export async function checkChain(ask: AskNode, chain: number): Promise<void> {
  const served = Number(await ask('eth_chainId', []))
  if (served !== chain) throw new Error(`the node serves chain ${served}, not ${chain}`)
}

/** The same of a network. */
export async function checkNetwork(ask: AskNode, networkId: number): Promise<void> {
  const served = Number(((await ask('info.getNetworkID', {})) as { networkID: string }).networkID)
  if (served !== networkId)
    throw new Error(`the node serves the network ${namedNetwork(served)}, not ${namedNetwork(networkId)}`)
}

/** What an EVM chain takes from a block to the node's head. Throws if the node does not answer, or lacks blocks. */
export async function forecastEvm(ask: AskNode, startBlock: number, memoryBytes: number): Promise<Forecast> {
  const head = Number(await ask('eth_blockNumber', []))
  const blocks = Math.max(0, head - startBlock + 1)
  if (blocks === 0) return { blocks, transactions: 0, bytes: 0, seconds: [0, 0] }
  const count = Math.min(sampled, blocks)
  const heights = Array.from(
    { length: count },
    (_, place) => startBlock + Math.floor(((place + 0.5) * blocks) / count),
  )
  const counts = await Promise.all(
    heights.map(async (height) => {
      const block = await ask('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])
      if (block === null)
        throw new Error(
          `the node does not have block ${formatNumber(height)}: was it state-synced? Set startBlock`,
        )
      return (block as { transactions: readonly unknown[] }).transactions.length
    }),
  )
  const transactions = Math.round((counts.reduce((sum, each) => sum + each, 0) / count) * blocks)
  return { blocks, transactions, ...costOfEvm(blocks, transactions, memoryBytes) }
}

/** What so many transactions take. */
export function costOfEvm(
  blocks: number,
  transactions: number,
  memoryBytes: number,
): Pick<Forecast, 'bytes' | 'seconds' | 'lakeSeconds'> {
  const bytes = transactions * measured.bytes
  const best = Math.max(transactions / measured.inMemory, blocks / measured.readBlocks)
  // Half of the store are indexes.
  const seconds: Span =
    bytes / 2 <= memoryBytes ? [best, best] : [best, Math.max(best, transactions / measured.beyondMemory)]
  const lake = [1, 0].map(
    (place) =>
      Math.max(transactions / (measured.extraction[place] ?? 1), blocks / measured.readBlocks) +
      transactions / (measured.bulkLoad[place] ?? 1),
  ) as [number, number]
  return { bytes, seconds, ...(lake[1] < seconds[1] && { lakeSeconds: lake }) }
}

/** What the P- or X-Chain takes. Throws if the node does not answer. */
export async function forecastPrimary(ask: AskNode, chainAlias: 'P' | 'X'): Promise<Forecast> {
  const answer = await ask(chainAlias === 'P' ? 'platform.getHeight' : 'avm.getHeight', {})
  const blocks = Number((answer as { height: string }).height) + 1
  const best = blocks / measured.primaryBlocks
  return { blocks, bytes: blocks * measured.primaryBytes, seconds: [best, best] }
}
