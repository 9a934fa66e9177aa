import type { Database } from '../database.ts'
import { lineBreak, mostRows, read, readLines } from '../read.ts'

/** A half-open range of heights, `from` ≤ height < `before`. */
export type BlockRange = { from: bigint; before: bigint }

/** A row of a list: its JSON as the interface has it, and the height that its page token needs. */
export type BlockRow = { readonly number: bigint; readonly json: string }

/**
 * The JSON of a block `b`. PostgreSQL writes it by joining text, which costs a third of building it from
 * columns in JavaScript; every value is digits or hex, so that nothing needs escaping.
 */
const blockFields = `
  '"chainId":"' || b.chain || '","blockNumber":"' || b.number || '","blockTimestamp":' || b.ts
  || ',"blockHash":"0x' || encode(b.hash, 'hex') || '","parentHash":"0x' || encode(b.parent_hash, 'hex')
  || '","txCount":' || b.tx_count || ',"baseFee":"' || coalesce(b.base_fee, 0) || '","gasUsed":"' || b.gas_used
  || '","gasLimit":"' || b.gas_limit || '","gasCost":"' || coalesce(b.block_gas_cost, 0)
  || '","feesSpent":"' || b.fees || '","cumulativeTransactions":"' || b.cum_txs
  || '","miner":"0x' || encode(b.miner, 'hex') || '","logCount":' || b.log_count
  || coalesce(',"blockSizeBytes":' || b.size, '')`

// The inner limit, which is no parameter, tells a generic plan how few rows there will be.
const listStatement = (order: 'asc' | 'desc'): string => `
  select string_agg(page.json, ${lineBreak} order by page.number ${order}) as lines
  from (
    select b.number, '{' || ${blockFields} || '}' as json
    from (
      select * from blocks where chain = $1 and number >= $2 and number < $3
      order by number ${order}
      limit ${mostRows}) b
    order by b.number ${order}
    limit $4) page`
const listStatements = { asc: listStatement('asc'), desc: listStatement('desc') }

/** Blocks of a range in order of height: one index range of the primary key, whatever the page. */
export async function readBlocks(
  database: Database,
  chain: bigint,
  range: BlockRange,
  order: 'asc' | 'desc',
  limit: number,
): Promise<BlockRow[]> {
  const lines = await readLines(database, listStatements[order], [chain, range.from, range.before, limit])
  return lines.map((json) => ({ json, number: BigInt(/"blockNumber":"(\d+)"/.exec(json)?.[1] ?? 0) }))
}

const detailsStatement = `
  select b.number, '{' || ${blockFields}
    || ',"stateRoot":"0x' || encode(b.state_root, 'hex') || '","transactionsRoot":"0x' || encode(b.transactions_root, 'hex')
    || '","receiptsRoot":"0x' || encode(b.receipts_root, 'hex') || '","extraData":"0x' || encode(b.extra_data, 'hex')
    || '"' || coalesce(',"nonce":"0x' || encode(b.nonce, 'hex') || '"', '') || ',"difficulty":"' || b.difficulty || '"'
    || coalesce(',"isFinalized":' || (b.number <= (select c.finalized_block from chains c where c.chain = b.chain)), '')
    || coalesce(',"settledHeight":"' || b.settled_height || '"', '')
    || case when b.settled_height is null then '' else coalesce(',"settledBy":"' || (
         select n.number from blocks n
         where n.chain = $1 and n.number > b.number and n.settled_height >= b.number order by n.number limit 1) || '"', '') end
    || ',"withdrawals":[' || coalesce((
         select string_agg('{"index":"' || w.index || '","validatorIndex":"' || w.validator
           || '","address":"0x' || encode(w.address, 'hex') || '","amount":"' || w.amount || '"}', ',' order by w.index)
         from withdrawals w where w.chain = $1 and w.number = $2), '') || ']'
    || coalesce(',"nextBlockNumber":"' || (
         select n.number from blocks n where n.chain = $1 and n.number > b.number order by n.number limit 1) || '"', '')
    || '}' as json
  from blocks b
  where b.chain = $1 and b.number = $2`

/** One block with what its header says; undefined when the chain has none at this height. */
export async function readBlock(
  database: Database,
  chain: bigint,
  number: bigint,
): Promise<BlockRow | undefined> {
  const [row] = await read<BlockRow>(database, detailsStatement, [chain, number])
  return row
}

/** The height of the block with a hash; undefined when the canonical chain has no such block. */
export async function readBlockNumber(
  database: Database,
  chain: bigint,
  hash: Buffer,
): Promise<bigint | undefined> {
  const [row] = await read<{ number: bigint }>(
    database,
    'select number from blocks where hash = $2 and chain = $1 limit 1',
    [chain, hash],
  )
  return row?.number
}

/** The hash of the block at a height, as 0x text; undefined when there is none. */
export async function readBlockHash(
  database: Database,
  chain: bigint,
  number: bigint,
): Promise<string | undefined> {
  const [row] = await read<{ hash: string }>(
    database,
    `select '0x' || encode(hash, 'hex') as hash from blocks where chain = $1 and number = $2`,
    [chain, number],
  )
  return row?.hash
}

/**
 * The height of the first block at a time or after it (`from`), or strictly after it; undefined when
 * there is none. Timestamps never fall along a chain, so that a range of times is a range of heights.
 */
export async function readHeightAt(
  database: Database,
  chain: bigint,
  time: number,
  bound: 'from' | 'after',
): Promise<bigint | undefined> {
  const [row] = await read<{ number: bigint }>(
    database,
    'select number from blocks where chain = $1 and ts >= $2 order by ts, number limit 1',
    [chain, bound === 'from' ? time : time + 1],
  )
  return row?.number
}
