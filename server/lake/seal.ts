import { classify, FatalError } from '../kernel/errors.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { pause } from '../kernel/pause.ts'
import { RpcClient } from '../node/rpc.ts'
import type { Database } from '../store/database.ts'
import { extract, type ExtractOptions } from './extract.ts'
import type { BlockRange } from './manifest.ts'
import { finalHeight } from './sealed.ts'

export type SealOptions = Omit<ExtractOptions, 'to' | 'leases' | 'lastHashOf'> & {
  /** The store of the live indexer; undefined to rely on the node alone. */
  database: Database | undefined
  /** Whether to end when everything final is sealed, instead of waiting for more. */
  once: boolean
  /** Milliseconds between two looks. */
  every?: number
  /** Called when node or store failed and will be asked again. */
  onFailure(reason: string): void
}

const defaultIntervalMs = 10_000

/**
 * Writes what has become final, range by range, beside the live indexer. The blocks come from the node,
 * because the store lacks signatures and blooms, so the files are those of `extract`, byte for byte. With a
 * store, only blocks that the indexer has stored and regards as final are sealed, and a range is published
 * only if it ends with the stored block. Runs until the signal aborts, whatever fails meanwhile; throws
 * FatalError if the node has other blocks than the store.
 */
export async function seal(options: SealOptions): Promise<void> {
  const { signal, once, every = defaultIntervalMs } = options
  while (!signal.aborted) {
    try {
      await sealOnce(options)
    } catch (error) {
      const failure = classify(error)
      if (once || failure instanceof FatalError) throw failure
      options.onFailure(failure.message)
    }
    if (once) return
    await pause(every, signal)
  }
}

async function sealOnce(options: SealOptions): Promise<void> {
  const { database, chain } = options
  const to = await sealedHeight(options)
  if (to === undefined || to < options.from) return
  await extract({
    ...options,
    to,
    ...(database && { lastHashOf: (range: BlockRange) => storedHash(database, chain, range.to) }),
  })
}

/** The highest block that the node and the store, if there is one, regard as final. */
async function sealedHeight(options: SealOptions): Promise<number | undefined> {
  const { database, chain, rpcUrl, confirmations, signal } = options
  const rpc = new RpcClient({ url: rpcUrl, timeout: 30_000, stats: createStats(), concurrency: 2 })
  try {
    const node = await finalHeight(rpc, confirmations, signal)
    if (!database || node === undefined) return node
    const [row] = await database<{ final: bigint | null }[]>`
      select least(finalized_block, (select max(number) from blocks where chain = ${chain})) as final
      from chains where chain = ${chain}`
    return row?.final === null || row === undefined ? undefined : Math.min(node, Number(row.final))
  } finally {
    rpc.close()
  }
}

async function storedHash(database: Database, chain: number, number: number): Promise<string | undefined> {
  const [row] = await database<{ hash: string }[]>`
    select '0x' || encode(hash, 'hex') as hash from blocks where chain = ${chain} and number = ${number}`
  return row?.hash
}
