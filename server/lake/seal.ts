import { createStats } from '../kernel/indexer-stats.ts'
import { RpcClient } from '../node/rpc.ts'
import type { Database } from '../store/database.ts'
import { extract, type ExtractOptions } from './extract.ts'
import type { BlockRange } from './manifest.ts'
import { repeat, type Rounds } from './rounds.ts'
import { finalHeight } from './sealed.ts'

export type SealOptions = Omit<ExtractOptions, 'to' | 'leases' | 'lastHashOf'> & {
  /** The store of the live indexer; undefined to rely on the node alone. */
  database: Database | undefined
} & Rounds

/**
 * Writes what has become final, range by range, beside the live indexer. The blocks come from the node,
 * because the store lacks signatures and blooms, so the files are those of `extract`, byte for byte. With a
 * store, only blocks that the indexer has stored and regards as final are sealed, and a range is published
 * only if it ends with the stored block. Runs until the signal aborts, whatever fails meanwhile; throws
 * FatalError if the node has other blocks than the store.
 */
export const seal = (options: SealOptions): Promise<void> => repeat(options, () => sealOnce(options))

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
