import { ensurePartitions } from '../../server/store/partitions.ts'
import type { Database } from '../../server/store/database.ts'
import { fillTables } from '../support/filling.ts'

/**
 * Increment when the generated rows change: rows from an earlier run are reused only with the same version.
 */
export const rowsVersion = 2

/** The chain under which generated balances are stored. */
export const tokenChain = 271_828n

/** Heights of the chain; one block in fifty has a row, which is all that the lists read. */
export const heights = 1_000_000
const blockEvery = 50
const genesisTime = 1_700_000_000
const secondsPerBlock = 2

/** The Unix time of a height. */
export const timeAt = (height: number): number => genesisTime + height * secondsPerBlock

/** The number of holders of the token `crowd`, and the number of tokens of the address `collector`. */
export const holderCount = 1_000_000
export const collected = 5_000
/** Transfers of `crowd`, fifty in each block that has a row. */
const transferCount = 1_000_000
/** Token ids of the ERC-721 contract `gallery`. */
const galleryIds = 100_000

const sqlAddress = (text: string): string => `substring(sha256(int8send(${text})) from 1 for 20)`
/** Numbers of the addresses that the bench requests; holders have numbers from 1 on. */
const numbers = { crowd: -1, collector: -2, trader: -3, traded: -4, gallery: -5 } as const

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
 * Fills an empty, migrated database: a token with a million holders, whose n-th had 10^12 / n in the first
 * half of the chain, then half of that, a quarter near the end and, one in ten, nothing at the end; a million
 * of its transfers; an address with 5,000 tokens with known metadata; one with a million changes of one token
 * and twenty others; and an ERC-721 contract with 100,000 ids.
 */
export async function fillTokenRows(sql: Database): Promise<void> {
  await ensurePartitions(sql, tokenChain, 0n, BigInt(heights))
  await fillTables(
    sql,
    [
      'chains',
      'blocks',
      'transactions',
      'logs',
      'balances',
      'holders',
      'tokens',
      'token_blocks',
      'nfts',
      'token_facts',
    ],
    [blockRows, balanceRows, holderRows, tokenRows, transferRows, galleryRows],
  )
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
/** A holder's final balance. */
const atLast = `case when n % 10 = 0 then 0 else ${most} / 4 end`

// In primary key order, so that its pages are full because the index grows by appending.
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
  from generate_series(${blockEvery}::bigint, ${heights}, ${blockEvery}) n;
  insert into token_facts (chain, token, name, symbol, decimals, reputation, asked_block, asked_ts, due_ts)
  select ${tokenChain}, ${sqlAddress('10000000 + n')}, 'Token ' || n, 'T' || n, 18, 'Benign', 1, 1, 1
  from generate_series(1::bigint, ${collected}) n`

const topicOf = (address: string): string => `decode(repeat('00', 12), 'hex') || ${address}`
const transferTopic = `decode('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex')`
const perBlock = transferCount / (heights / blockEvery)

const transferRows = `
  insert into transactions (
    chain, number, index, type, status, hash, sender, recipient, value, nonce, gas_limit, gas_used,
    cumulative_gas_used, gas_price, input)
  select ${tokenChain}, n, 0, 2, 1, sha256(int8send(-n)), ${sqlAddress('n')}, ${named('crowd')}, 0, 0, 0, 0, 0, 0, ''::bytea
  from generate_series(0::bigint, ${heights}, ${blockEvery}) n;
  insert into logs (chain, number, index, tx_index, address, topic0, topic1, topic2, data)
  select ${tokenChain}, n, i, 0, ${named('crowd')}, ${transferTopic}, ${topicOf(sqlAddress('n + i'))},
    ${topicOf(sqlAddress('n + i + 1'))}, decode(repeat('00', 24), 'hex') || int8send(n + 1)
  from generate_series(${blockEvery}::bigint, ${heights}, ${blockEvery}) n
  cross join generate_series(0, ${perBlock - 1}) i`

// Id n was minted in one block and transferred in the next block with a row.
const galleryRows = `
  insert into tokens values (${tokenChain}, ${named('gallery')}, 721, ${blockEvery});
  insert into token_blocks
  select ${tokenChain}, ${named('gallery')}, 721, n, ${galleryIds}, 1000, n
  from generate_series(${blockEvery}::bigint, ${heights}, ${blockEvery}) n;
  insert into nfts select ${tokenChain}, ${named('gallery')}, 721, n, ${blockEvery} * (1 + n % 19000)
  from generate_series(1::bigint, ${galleryIds}) n;
  insert into balances
  select ${tokenChain}, held.address, 721, ${named('gallery')}, n, ${blockEvery} * (1 + n % 19000 + held.later), held.balance
  from generate_series(1::bigint, ${galleryIds}) n
  cross join lateral (values
    (${sqlAddress('n % 1000')}, 0, 1), (${sqlAddress('n % 1000')}, 1, 0), (${sqlAddress('1000 + n % 1000')}, 1, 1)
  ) held (address, later, balance);
  insert into logs (chain, number, index, tx_index, address, topic0, topic1, topic2, topic3, data)
  select ${tokenChain}, ${blockEvery} * (1 + n % 19000 + moved.later), 100 + n / 19000 * 2 + moved.later, 0,
    ${named('gallery')}, ${transferTopic}, ${topicOf('moved.sender')}, ${topicOf('moved.recipient')},
    decode(repeat('00', 24), 'hex') || int8send(n), ''::bytea
  from generate_series(1::bigint, ${galleryIds}) n
  cross join lateral (values
    (0, decode(repeat('00', 20), 'hex'), ${sqlAddress('n % 1000')}),
    (1, ${sqlAddress('n % 1000')}, ${sqlAddress('1000 + n % 1000')})
  ) moved (later, sender, recipient)`
