import type { Queryable } from '../../../store/database.ts'
import { copyRows } from '../../../store/copy.ts'
import type { Holding, Nft, TokenRows, TokenState } from './token-state.ts'

/** Sets the tokens' newest stored totals, if there are any. */
export async function readTokens(
  sql: Queryable,
  chain: number,
  tokens: readonly TokenState[],
): Promise<void> {
  if (tokens.length === 0) return
  const rows = await sql<{ position: bigint; supply: string; holders: bigint; cum_transfers: bigint }[]>`
    select asked.position, last.supply, last.holders, last.cum_transfers
    from unnest(${list(tokens.map(({ token }) => token.slice(2)))}::text::text[],
        ${list(tokens.map(({ kind }) => kind))}::text::smallint[])
      with ordinality as asked (token, kind, position)
    cross join lateral (
      select supply, holders, cum_transfers from token_blocks t
      where t.chain = ${chain} and t.token = decode(asked.token, 'hex') and t.kind = asked.kind
      order by number desc limit 1) last`
  for (const row of rows) {
    const token = at(tokens, row.position)
    token.known = true
    token.supply = BigInt(row.supply)
    token.holders = Number(row.holders)
    token.transfers = Number(row.cum_transfers)
  }
}

/** Sets the holdings' newest stored balances, if there are any. */
export async function readHoldings(
  sql: Queryable,
  chain: number,
  holdings: readonly Holding[],
): Promise<void> {
  if (holdings.length === 0) return
  const rows = await sql<{ position: bigint; balance: string }[]>`
    select asked.position, last.balance
    from unnest(${list(holdings.map(({ token }) => token.token.slice(2)))}::text::text[],
        ${list(holdings.map(({ token }) => token.kind))}::text::smallint[],
        ${list(holdings.map(({ address }) => address.slice(2)))}::text::text[],
        ${list(holdings.map(({ id }) => id))}::text::numeric[])
      with ordinality as asked (token, kind, address, id, position)
    cross join lateral (
      select balance from balances b
      where b.chain = ${chain} and b.address = decode(asked.address, 'hex') and b.kind = asked.kind
        and b.token = decode(asked.token, 'hex') and b.token_id = asked.id
      order by b.number desc limit 1) last`
  for (const row of rows) {
    const holding = at(holdings, row.position)
    holding.balance = BigInt(row.balance)
    holding.settled = holding.balance
  }
}

/** Marks the ids that appeared in earlier blocks. */
export async function readNfts(sql: Queryable, chain: number, nfts: readonly Nft[]): Promise<void> {
  if (nfts.length === 0) return
  const rows = await sql<{ position: bigint }[]>`
    select asked.position
    from unnest(${list(nfts.map(({ token }) => token.token.slice(2)))}::text::text[],
        ${list(nfts.map(({ token }) => token.kind))}::text::smallint[],
        ${list(nfts.map(({ id }) => id))}::text::numeric[])
      with ordinality as asked (token, kind, id, position)
    cross join lateral (
      select from nfts n
      where n.chain = ${chain} and n.token = decode(asked.token, 'hex') and n.kind = asked.kind
        and n.token_id = asked.id
      limit 1) found`
  for (const { position } of rows) at(nfts, position).known = true
}

/** Writes rows. Rows of `holders` and `tokens` replace older ones; a token keeps its first block. */
export async function writeTokenRows(sql: Queryable, chain: number, rows: TokenRows): Promise<void> {
  const columns = 'chain, address, kind, token, token_id, number, balance'
  await copyRows(sql, 'balances', columns, rows.balances.done(), 'binary')
  await copyText(
    sql,
    'token_blocks',
    'chain, token, kind, number, supply, holders, cum_transfers',
    rows.totals,
  )
  await copyText(sql, 'nfts', 'chain, token, kind, token_id, first_block', rows.nfts)
  await writeTokens(sql, chain, [...rows.tokens])
  const holders = [...rows.holders]
  if (holders.length === 0) return
  await sql`
    insert into holders (chain, token, kind, address, balance, peak)
    select ${chain}, decode(given.token, 'hex'), given.kind, decode(given.address, 'hex'), given.balance, given.peak
    from unnest(${list(holders.map(({ token }) => token.token.slice(2)))}::text::text[],
        ${list(holders.map(({ token }) => token.kind))}::text::smallint[],
        ${list(holders.map(({ address }) => address.slice(2)))}::text::text[],
        ${list(holders.map(({ balance }) => balance))}::text::numeric[],
        ${list(holders.map(({ peak, balance }) => peak ?? balance))}::text::numeric[])
      as given (token, kind, address, balance, peak)
    on conflict (chain, token, kind, address) do update
      set balance = excluded.balance, peak = greatest(holders.peak, excluded.peak)`
  for (const holding of holders) holding.peak = undefined
}

async function writeTokens(
  sql: Queryable,
  chain: number,
  tokens: readonly (readonly [TokenState, number])[],
): Promise<void> {
  if (tokens.length === 0) return
  await sql`
    insert into tokens (chain, token, kind, first_block, holders, last_block)
    select ${chain}, decode(given.token, 'hex'), given.kind, given.first_block, given.holders, given.last_block
    from unnest(${list(tokens.map(([{ token }]) => token.slice(2)))}::text::text[],
        ${list(tokens.map(([{ kind }]) => kind))}::text::smallint[],
        ${list(tokens.map(([, first]) => first))}::text::bigint[],
        ${list(tokens.map(([{ holders }]) => holders))}::text::bigint[],
        ${list(tokens.map(([{ block }]) => block))}::text::bigint[])
      as given (token, kind, first_block, holders, last_block)
    on conflict (chain, token, kind) do update
      set holders = excluded.holders, last_block = excluded.last_block`
}

async function copyText(sql: Queryable, table: string, columns: string, text: string): Promise<void> {
  await copyRows(sql, table, columns, [Buffer.from(text, 'latin1')])
}

/** A PostgreSQL array literal of items that need no quoting: hex digits and numbers. */
function list(items: readonly (string | number | bigint)[]): string {
  return `{${items.join(',')}}`
}

function at<T>(items: readonly T[], position: bigint): T {
  const item = items[Number(position) - 1]
  if (item === undefined) throw new Error('the database answered with a position that was not asked for')
  return item
}
