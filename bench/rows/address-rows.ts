import { ensurePartitions } from '../../server/store/partitions.ts'
import type { Database } from '../../server/store/database.ts'
import { fillTables } from '../support/filling.ts'

/**
 * Increment when the generated rows change: rows from an earlier run are reused only with the same version.
 */
export const rowsVersion = 1

/** The chain under which the rows are stored. */
export const addressChain = 161_803n

/** The address whose lists are read, and its number of rows per block. It appears in every block. */
export const busy = `0x${'5b'.repeat(20)}`
export const perBlock = { native: 4, 'ERC-20': 4, internal: 4, 'ERC-721': 1, 'ERC-1155': 1 } as const

/** Number of blocks of a store in which the address's longest lists have this many rows. */
export const blocksFor = (rows: number): number => rows / perBlock.native

/** Number of other addresses. */
const others = 100_000
const genesisTime = 1_700_000_000

const hex = (text: string): string => `decode('${text}', 'hex')`
const me = hex(busy.slice(2))
const someone = (salt: number): string =>
  `substring(sha256(int8send(${salt} + n * 7919 % ${others})) from 1 for 20)`
const contract = `substring(sha256(int8send(-1 - n % 50)) from 1 for 20)`
const word = (address: string): string => `${hex('00'.repeat(12))} || ${address}`
const amount = `${hex('00'.repeat(24))} || int8send(n + 1)`
const transfer = hex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')
const transferSingle = hex('c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')

/** Four of a block's five transactions and calls are the busy address', which pays in every second one. */
const sender = `case when i in (0, 2) then ${me} else ${someone(1)} end`
const recipient = `case when i in (1, 3) then ${me} else ${someone(100_001)} end`

/** The row of the chain with a number of blocks, from block 1 on. */
export const chainRow = (blocks: number): string => `
  insert into chains (chain, genesis_hash, start_block, state, trace_source, node_block, node_seen_ts)
  values (${addressChain}, sha256('genesis'), 1, 'live', 'debug', ${blocks}, ${genesisTime})`

/** Statements that write the rows of some blocks into a table or a partition of it. */
type Rows = (into: string, first: number, last: number) => string

const blockRows: Rows = (into, first, last) => `
  insert into ${into} (
    chain, number, ts, hash, parent_hash, miner, gas_limit, gas_used, difficulty, tx_count, log_count, fees,
    state_root, transactions_root, receipts_root, extra_data, cum_txs, cum_gas, cum_fees, cum_gas_price,
    cum_addresses, cum_contracts, cum_deployers, cum_hour_addresses, cum_day_addresses, cum_week_addresses,
    cum_month_addresses, cum_hour_senders, cum_day_senders, cum_week_senders, cum_month_senders,
    cum_day_deployers, second_txs, second_gas)
  select ${addressChain}, n, ${genesisTime} + n * 2, sha256(int8send(n)), sha256(int8send(n - 1)),
    ''::bytea, 15000000, 105000, 0, 5, 7, 0, ''::bytea, ''::bytea, ''::bytea, ''::bytea, n * 5, n * 105000, 0, 0,
    ${others}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 105000
  from generate_series(${first}::bigint, ${last}) n`

const transactionRows: Rows = (into, first, last) => `
  insert into ${into} (
    chain, number, index, type, status, hash, sender, recipient, value, nonce, gas_limit, gas_used,
    cumulative_gas_used, gas_price, max_fee, max_priority_fee, input)
  select ${addressChain}, n, i, 2, 1, sha256(int8send(n * 8 + i)), ${sender}, ${recipient}, n * 1000000000, n,
    200000, 21000, 21000 * (i + 1), 25000000000, 50000000000, 1000000000, ${hex('a9059cbb')} || ${amount}
  from generate_series(${first}::bigint, ${last}) n cross join generate_series(0, 4) i`

/** Of a block's seven logs, the first four are the busy address's ERC-20 transfers, the last is another's. */
const logRows: Rows = (into, first, last) => `
  insert into ${into} (chain, number, index, tx_index, address, topic0, topic1, topic2, topic3, data)
  select ${addressChain}, n, i, i % 5, ${contract},
    case when i = 5 then ${transferSingle} else ${transfer} end,
    ${word(`case when i in (0, 2) or i = 4 and n % 2 = 1 then ${me} else ${someone(1)} end`)},
    ${word(`case when i in (1, 3) or (i = 4 and n % 2 = 0) or (i = 5 and n % 2 = 1) then ${me} else ${someone(100_001)} end`)},
    case when i = 4 then ${amount}
         when i = 5 then ${word(`case when n % 2 = 0 then ${me} else ${someone(200_001)} end`)} end,
    case when i = 4 then ''::bytea when i = 5 then ${amount} || ${amount} else ${amount} end
  from generate_series(${first}::bigint, ${last}) n cross join generate_series(0, 6) i`

const callRows: Rows = (into, first, last) => `
  insert into ${into} (
    chain, number, tx_index, ordinal, depth, type, reverted, sender, recipient, value, gas_limit, gas_used, method)
  select ${addressChain}, n, i, 0, 1, 'CALL', false, ${sender}, ${recipient}, n, 50000, 21000, ${hex('a9059cbb')}
  from generate_series(${first}::bigint, ${last}) n cross join generate_series(0, 4) i`

/** The rows of the tables that blocks of the chain have. */
export const addressRows = {
  blocks: blockRows,
  transactions: transactionRows,
  logs: logRows,
  calls: callRows,
} as const

/**
 * Fills an empty, migrated database with a chain in which one address appears in every block as defined by
 * `perBlock`, among 100,000 others. `rows` is the length of its longest lists.
 */
export async function fillAddressRows(sql: Database, rows: number): Promise<void> {
  const blocks = blocksFor(rows)
  await ensurePartitions(sql, addressChain, 0n, BigInt(blocks))
  await fillTables(
    sql,
    ['chains', ...Object.keys(addressRows)],
    [chainRow(blocks), ...Object.entries(addressRows).map(([table, rowsOf]) => rowsOf(table, 1, blocks))],
  )
}
