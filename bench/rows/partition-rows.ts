import { createHash } from 'node:crypto'
import {
  dropPartitions,
  fillPartition,
  listPartition,
  partitionedTables,
} from '../../server/store/partitions.ts'
import type { Database } from '../../server/store/database.ts'
import { addressChain, addressRows, chainRow } from './address-rows.ts'

/**
 * Increment when the generated rows change: rows from an earlier run are reused only with the same version.
 */
export const partitionRowsVersion = 1

export const partitionCount = 200
const blocksOfPartition = 500
export const headBlock = partitionCount * blocksOfPartition - 1

/** Transactions of a rare address, each with an ERC-20 transfer to somebody else. */
export const rareRows = 50
/** Rare addresses of each kind. */
export const rareAddresses = 120

/**
 * Where a rare address has its rows: one in every fourth partition, one in each of fifty that follow each other, or all in
 * one. SQL for the partition of row `j` of address `id`.
 */
const partitionOf = {
  'every fourth partition': '4 * j + id % 4',
  'fifty partitions in a row': '75 + j',
  'one partition': '100',
} as const
export type RareKind = keyof typeof partitionOf
export const rareKinds = Object.keys(partitionOf) as readonly RareKind[]

/** The number that a rare address is the hash of. */
const numberOf = (kind: number): string => `-1000000 - ${kind * 1_000} - id`

/** A rare address of a kind, with its number below `rareAddresses`. */
export function rareAddress(kind: RareKind, id: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(-1_000_000 - rareKinds.indexOf(kind) * 1_000 - id))
  return `0x${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}`
}

/** The rows of all rare addresses in some blocks: number, index behind those of the other rows, and address. */
const rare = (first: number, last: number): string => `(
  select number, (4 + row_number() over (partition by number order by subject))::int as i,
    substring(sha256(int8send(subject)) from 1 for 20) as address
  from (
    ${rareKinds
      .map(
        (kind, place) => `
    select (${partitionOf[kind]})::bigint * ${blocksOfPartition} + 1 + (id * 7 + j * 9) % ${blocksOfPartition - 1} as number,
      (${numberOf(place)})::bigint as subject
    from generate_series(0, ${rareAddresses - 1}) id cross join generate_series(0, ${rareRows - 1}) j`,
      )
      .join(' union all ')}) placed
  where number between ${first} and ${last}) rare`

const hex = (text: string): string => `decode('${text}', 'hex')`
const someone = `substring(sha256(int8send(number * 64 + i)) from 1 for 20)`
const padded = (address: string): string => `${hex('00'.repeat(12))} || ${address}`

const rareTransactions = (into: string, first: number, last: number): string => `
  insert into ${into} (
    chain, number, index, type, status, hash, sender, recipient, value, nonce, gas_limit, gas_used,
    cumulative_gas_used, gas_price, max_fee, max_priority_fee, input)
  select ${addressChain}, number, i, 2, 1, sha256(int8send(-(number * 64 + i))), address, ${someone}, number, number,
    200000, 21000, 21000 * (i + 1), 25000000000, 50000000000, 1000000000, ''::bytea
  from ${rare(first, last)}`

const rareLogs = (into: string, first: number, last: number): string => `
  insert into ${into} (chain, number, index, tx_index, address, topic0, topic1, topic2, topic3, data)
  select ${addressChain}, number, 2 + i, i, substring(sha256(int8send(-1)) from 1 for 20),
    ${hex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef')}, ${padded('address')},
    ${padded(someone)}, null, ${hex('00'.repeat(24))} || int8send(number)
  from ${rare(first, last)}`

/** The parties of the generated rows, and whatever else has the form of an address: that costs time, not rows. */
const addressesOf = (from: number, before: number): string => {
  const within = `where chain = ${addressChain} and number >= ${from} and number < ${before}`
  const topics = ['topic1', 'topic2', 'topic3'].map(
    (topic) =>
      `case when substring(${topic} for 12) = ${hex('00'.repeat(12))} then substring(${topic} from 13) end`,
  )
  return `
    insert into address_partitions (chain, address, from_block)
    select distinct ${addressChain}::bigint, address, ${from}::bigint from (
      select unnest(array[sender, recipient]) as address from transactions ${within}
      union all select unnest(array[sender, recipient]) from calls ${within}
      union all select unnest(array[address, ${topics.join(', ')}]) from logs ${within}) found
    where address is not null`
}

/**
 * Fills an empty, migrated database with a chain of 100,000 blocks of busy and rare addresses, in the given number of
 * partitions of equal size.
 */
export async function fillPartitionRows(sql: Database, partitions: number): Promise<void> {
  const size = (headBlock + 1) / partitions
  await sql.unsafe(chainRow(headBlock))
  await dropPartitions(sql, addressChain)
  for (let at = 0; at < partitions; at += 1) {
    const [from, before] = [at * size, (at + 1) * size]
    const [first, last] = [Math.max(from, 1), before - 1]
    await sql`begin`
    const part = { chain: addressChain, from: BigInt(from), before: BigInt(before) }
    await listPartition(sql, part)
    for (const table of partitionedTables)
      await fillPartition(sql, table, part, async (name) => {
        if (table === 'contracts' || table === 'withdrawals') return
        await sql.unsafe(addressRows[table](name, first, last))
        if (table === 'transactions') await sql.unsafe(rareTransactions(name, first, last))
        if (table === 'logs') await sql.unsafe(rareLogs(name, first, last))
      })
    await sql.unsafe(addressesOf(from, before))
    await sql`commit`
  }
  await sql`vacuum analyze`
  await sql`checkpoint`
}
