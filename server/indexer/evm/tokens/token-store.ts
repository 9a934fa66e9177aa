import type { Queryable } from '../../../store/database.ts'
import { copyRows } from '../../../store/copy.ts'
import { wrapLogs } from '../../../store/evm/transfer-logs.ts'
import type { Holding, MovingBlock, Nft, TokenRows, TokenState } from './token-state.ts'
import { wrapOf, type Transfer } from './transfers.ts'

/** Sets the tokens' newest stored totals, if there are any. */
export async function readTokens(
  sql: Queryable,
  chain: number,
  tokens: readonly TokenState[],
): Promise<void> {
  if (tokens.length === 0) return
  const rows = await sql<
    {
      position: bigint
      supply: string
      holders: bigint
      cum_transfers: bigint
      first_wrap: bigint | null
      ranges: number
    }[]
  >`
    select asked.position, last.supply, last.holders, last.cum_transfers, own.first_wrap, ranged.ranges
    from unnest(${list(tokens.map(({ token }) => token.slice(2)))}::text::text[],
        ${list(tokens.map(({ kind }) => kind))}::text::smallint[])
      with ordinality as asked (token, kind, position)
    cross join lateral (
      select supply, holders, cum_transfers from token_blocks t
      where t.chain = ${chain} and t.token = decode(asked.token, 'hex') and t.kind = asked.kind
      order by number desc limit 1) last
    cross join lateral (
      select first_wrap from tokens o
      where o.chain = ${chain} and o.token = decode(asked.token, 'hex') and o.kind = asked.kind limit 1) own
    cross join lateral (
      select count(*)::integer as ranges from nft_ranges r
      where r.chain = ${chain} and r.token = decode(asked.token, 'hex') and asked.kind = 721) ranged`
  for (const row of rows) {
    const token = at(tokens, row.position)
    token.known = true
    token.hasMoved = true
    token.isListed = true
    token.firstWrap = row.first_wrap === null ? undefined : Number(row.first_wrap)
    token.supply = BigInt(row.supply)
    token.holders = Number(row.holders)
    token.transfers = Number(row.cum_transfers)
    token.ranges = row.ranges
  }
}

/** Marks the tokens that may be wrappers: those that logged deposits or withdrawals before any transfer. */
export async function readCandidates(
  sql: Queryable,
  chain: number,
  tokens: readonly TokenState[],
): Promise<void> {
  if (tokens.length === 0) return
  const rows = await sql<{ position: bigint }[]>`
    select asked.position
    from unnest(${list(tokens.map(({ token }) => token.slice(2)))}::text::text[]) with ordinality as asked (token, position)
    cross join lateral (
      select from wrapper_candidates c where c.chain = ${chain} and c.token = decode(asked.token, 'hex') limit 1) found`
  for (const { position } of rows) at(tokens, position).isCandidate = true
}

/** The contracts (0x text) that have proved to be wrappers of the native token and are not tokens yet. */
export async function readProvenWrappers(sql: Queryable, chain: number): Promise<string[]> {
  const rows = await sql<{ token: string }[]>`
    select '0x' || encode(token, 'hex') as token from wrapper_candidates c
    where chain = ${chain} and proven_block is not null and not is_counted
      and not exists (select from tokens t where t.chain = ${chain} and t.token = c.token and t.kind = 20)`
  return rows.map(({ token }) => token)
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

/** The deposits and withdrawals that contracts (0x text) logged below a block, by block in order. */
export async function readWrapsBelow(
  sql: Queryable,
  chain: number,
  contracts: readonly string[],
  before: number,
): Promise<MovingBlock[]> {
  if (contracts.length === 0) return []
  const rows = await sql<{ number: bigint; address: string; topics: string; data: string }[]>`
    select l.number, asked.token as address, encode(l.data, 'hex') as data,
      '0x' || encode(l.topic0, 'hex') || ' 0x' || encode(l.topic1, 'hex') as topics
    from unnest(${list(contracts.map((token) => token.slice(2)))}::text::text[]) as asked (token)
    cross join lateral (
      select * from logs
      where chain = ${chain} and address = decode(asked.token, 'hex') and number < ${before}
        and ${sql.unsafe(wrapLogs)}) l
    order by l.number, l.index`
  const blocks: { number: number; transfers: Transfer[] }[] = []
  for (const { number, address, topics, data } of rows) {
    const wrap = wrapOf(`0x${address}`, topics.split(' '), `0x${data}`)
    if (!wrap) continue
    const last = blocks.at(-1)
    if (last?.number === Number(number)) last.transfers.push(wrap)
    else blocks.push({ number: Number(number), transfers: [wrap] })
  }
  return blocks
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
  await copyText(
    sql,
    'nft_ranges',
    'chain, token, place, from_id, to_id, sender, recipient, number',
    rows.ranges,
  )
  await writeTokens(sql, chain, [...rows.tokens])
  await writeCandidates(sql, chain, rows)
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

async function writeCandidates(sql: Queryable, chain: number, rows: TokenRows): Promise<void> {
  const { candidates, proven } = rows
  if (candidates.size > 0)
    await sql`
      insert into wrapper_candidates (chain, token, first_block)
      select ${chain}, decode(given.token, 'hex'), given.first_block
      from unnest(${list([...candidates.keys()].map((token) => token.slice(2)))}::text::text[],
          ${list([...candidates.values()])}::text::bigint[]) as given (token, first_block)
      on conflict (chain, token) do nothing`
  if (proven.size === 0) return
  const tokens = list([...proven].map((token) => token.slice(2)))
  await sql`
    update wrapper_candidates set is_counted = true
    where chain = ${chain} and token in (select decode(token, 'hex') from unnest(${tokens}::text::text[]) as given (token))`
  // It began long ago, so that the worker would not soon find it among new tokens.
  await sql`
    insert into token_facts (chain, token, asked_block, asked_ts, due_ts)
    select ${chain}::bigint, decode(token, 'hex'), 0, 0, 0 from unnest(${tokens}::text::text[]) as given (token)
    on conflict (chain, token) do nothing`
}

async function writeTokens(
  sql: Queryable,
  chain: number,
  tokens: readonly (readonly [TokenState, number])[],
): Promise<void> {
  if (tokens.length === 0) return
  await sql`
    insert into tokens (chain, token, kind, first_block, holders, last_block, first_wrap)
    select ${chain}, decode(given.token, 'hex'), given.kind, given.first_block, given.holders, given.last_block,
      nullif(given.first_wrap, -1)
    from unnest(${list(tokens.map(([{ token }]) => token.slice(2)))}::text::text[],
        ${list(tokens.map(([{ kind }]) => kind))}::text::smallint[],
        ${list(tokens.map(([, first]) => first))}::text::bigint[],
        ${list(tokens.map(([{ holders }]) => holders))}::text::bigint[],
        ${list(tokens.map(([{ block }]) => block))}::text::bigint[],
        ${list(tokens.map(([{ firstWrap = -1 }]) => firstWrap))}::text::bigint[])
      as given (token, kind, first_block, holders, last_block, first_wrap)
    on conflict (chain, token, kind) do update
      set holders = excluded.holders, last_block = excluded.last_block, first_wrap = excluded.first_wrap`
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
