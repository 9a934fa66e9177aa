import type { AbiBook } from '../tokens/abi/operator.ts'
import type { ChainDirectory } from '../kernel/settings/chains.ts'
import type { Config } from '../kernel/settings/config.ts'
import type { Access } from './access.ts'
import { badRequest } from '../kernel/http-errors.ts'
import type { LiveHub } from '../events/hub.ts'
import type { HeadCache } from './head-cache.ts'
import type { Nodes } from '../node/nodes.ts'
import type { Prices } from '../tokens/prices/prices.ts'
import type { StoreGate } from '../store/store-gate.ts'
import type { Queryable } from '../store/database.ts'
import type { Json } from '../store/json-rows.ts'
import { lastBlock } from '../store/read.ts'
import { readHeightAt, type BlockRange } from '../store/evm/read-blocks.ts'

/** The dependencies that routes share. */
export type RouteContext = {
  readonly config: Config
  readonly access: Access
  readonly chains: ChainDirectory
  readonly store: StoreGate
  readonly live: LiveHub
  readonly headCache: HeadCache
  /** The chains' nodes, for data that the store does not have. */
  readonly nodes: Nodes
  /** ABIs that decode calls and events. */
  readonly abis: AbiBook
  readonly prices: Prices
  /** Unix seconds. */
  readonly clock: () => number
  readonly version: string
}

/** The range parameters of the list operations. */
type RangeQuery = {
  readonly startBlock?: number | undefined
  readonly endBlock?: number | undefined
  readonly startTimestamp?: number | undefined
  readonly endTimestamp?: number | undefined
}

/**
 * The heights that a list's range parameters select: startBlock inclusive, endBlock exclusive, both times exclusive
 * (docs/api.md, Primary network). Throws a 400 if the range ends before it starts.
 */
export async function resolveRange(
  database: Queryable,
  chain: bigint,
  query: RangeQuery,
): Promise<BlockRange> {
  checkRange(query)
  let from = BigInt(query.startBlock ?? 0)
  let before = query.endBlock === undefined ? lastBlock : BigInt(query.endBlock)
  if (query.startTimestamp !== undefined) {
    const first = await readHeightAt(database, chain, query.startTimestamp, 'after')
    from = first === undefined ? lastBlock : max(from, first)
  }
  if (query.endTimestamp !== undefined) {
    const end = await readHeightAt(database, chain, query.endTimestamp, 'from')
    if (end !== undefined) before = min(before, end)
  }
  return { from, before }
}

/** Throws a 400 when a range ends before it starts. */
export function checkRange(query: RangeQuery): void {
  const problems: string[] = []
  if (query.startBlock !== undefined && query.endBlock !== undefined && query.endBlock < query.startBlock) {
    problems.push('endBlock: must not be below startBlock')
  }
  if (
    query.startTimestamp !== undefined &&
    query.endTimestamp !== undefined &&
    query.endTimestamp < query.startTimestamp
  ) {
    problems.push('endTimestamp: must not be before startTimestamp')
  }
  if (problems.length > 0) throw badRequest(problems)
}

export const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)
export const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** The bytes of 0x hex. */
export const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

/** The parameters that a page token is bound to: all except those of paging. */
export function filtersOf(
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { pageToken: _pageToken, pageSize: _pageSize, ...filters } = query
  return { ...filters, ...params }
}

/** The JSON of a list's answer: the rows, which are JSON already, and the next page token if there is one. */
export function envelope<Row>(
  name: string,
  rows: readonly Json<Row>[],
  nextPageToken: string | undefined,
): string {
  const next = nextPageToken === undefined ? '' : `"nextPageToken":${JSON.stringify(nextPageToken)},`
  return `{${next}"${name}":[${rows.join(',')}]}`
}
