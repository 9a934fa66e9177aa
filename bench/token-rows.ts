import { ensurePartitions } from '../server/store/partitions.ts'
import type { Database } from '../server/store/database.ts'

/** The chain under which generated balances are stored. */
export const tokenChain = 271_828n

/** Heights of the chain; one block in fifty has a row, which is all that the lists look at. */
export const heights = 1_000_000
const blockEvery = 50
const genesisTime = 1_700_000_000
const secondsPerBlock = 2

/** The Unix time of a height. */
export const timeAt = (height: number): number => genesisTime + height * secondsPerBlock

/** How many hold the token `crowd`, and how many tokens the address `collector` has. */
export const holderCount = 1_000_000
export const collected = 5_000

const sqlAddress = (text: string): string => `substring(sha256(int8send(${text})) from 1 for 20)`
/** Numbers of the addresses that the bench asks for; holders have those from 1 on. */
const numbers = { crowd: -1, collector: -2, trader: -3, traded: -4 } as const

/** A name as SQL. */
const named = (name: keyof typeof numbers): string => sqlAddress(`${numbers[name]}::bigint`)

/** Addresses as 0x text. */
export async function readNames(sql: Database): Promise<Record<keyof typeof numbers, string>> {
  const names = Object.keys(numbers) as (keyof typeof numbers)[]
  const rows = await sql.unsafe<{ name: keyof typeof numbers; address: string }[]>(
    names
      .map((name) => `select '${name}' as name, '0x' || encode(${named(name)}, 'hex') as address`)
      .join(' union all '),
  )
  const found = Object.fromEntries(rows.map(({ name, address }) => [name, address]))
  return found as Record<keyof typeof numbers, string>
}

/**
 * Fills an empty, migrated database: a token that a million addresses hold, whose n-th holder had 10^12 / n
 * in the first half of the chain, half of that from then on, a quarter near the end and, one in ten, nothing
 * at last; an address with 5,000 tokens; and one with a million changes of one token and twenty others.
 */
export async function fillTokenRows(sql: Database): Promise<void> {
  await ensurePartitions(sql, tokenChain, 0n, BigInt(heights))
  await sql`set work_mem = '256MB'`
  await sql`set maintenance_work_mem = '512MB'`
  const indexes = ['balances_suffix', 'balances_nft', 'holders_balance', 'holders_peak']
  const definitions = await sql<{ definition: string }[]>`
    select indexdef as definition from pg_indexes where indexname in ${sql(indexes)}`
  for (const index of indexes) await sql.unsafe(`drop index ${index}`)
  for (const statement of [blockRows, balanceRows, holderRows, tokenRows]) await sql.unsafe(statement)
  for (const { definition } of definitions) await sql.unsafe(definition)
  await sql.unsafe('vacuum analyze')
  await sql.unsafe('checkpoint')
}

const blockRows = `
  insert into chains (chain, genesis_hash, start_block, state, trace_source, node_block, node_seen_ts)
  values (${tokenChain}, sha256('genesis'), 0, 'live', 'none', ${heights}, ${timeAt(heights)});
  insert into blocks (
    chain, number, ts, hash, parent_hash, miner, gas_limit, gas_used, difficulty, tx_count, log_count, fees,
    state_root, transactions_root, receipts_root, extra_data, cum_txs, cum_gas, cum_fees, cum_gas_price,
    cum_addresses, cum_contracts, cum_deployers, cum_hour_addresses, cum_day_addresses, cum_week_addresses,
    cum_month_addresses, cum_hour_senders, cum_day_senders, cum_week_senders, cum_month_senders,
    cum_day_deployers, second_txs, second_gas)
  select ${tokenChain}, n, ${genesisTime} + n * ${secondsPerBlock}, sha256(int8send(n)), sha256(int8send(n - 1)),
    ''::bytea, 0, 0, 0, 0, 0, 0, ''::bytea, ''::bytea, ''::bytea, ''::bytea, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0
  from generate_series(0::bigint, ${heights}, ${blockEvery}) n`

const most = '(1000000000000 / n)'
/** What a holder has at last. */
const atLast = `case when n % 10 = 0 then 0 else ${most} / 4 end`

// In order of the primary key, so that its pages are full: the index grows by appending.
const balanceRows = `
  insert into balances (chain, address, kind, token, token_id, number, balance)
  select ${tokenChain}, address, 20, token, -1, number, balance
  from (
    select ${sqlAddress('n')} as address, ${named('crowd')} as token, held.number, held.balance
    from generate_series(1::bigint, ${holderCount}) n
    cross join lateral (values
      (1 + n % 400000, ${most}::numeric), (500000 + n % 300000, ${most} / 2), (900000 + n % 100000, ${atLast})
    ) held (number, balance)
    union all
    select ${named('collector')}, ${sqlAddress('10000000 + n')}, 1 + (n * 7919 + change * 90001) % 999000, n * change
    from generate_series(1::bigint, ${collected}) n cross join generate_series(1, 20) change
    union all
    select ${named('trader')}, ${named('traded')}, n, n from generate_series(1::bigint, ${heights}) n
    union all
    select ${named('trader')}, ${sqlAddress('10000000 + n')}, n, n from generate_series(1::bigint, 20) n) rows
  order by address, token, number
  on conflict do nothing`

const holderRows = `
  insert into holders (chain, token, kind, address, balance, peak)
  select ${tokenChain}, ${named('crowd')}, 20, ${sqlAddress('n')}, ${atLast}, ${most}
  from generate_series(1::bigint, ${holderCount}) n`

const tokenRows = `
  insert into tokens values (${tokenChain}, ${named('crowd')}, 20, 1);
  insert into token_blocks
  select ${tokenChain}, ${named('crowd')}, 20, n, 1000000000000, ${holderCount}, n
  from generate_series(1::bigint, ${heights}, 10) n`
