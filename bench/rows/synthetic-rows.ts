import { ensurePartitions } from '../../server/store/partitions.ts'
import type { Database } from '../../server/store/database.ts'
import { fillTables } from '../support/filling.ts'

/** The chain under which generated rows are stored. */
export const syntheticChain = 314_159n

/** Transactions of 20 consecutive blocks: many have few, some have many, and one in ten has none. */
const rhythm = [0, 5, 1, 12, 3, 0, 8, 50, 2, 6, 4, 9, 30, 5, 7, 15, 6, 10, 8, 19]
const perRound = rhythm.reduce((sum, count) => sum + count, 0)

/** Number of blocks with the given number of transactions. */
export function blocksFor(transactions: number): number {
  return Math.round((transactions / perRound) * rhythm.length)
}

const genesisTime = 1_700_000_000
const secondsPerBlock = 2

/**
 * Fills an empty, migrated database with a chain of the given number of transactions (a multiple of 200):
 * blocks with totals and prefix sums, transactions of 100,000 senders of which few send most, and a transfer
 * log for each contract call. Everything is derived from the position, so every run has the same rows.
 */
export async function fillSyntheticRows(sql: Database, transactions: number): Promise<void> {
  const blocks = blocksFor(transactions)
  await ensurePartitions(sql, syntheticChain, 0n, BigInt(blocks))
  await fillTables(
    sql,
    ['chains', 'blocks', 'transactions', 'logs'],
    [transactionRows(blocks), logRows, blockRows(blocks), chainRow],
  )
}

/** A pseudo-random number from 0 to 2^31 - 1, derived from two positions. */
const draw = (salt: number): string => `(hashint8extended(b.number * 1024 + t.index, ${salt}) & 2147483647)`

/** An address from a number; squaring the number makes small numbers far more frequent. */
const address = (text: string): string => `substring(sha256(int8send(${text})) from 1 for 20)`
const skewed = (salt: number, population: number): string =>
  `floor(${population} * power(${draw(salt)} / 2147483648.0::float8, 4))::bigint`

const transactionRows = (blocks: number): string => `
  insert into transactions (
    chain, number, index, type, status, hash, sender, recipient, created, value, nonce, gas_limit, gas_used,
    cumulative_gas_used, gas_price, max_fee, max_priority_fee, input)
  select ${syntheticChain}, b.number, t.index, 2, case when ${draw(1)} % 50 = 0 then 0 else 1 end,
    sha256(int8send(b.number * 1024 + t.index)),
    ${address(skewed(2, 100_000))}, ${address(`1000000 + ${skewed(3, 20_000)}`)}, null,
    ${draw(4)}::numeric * 1000000000, ${draw(5)} % 100000, 200000, 21000 + 100 * t.index,
    (t.index + 1) * 21000 + 50 * t.index * (t.index + 1), 25000000000 + b.number % 1000,
    50000000000, 1000000000,
    case when t.index % 10 < 3 then ''::bytea
         else decode('a9059cbb', 'hex') || sha256(int8send(t.index)) || sha256(int8send(b.number)) end
  from generate_series(1::bigint, ${blocks}) as b(number)
  cross join lateral generate_series(0, (array[${rhythm.join(',')}])[b.number % ${rhythm.length} + 1] - 1) as t(index)`

const logRows = `
  insert into logs (chain, number, index, tx_index, address, topic0, topic1, topic2, topic3, data)
  select t.chain, t.number, t.index, t.index, t.recipient,
    decode('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex'),
    decode('000000000000000000000000', 'hex') || t.sender,
    decode('000000000000000000000000', 'hex') || t.recipient, null,
    decode('00000000000000000000000000000000000000000000000000038d7ea4c68000', 'hex')
  from transactions t
  where t.chain = ${syntheticChain} and length(t.input) > 0
  order by t.number, t.index`

/** Sums that need distinct counts are those of a chain whose addresses all appear early. */
const blockRows = (blocks: number): string => `
  with sums as (
    select number, count(*) as txs, count(*) filter (where length(input) > 0) as logs, sum(gas_used) as gas,
      sum(gas_used * gas_price) as fees, sum(gas_price) as prices, max(gas_price) as highest_price
    from transactions where chain = ${syntheticChain} group by number)
  insert into blocks (
    chain, number, ts, hash, parent_hash, miner, gas_limit, gas_used, base_fee, difficulty, size, tx_count,
    log_count, fees, state_root, transactions_root, receipts_root, extra_data, cum_txs, cum_gas, cum_fees,
    cum_gas_price, cum_addresses, cum_contracts, cum_deployers, cum_hour_addresses, cum_day_addresses,
    cum_week_addresses, cum_month_addresses, cum_hour_senders, cum_day_senders, cum_week_senders,
    cum_month_senders, cum_day_deployers, previous_ts, second_txs, second_gas, day_max_tps_txs,
    day_max_tps_seconds, day_max_gps_gas, day_max_gps_seconds, day_max_gas_price)
  select ${syntheticChain}, n.number, ${genesisTime} + n.number * ${secondsPerBlock},
    sha256(int8send(-n.number)), sha256(int8send(1 - n.number)), ${address('7')}, 15000000, coalesce(s.gas, 0),
    25000000000, 0, 600, coalesce(s.txs, 0), coalesce(s.logs, 0), coalesce(s.fees, 0),
    sha256(int8send(n.number + 1)), sha256(int8send(n.number + 2)), sha256(int8send(n.number + 3)), ''::bytea,
    sum(coalesce(s.txs, 0)) over w, sum(coalesce(s.gas, 0)) over w, sum(coalesce(s.fees, 0)) over w,
    sum(coalesce(s.prices, 0)) over w, least(n.number * 5, 120000), n.number / 100, n.number / 200,
    n.number * 4, n.number * 3, n.number * 2, n.number, n.number * 4, n.number * 3, n.number * 2, n.number,
    n.number / 200, case when n.number > 1 then ${genesisTime} + (n.number - 1) * ${secondsPerBlock} end,
    coalesce(s.txs, 0), coalesce(s.gas, 0), ${Math.max(...rhythm)}, ${secondsPerBlock}, 1200000,
    ${secondsPerBlock}, coalesce(s.highest_price, 25000000000)
  from generate_series(1::bigint, ${blocks}) as n(number)
  left join sums s on s.number = n.number
  window w as (order by n.number)
  order by n.number`

const chainRow = `
  insert into chains (chain, genesis_hash, start_block, state, trace_source, client_version, node_block, node_seen_ts, finalized_block)
  select ${syntheticChain}, decode(repeat('11', 32), 'hex'), 1, 'live', 'debug', 'synthetic',
    max(number), extract(epoch from now())::bigint, max(number) - 64
  from blocks where chain = ${syntheticChain}`
