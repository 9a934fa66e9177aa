import { removeAbandoned } from './work-folders.ts'
import { hostname } from 'node:os'
import { FatalError } from '../kernel/errors.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { askIdentity } from '../indexer/evm/ask-identity.ts'
import { RpcClient } from '../node/rpc.ts'
import type { Database } from '../store/database.ts'
import type { BlockRange, Manifest, WantedRange } from './manifest.ts'
import { runPool, type PoolOptions } from './pool.ts'
import { leaseQueue, localQueue } from './queue.ts'
import { missingRanges } from './ranges.ts'
import { finalHeight, traceMethodOf } from './sealed.ts'

export type ExtractOptions = {
  /** The EVM chain id. */
  chain: number
  rpcUrl: string
  root: string
  from: number
  /** The last block to extract; undefined for the highest final one. */
  to: number | undefined
  /** Blocks per range. */
  size: number
  workers: number
  concurrency: number
  /** Undefined to find out which method the node has. */
  traces: Manifest['traces'] | undefined
  /** Undefined to ask the node which block is final. */
  confirmations: number | undefined
  /** The database and the name under which several machines share the ranges. */
  leases?: { readonly databaseUrl: string; readonly lake: string }
  /** The hash that the last block of a range must have; undefined if any will do. */
  lastHashOf?: (range: BlockRange) => Promise<string | undefined>
  signal: AbortSignal
} & ExtractReports

/** The program of the workers, and what is reported while they run. */
export type ExtractReports = Pick<PoolOptions, 'program' | 'onStarted' | 'onWritten' | 'onRetry'>

/** What an extraction did. `left` are final blocks that do not fill a range yet; undefined if there are none. */
type Extracted = { readonly ranges: number; readonly left: BlockRange | undefined }

/**
 * Extracts every range of the grid between two heights that the lake does not have. Only final blocks are
 * extracted. Throws FatalError if `to` is not final.
 */
export async function extract(options: ExtractOptions): Promise<Extracted> {
  const { root, chain, size, concurrency, rpcUrl, signal } = options
  const { to, traces } = await plan(options)
  await removeAbandoned(root, chain)
  const ranges: WantedRange[] = []
  for (const range of await missingRanges(root, chain, { from: options.from, to, size })) {
    const lastHash = await options.lastHashOf?.(range)
    ranges.push(lastHash === undefined ? range : { ...range, lastHash })
  }
  const source = { chain, rpcUrl, root, traces, concurrency }
  const { leases } = options
  const database = leases && (await openLeases(leases.databaseUrl))
  const ended = new AbortController()
  let written = 0
  try {
    const shared = {
      chain,
      ranges,
      holder: `${hostname()}/${process.pid}`,
      signal: ended.signal,
      lake: leases?.lake ?? '',
    }
    const queue = database ? await leaseQueue({ database, ...shared }) : localQueue(ranges)
    if (ranges.length > 0)
      await runPool({
        ...options,
        source,
        queue,
        onWritten: (range) => {
          written += 1
          options.onWritten(range)
        },
      })
  } finally {
    ended.abort()
    await database?.end({ timeout: 5 })
    // Of workers that were killed on the way, or with the first failure.
    await removeAbandoned(root, chain)
  }
  const next = Math.floor((to + 1) / size) * size
  const left = next <= to && !signal.aborted ? { from: Math.max(next, options.from), to } : undefined
  return { ranges: written, left }
}

/** A migrated database. Its client is loaded only where it is needed. */
async function openLeases(databaseUrl: string): Promise<Database> {
  const { openDatabase } = await import('../store/database.ts')
  const { migrate } = await import('../store/schema/migrate.ts')
  const database = openDatabase(databaseUrl, { max: 4, applicationName: 'ridgeline lake' })
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.end({ timeout: 5 })
    throw error
  }
}

/** The last block and the trace method, as the node has them. */
async function plan(options: ExtractOptions): Promise<{ to: number; traces: Manifest['traces'] }> {
  const { chain, rpcUrl, signal, confirmations } = options
  const rpc = new RpcClient({ url: rpcUrl, timeout: 30_000, stats: createStats(), concurrency: 2 })
  try {
    await askIdentity(rpc, chain, signal)
    const final = await finalHeight(rpc, confirmations, signal)
    if (final === undefined) throw new FatalError('no block is final yet')
    const { to = final } = options
    if (to > final) throw new FatalError(`block ${to} is not final: the highest final block is ${final}`)
    return { to, traces: options.traces ?? (await traceMethodOf(rpc, signal)) }
  } finally {
    rpc.close()
  }
}
