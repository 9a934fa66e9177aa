import { z } from 'zod'
import { byteaList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { callBranches } from './read-address-calls.ts'
import { logBranches, wordOf } from './read-address-logs.ts'
import { nativeBranches } from './read-address-native.ts'
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
  created: z.boolean(),
  /** Whether calls of some block are stored, or no block could contain any. */
  traced: z.boolean(),
})
/** The active period of an address and its number of tokens. Heights as text, times in Unix seconds. */
type AddressOverview = Readonly<z.output<typeof addressOverview>>

// Finds the first and the last row of every source with an index seek.
function edge(order: 'asc' | 'desc'): string {
  const [number, index, stop] = order === 'asc' ? ['-1', '-1', '$4'] : ['$4', '$5', '0']
  const bounds =
    order === 'asc'
      ? '(number, tx_index) > (-1, -1) and number < $4'
      : '(number, tx_index) < ($4, $5) and number >= 0'
  const branches = [
    ...nativeBranches(order, 1, { address: '$2', number, index, stop, limit: '1' }),
    ...(['ERC-20', 'ERC-721', 'ERC-1155'] as const).flatMap((kind) =>
      logBranches(kind, order, 1, { word: '$3', number, index, stop, limit: '1' }),
    ),
    ...callBranches(order, 1, { address: '$2', bounds, limit: '1' }),
  ]
  return branches.map((branch) => `select number from ${branch} branch`).join(' union all ')
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
  select edges.first_block::text, first.ts as first_ts, edges.last_block::text, last.ts as last_ts,
    (select count(*)::text from coins where balance > 0) as erc20_count,
    (select count(*)::text from coins
     where balance > 0 and (token = any($6::text::bytea[]) or (token <> all($7::text::bytea[])
       and exists (select from token_facts f
         where f.chain = $1 and f.token = coins.token and f.reputation = 'Malicious')))) as spam_count,
    ((select coalesce(sum(held.balance), 0) from collections cross join lateral (
        select balance from balances
        where chain = $1 and address = $2 and kind = 721 and token = collections.token and token_id = -1
        order by number desc limit 1) held
      where held.balance > 0)
     + (select count(*) from items where token_id >= 0 and balance > 0))::text as nft_count,
    exists (select from contracts where chain = $1 and address = $2) as created,
    (not exists (select from trace_gaps where chain = $1 and not filled)
      or exists (select from chains where chain = $1 and traces_from > 0)
      or exists (select from calls where chain = $1)) as traced
  from (
    select (select min(number) from (${edge('asc')}) rows) as first_block,
      (select max(number) from (${edge('desc')}) rows) as last_block) edges
  left join lateral (select ts from blocks where chain = $1 and number = edges.first_block limit 1) first on true
  left join lateral (select ts from blocks where chain = $1 and number = edges.last_block limit 1) last on true`

/**
 * The figures at the top of an address page: one seek per source, per held token, and per token for its
 * reputation. Tokens (0x text) that are `denied` count as spam; other tokens that are `trusted` do not.
 */
export async function readAddressOverview(
  database: Queryable,
  chain: bigint,
  address: string,
  { denied, trusted }: { readonly denied: readonly string[]; readonly trusted: readonly string[] },
): Promise<AddressOverview> {
  const bytes = Buffer.from(address.slice(2), 'hex')
  const [row] = await read(database, addressOverview, statement, [
    chain,
    bytes,
    wordOf(address),
    lastBlock,
    lastIndex,
    byteaList(denied),
    byteaList(trusted),
  ])
  if (!row) throw new Error('the overview of an address has no row')
  return row
}
