import { chainAliases, type ChainAlias } from '../../protocol/primary/chains.ts'
import { idOfText } from '../../protocol/ids/text.ts'
import checkpoints from '../primary/genesis/checkpoints.json' with { type: 'json' }
import { publicNetworkOf } from '../primary/public-genesis.ts'
import type { Database } from '../store/database.ts'
import type { Findings } from './findings.ts'

/** How many of the known ids are those of stored blocks, and what was not compared and why, in words. */
type CheckpointReport = { readonly found: number; readonly leftOut: readonly string[] }

/**
 * Compares the blocks of a public network with those that avalanchego ships as checkpoints
 * (server/primary/genesis/README.md), which a node fetches whatever its peers say. Their heights are the multiples of one
 * interval: every multiple must be one, and all must be there once the chain is past the release. A checkpoint's id is that
 * of the block, or of its wrapper since proposers sign. Nothing is compared for other networks.
 */
export async function compareCheckpoints(
  database: Database,
  keys: Readonly<Record<ChainAlias, number>>,
  findings: Findings,
): Promise<CheckpointReport> {
  const [block0] = await database<{ parent_id: Buffer }[]>`
    select parent_id from primary_blocks where chain = ${keys.P} and height = 0`
  const network = block0 && publicNetworkOf(block0.parent_id)
  if (network === undefined) return { found: 0, leftOut: [] }
  let found = 0
  const leftOut: string[] = []
  for (const alias of chainAliases) {
    const compared = await compareChain(database, keys[alias], network, alias)
    if (compared === undefined) continue
    found += compared.found
    if (compared.leftOut !== undefined) leftOut.push(`checkpoints of the ${alias}-Chain: ${compared.leftOut}`)
    if (compared.problem !== undefined) findings.add('I5', `${alias} ${compared.problem}`)
  }
  return { found, leftOut }
}

type Compared = { readonly found: number; readonly problem?: string; readonly leftOut?: string }

/** The comparison of one chain; undefined if it is not indexed. */
async function compareChain(
  database: Database,
  chain: number,
  network: 'mainnet' | 'fuji',
  alias: ChainAlias,
): Promise<Compared | undefined> {
  const known = checkpoints[network][alias].map((id) => Buffer.from(idOfText(id)))
  const [ends] = await database<{ first: bigint | null; last: bigint; ts: bigint }[]>`
    select min(height) as first, max(height) as last, max(ts) as ts from primary_blocks where chain = ${chain}`
  if (!ends || ends.first === null) return undefined
  if (ends.first > 1n) return { found: 0, leftOut: 'it is not indexed from its first block on' }
  const rows = await database<{ height: bigint }[]>`
    select height from primary_blocks
    where chain = ${chain} and (id in ${database(known)} or proposer_id in ${database(known)})
    order by height`
  const heights = rows.map(({ height }) => Number(height))
  const isPast = Number(ends.ts) >= checkpoints.releasedTimestamp
  // Without one that is found, the interval is not known.
  const interval = heights[0]
  if (interval === undefined && !isPast)
    return { found: 0, leftOut: 'it is not indexed to the first of them' }
  const count = isPast ? known.length : Math.floor(Number(ends.last) / (interval ?? 1))
  const expected = Array.from({ length: Math.min(count, known.length) }, (_, place) =>
    interval === undefined ? undefined : (place + 1) * interval,
  )
  const stray = heights.find(
    (height, place) => height !== (place + 1) * (interval ?? 0) && !expected.includes(height),
  )
  if (stray !== undefined)
    return {
      found: heights.length,
      problem: `block ${stray} is a checkpoint of avalanchego off their interval`,
    }
  const missing = expected.filter((height) => height === undefined || !heights.includes(height))
  if (missing.length === 0) return { found: heights.length }
  // The ids of wrappers are read from the node's index: not without it, and for the C-Chain after its blocks.
  const unread = await database<{ height: bigint }[]>`
    select height from primary_blocks
    where chain = ${chain} and proposer_id is null and ts > ${proposersTime[network]}
      and (${interval ?? null}::bigint is null or height in ${database(missing.map((height) => height ?? 0))})
    order by height limit ${known.length}`
  const wrong = missing.find(
    (height) => height !== undefined && !unread.some((row) => Number(row.height) === height),
  )
  if (wrong !== undefined)
    return { found: heights.length, problem: `block ${wrong} is not the checkpoint of avalanchego` }
  if (unread.length === 0) return { found: 0, problem: 'has none of the checkpoints of avalanchego' }
  return {
    found: heights.length,
    leftOut: `${missing.length}, whose wrappers are not read from the node's index`,
  }
}

/** When proposers began to sign blocks (Apricot Phase 4), in Unix seconds: blocks before have no wrapper. */
const proposersTime = { mainnet: 1_632_344_400, fuji: 1_631_826_000 } as const
