import { z } from 'zod'
import { byteaList } from '../sql-literals.ts'
import type { Database, Queryable } from '../database.ts'
import { snapshot } from '../snapshot.ts'
import { authorizationBranch } from './read-address-authorizations.ts'
import { callBranches } from './read-address-calls.ts'
import { logBranches, wordOf } from './read-address-logs.ts'
import { nativeBranches } from './read-address-native.ts'
import { readAddressRanges } from './read-address-partitions.ts'
import type { BlockRange } from './read-blocks.ts'
import { hasCalls } from './read-trace-gaps.ts'
import { lastBlock, lastIndex, read } from '../read.ts'

const addressOverview = z.strictObject({
  first_block: z.string().nullable(),
  first_ts: z.bigint().nullable(),
  last_block: z.string().nullable(),
  last_ts: z.bigint().nullable(),
  erc20_count: z.string(),
  /** The number of those tokens that are spam. */
  spam_count: z.string(),
  nft_count: z.string(),
  traced: z.boolean(),
})
/** The active period of an address and its number of tokens. Heights as text, times in Unix seconds. */
type AddressOverview = Readonly<z.output<typeof addressOverview>> & {
  readonly created: boolean
  /** Whether calls of some block are stored, or no block could contain any. */
  readonly traced: boolean
}

const edgeRow = z.strictObject({ number: z.bigint().nullable() })

// The first or the last block with a row of the address in a part of the chain: an index seek for every source.
function edge(order: 'asc' | 'desc'): string {
  const bounds =
    order === 'asc'
      ? '(number, tx_index) > ($4, -1) and number >= $4 and number < $5'
      : '(number, tx_index) < ($4, $6) and number >= $5 and number < $4 + 1'
  const place = { number: '$4', index: order === 'asc' ? '-1' : '$6', stop: '$5', limit: '1' }
  const branches = [
    ...nativeBranches(order, 1, { address: '$2', ...place }),
    ...(['ERC-20', 'ERC-721', 'ERC-1155'] as const).flatMap((kind) =>
      logBranches(kind, order, 1, { word: '$3', ...place }),
    ),
    ...callBranches(order, 1, { address: '$2', bounds, limit: '1' }),
    authorizationBranch(order, 1, { address: '$2', bounds, limit: '1' }),
  ]
  const rows = branches.map((branch) => `select number from ${branch} branch`).join(' union all ')
  return `select ${order === 'asc' ? 'min' : 'max'}(number) as number from (${rows}) rows`
}
const edges = { asc: edge('asc'), desc: edge('desc') }

/** The first or the last block with a row of the address; null if there is none. */
async function readEdge(
  sql: Queryable,
  chain: bigint,
  address: Buffer,
  word: Buffer,
  ranges: readonly BlockRange[],
  order: 'asc' | 'desc',
): Promise<bigint | null> {
  for (const { from, before } of ranges) {
    const place = order === 'asc' ? [from, before] : [before - 1n, from, lastIndex]
    const [row] = await read(sql, edgeRow, edges[order], [chain, address, word, ...place])
    if (row && row.number !== null) return row.number
  }
  return null
}

const wholeChain = { from: 0n, before: lastBlock }

const createdRow = z.strictObject({ created: z.boolean() })
const createdStatement = `
  select exists (
    select from contracts where chain = $1 and address = $2 and number >= $3 and number < $4) as created`

async function isCreated(
  sql: Queryable,
  chain: bigint,
  address: Buffer,
  ranges: readonly BlockRange[],
): Promise<boolean> {
  for (const { from, before } of ranges) {
    const [row] = await read(sql, createdRow, createdStatement, [chain, address, from, before])
    if (row?.created) return true
  }
  return false
}

// Descending by the key (token, id, number), the first row of each token is its newest balance: one seek per
// token.
const statement = `
  with recursive coins as (
    (select token, balance from balances where chain = $1 and address = $2 and kind = 20
     order by token desc, token_id desc, number desc limit 1)
    union all
    select next.* from coins cross join lateral (
      select token, balance from balances where chain = $1 and address = $2 and kind = 20 and token < coins.token
      order by token desc, token_id desc, number desc limit 1) next),
  collections as (
    (select token from balances where chain = $1 and address = $2 and kind = 721
     order by token desc, token_id desc, number desc limit 1)
    union all
    select next.* from collections cross join lateral (
      select token from balances where chain = $1 and address = $2 and kind = 721 and token < collections.token
      order by token desc, token_id desc, number desc limit 1) next),
  items as (
    (select token, token_id, balance from balances where chain = $1 and address = $2 and kind = 1155
     order by token desc, token_id desc, number desc limit 1)
    union all
    select next.* from items cross join lateral (
      select token, token_id, balance from balances
      where chain = $1 and address = $2 and kind = 1155 and (token, token_id) < (items.token, items.token_id)
      order by token desc, token_id desc, number desc limit 1) next)
  select $3::bigint::text as first_block, (select ts from blocks where chain = $1 and number = $3) as first_ts,
    $4::bigint::text as last_block, (select ts from blocks where chain = $1 and number = $4) as last_ts,
    (select count(*)::text from coins where balance > 0) as erc20_count,
    (select count(*)::text from coins
     where balance > 0 and (token = any($5::text::bytea[]) or (token <> all($6::text::bytea[])
       and exists (select from token_facts f
         where f.chain = $1 and f.token = coins.token and f.reputation = 'Malicious')))) as spam_count,
    ((select coalesce(sum(held.balance), 0) from collections cross join lateral (
        select balance from balances
        where chain = $1 and address = $2 and kind = 721 and token = collections.token and token_id = -1
        order by number desc limit 1) held
      where held.balance > 0)
     + (select count(*) from items where token_id >= 0 and balance > 0))::text as nft_count,
    (not exists (select from trace_gaps where chain = $1 and not filled)
      or exists (select from chains where chain = $1 and traces_from > 0)) as traced`

/**
 * The figures at the top of an address page: one seek per source at either end, per held token, and per token
 * for its reputation. Tokens (0x text) that are `denied` count as spam; other tokens that are `trusted` do not.
 */
export async function readAddressOverview(
  database: Database,
  chain: bigint,
  address: string,
  { denied, trusted }: { readonly denied: readonly string[]; readonly trusted: readonly string[] },
): Promise<AddressOverview> {
  const bytes = Buffer.from(address.slice(2), 'hex')
  const word = wordOf(address)
  // One snapshot, so that a reorg cannot take away the block that was found.
  return snapshot(database, async (sql) => {
    const ranges = await readAddressRanges(sql, chain, bytes, wholeChain, 'asc')
    const first = await readEdge(sql, chain, bytes, word, ranges, 'asc')
    const last = first === null ? null : await readEdge(sql, chain, bytes, word, ranges.toReversed(), 'desc')
    const [row] = await read(sql, addressOverview, statement, [
      chain,
      bytes,
      first,
      last,
      byteaList(denied),
      byteaList(trusted),
    ])
    if (!row) throw new Error('the overview of an address has no row')
    const created = first !== null && (await isCreated(sql, chain, bytes, ranges))
    return { ...row, created, traced: row.traced || (await hasCalls(sql, chain, wholeChain)) }
  })
}
