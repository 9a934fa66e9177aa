import { createHash } from 'node:crypto'
import type { Database } from '../../server/store/database.ts'
import { fillTables } from '../support/filling.ts'

/**
 * Increment when the generated rows change: rows from an earlier run are reused only with the same version.
 */
export const primaryRowsVersion = 2

/** Fuji's P-Chain in the store, and the blocks that it has, one every two seconds. */
const chain = 11
export const primaryHeights = 200_000
const genesisTime = 1_700_000_000
export const timeOf = (height: number): number => genesisTime + height * 2

/** UTXOs of the requested address, among those of many others. */
export const largeHolderOutputs = 100_000
const others = 1_000_000
/** Current validations and delegations, besides those that have ended. */
export const running = { validators: 3_000, delegators: 30_000 } as const
const ended = { validators: 20_000, delegators: 100_000 } as const
const samplesEach = 50

const numbered = (text: string): string => `sha256(int8send(${text}))`
const short = (text: string): string => `substring(${numbered(text)} from 1 for 20)`
const hoarderNumber = -7n

/** The 20 bytes of the address with many UTXOs, and of a node by number. */
export const largeHolder = (): Buffer => shortOf(hoarderNumber)
export const nodeNumbered = (number: number): Buffer => shortOf(BigInt(number))

function shortOf(number: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(number)
  return createHash('sha256').update(bytes).digest().subarray(0, 20)
}

const time = (height: string): string => `${genesisTime} + (${height}) * 2`
const primary = `decode(repeat('00', 32), 'hex')`
const avax = numbered('-1')

/**
 * Fills an empty, migrated database: an address with 100,000 UTXOs over the chain's whole life, half of them
 * spent, some locked and some staked; a million UTXOs of 10,000 others; 3,000 validators and 30,000
 * delegations besides many that have ended; and uptime samples of the current ones.
 */
export async function fillPrimaryRows(sql: Database): Promise<void> {
  const tables = [
    'primary_chains',
    'primary_blocks',
    'assets',
    'utxos',
    'stakers',
    'uptime_samples',
    'latest_samples',
  ]
  await fillTables(sql, tables, [blockRows, utxoRows, stakerRows, sampleRows])
}

const blockRows = `
  insert into primary_chains (chain, blockchain_id, avax_asset, state) values (${chain}, ${primary}, ${avax}, 'live');
  insert into assets values (12, 0, 0, ${genesisTime}, ${avax}, 'Avalanche', 'AVAX', 9, false, false);
  insert into primary_blocks (chain, height, ts, id, parent_id, type, size, tx_count)
  select ${chain}, n, ${time('n')}, ${numbered('n')}, ${numbered('n - 1')}, 32, 500, 0
  from generate_series(0::bigint, ${primaryHeights}) n`

/** `count` UTXOs, numbered n from `first` on, of an owner by that number: every second is spent, every fifth staked. */
const utxosOf = (owner: string, first: number, count: number): string => `
  insert into utxos (chain, height, tx_index, output_index, ts, tx_id, utxo_id, home, asset, amount, type, threshold,
    locktime, stakeable_locktime, owner, staked_from, staked_until, spent_chain, spent_height, spent_index, spent_input,
    spent_ts, spent_tx)
  select ${chain}, h, n, 0, ${time('h')}, ${numbered('n')}, ${numbered('-n - 1000')}, ${chain}, ${avax}, n, 7, 1,
    case when n % 7 = 0 then ${time('h + 30000')} else 0 end, case when n % 11 = 0 then ${time('h + 50000')} else 0 end,
    ${owner}, case when n % 5 = 0 then ${time('h')} end, case when n % 5 = 0 then ${time('h + 9000')} end,
    case when n % 2 = 0 then ${chain} end, case when n % 2 = 0 then h + 10000 end, case when n % 2 = 0 then n end,
    case when n % 2 = 0 then 0 end, case when n % 2 = 0 then ${time('h + 10000')} end,
    case when n % 2 = 0 then ${numbered('n + 1')} end
  from (
    select n, (n * 7919) % (${primaryHeights} - 60000) as h
    from generate_series(${first}::bigint, ${first + count - 1}) n) each
  order by ${owner}, h, n`

const utxoRows = [
  utxosOf(short(`n % 10000`), 1, others),
  utxosOf(short(`${hoarderNumber}`), others + 1, largeHolderOutputs),
].join(';')

const validators = `
  insert into stakers (chain, height, index, tx_id, is_delegator, subnet, node, weight, start_ts, end_ts, shares,
    reward_addresses, potential_reward, delegator_count, delegated, ended_ts, ended_tx, outcome, reward)
  select ${chain}, n * 7919 % ${primaryHeights}, 1, ${numbered('n')}, false, ${primary}, ${short('n')},
    2000000000000 + (n * 7919) % 100000 * 10000000000, ${time('n % 1000')}, ${time(`${primaryHeights} + n % 9000`)},
    20000 + n % 50 * 1000, array[${short('n')}], 1000000 + n, 10, (n * 104729) % 90000 * 10000000000,
    case when n > ${running.validators} then ${time('n % 90000')} end, case when n > ${running.validators} then ${numbered('-n')} end,
    case when n > ${running.validators} then 'rewarded' end, case when n > ${running.validators} then n end
  from generate_series(1::bigint, ${running.validators + ended.validators}) n`

const delegators = `
  insert into stakers (chain, height, index, tx_id, is_delegator, subnet, node, weight, start_ts, end_ts, validator_tx,
    reward_addresses, potential_reward, ended_ts, ended_tx, outcome, reward)
  select ${chain}, n % ${primaryHeights}, 2, ${numbered('10000000 + n')}, true, ${primary}, ${short('v')}, 25000000000,
    ${time('n % 1000')}, ${time(`${primaryHeights} + n % 9000`)}, ${numbered('v')}, array[${short('n % 5000')}], 1000 + n,
    case when n > ${running.delegators} then ${time('n % 90000')} end,
    case when n > ${running.delegators} then ${numbered('-10000000 - n')} end,
    case when n > ${running.delegators} then 'rewarded' end, case when n > ${running.delegators} then n end
  from (select n, 1 + n % ${running.validators} as v from generate_series(1::bigint, ${running.delegators + ended.delegators}) n) each`

const stakerRows = [validators, delegators].join(';')

const sampleRows = `
  insert into uptime_samples (chain, node, tx_id, ts, uptime, connected)
  select ${chain}, ${short('n')}, ${numbered('n')}, ${time(`${primaryHeights}`)} - s * 300, 80 + (n * 31 + s) % 20, n % 9 > 0
  from generate_series(1::bigint, ${running.validators}) n cross join generate_series(1, ${samplesEach}) s`
