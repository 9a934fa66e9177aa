import type { Queryable } from '../../store/database.ts'
import {
  additions,
  sumColumns,
  type BlockAddresses,
  type BlockAmounts,
  type SumColumn,
} from '../../store/metrics/sums.ts'
import { copyBytes, copyOptional, copyOptionalBytes } from '../../store/copy-text.ts'
import type { DecodedBlock } from './decode.ts'
import { dayStart } from './periods.ts'
import type { Settlement } from './verify/settlement.ts'

/** Sums over all blocks up to and including one: the `cum_*` columns of its row. */
type PrefixSums = Readonly<Record<SumColumn, bigint>>

/** An amount per second, kept as a fraction. */
type Rate = { readonly amount: bigint; readonly seconds: bigint }

/** The highest applied block, with everything that is needed to compute the next block's row. */
export type Tip = {
  readonly number: number
  readonly hash: string
  readonly ts: number
  readonly sums: PrefixSums
  /** The most recent timestamp that is lower than this block's. */
  readonly previousTs: number | undefined
  /** Totals of the blocks so far that share this block's timestamp; rates treat them as one block. */
  readonly secondTxs: bigint
  readonly secondGas: bigint
  readonly dayMaxTps: Rate | undefined
  readonly dayMaxGps: Rate | undefined
  readonly dayMaxGasPrice: bigint | undefined
}

/** What the row of a block is made of, beside the row before it. */
export type SummedBlock = Pick<
  DecodedBlock,
  'number' | 'hash' | 'parentHash' | 'ts' | 'header' | 'logCount' | 'maxGasPrice'
> &
  BlockAmounts & { readonly settlement: Pick<Settlement, 'height'> | undefined }

/** The tip after a block, from the tip before it (undefined for the first block). */
export function advance(tip: Tip | undefined, block: SummedBlock, seen: BlockAddresses): Tip {
  const sums = sumsOf((column) => (tip?.sums[column] ?? 0n) + BigInt(additions[column](block, seen)))
  const sameSecond = tip !== undefined && tip.ts === block.ts
  // A genesis block with timestamp 0 is not a predecessor: it would make the first rate tiny.
  const before = tip !== undefined && tip.ts > 0 ? tip.ts : undefined
  const previousTs = sameSecond ? tip.previousTs : before
  const secondTxs = BigInt(block.txCount) + (sameSecond ? tip.secondTxs : 0n)
  const secondGas = BigInt(block.gasUsed) + (sameSecond ? tip.secondGas : 0n)
  const sameDay = tip !== undefined && dayStart(tip.ts) === dayStart(block.ts)
  const seconds = previousTs === undefined ? undefined : BigInt(block.ts - previousTs)
  const rate = (amount: bigint): Rate | undefined => (seconds === undefined ? undefined : { amount, seconds })
  return {
    number: block.number,
    hash: block.hash,
    ts: block.ts,
    sums,
    previousTs,
    secondTxs,
    secondGas,
    dayMaxTps: greaterRate(sameDay ? tip.dayMaxTps : undefined, rate(secondTxs)),
    dayMaxGps: greaterRate(sameDay ? tip.dayMaxGps : undefined, rate(secondGas)),
    dayMaxGasPrice: greater(sameDay ? tip.dayMaxGasPrice : undefined, block.maxGasPrice),
  }
}

function sumsOf(value: (column: SumColumn) => bigint): PrefixSums {
  return Object.fromEntries(sumColumns.map((column) => [column, value(column)])) as PrefixSums
}

/** Compares by cross-multiplication, to avoid rounding. */
function greaterRate(left: Rate | undefined, right: Rate | undefined): Rate | undefined {
  if (!left || !right) return left ?? right
  return right.amount * left.seconds > left.amount * right.seconds ? right : left
}

function greater(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return right > left ? right : left
}

type BlockValue = (block: SummedBlock, tip: Tip) => string | number | bigint

/** The columns of a block row apart from `chain`, with their values in COPY's text format. */
const blockValues: Readonly<Record<string, BlockValue>> = {
  number: ({ number }) => number,
  ts: ({ ts }) => ts,
  hash: ({ hash }) => copyBytes(hash),
  parent_hash: ({ parentHash }) => copyBytes(parentHash),
  miner: ({ header }) => copyBytes(header.miner),
  gas_limit: ({ header }) => header.gasLimit,
  gas_used: ({ gasUsed }) => gasUsed,
  base_fee: ({ header }) => copyOptional(header.baseFee),
  block_gas_cost: ({ header }) => copyOptional(header.blockGasCost),
  difficulty: ({ header }) => header.difficulty,
  size: ({ header }) => copyOptional(header.size),
  tx_count: ({ txCount }) => txCount,
  log_count: ({ logCount }) => logCount,
  fees: ({ fees }) => fees,
  state_root: ({ header }) => copyBytes(header.stateRoot),
  transactions_root: ({ header }) => copyBytes(header.transactionsRoot),
  receipts_root: ({ header }) => copyBytes(header.receiptsRoot),
  extra_data: ({ header }) => copyBytes(header.extraData),
  nonce: ({ header }) => copyOptionalBytes(header.nonce),
  previous_ts: (_, { previousTs }) => copyOptional(previousTs),
  second_txs: (_, { secondTxs }) => secondTxs,
  second_gas: (_, { secondGas }) => secondGas,
  day_max_tps_txs: (_, { dayMaxTps }) => copyOptional(dayMaxTps?.amount),
  day_max_tps_seconds: (_, { dayMaxTps }) => copyOptional(dayMaxTps?.seconds),
  day_max_gps_gas: (_, { dayMaxGps }) => copyOptional(dayMaxGps?.amount),
  day_max_gps_seconds: (_, { dayMaxGps }) => copyOptional(dayMaxGps?.seconds),
  day_max_gas_price: (_, { dayMaxGasPrice }) => copyOptional(dayMaxGasPrice),
  ext_data: ({ header }) => copyOptionalBytes(header.extData),
  settled_height: ({ settlement }) => copyOptional(settlement?.height),
  ...Object.fromEntries(
    sumColumns.map((column) => [column, (_: SummedBlock, { sums }: Tip) => sums[column]]),
  ),
}

export const blockColumns = ['chain', ...Object.keys(blockValues)].join(', ')
const valuesInOrder = Object.values(blockValues)

/** The row of a block in COPY's text format, with the columns of `blockColumns`. */
export function blockLine(chain: number, block: SummedBlock, tip: Tip): string {
  return `${[chain, ...valuesInOrder.map((value) => value(block, tip))].join('\t')}\n`
}

type TipRow = {
  number: bigint
  hash: Buffer
  ts: bigint
  previous_ts: bigint | null
  second_txs: bigint
  day_max_tps_txs: bigint | null
  day_max_tps_seconds: bigint | null
  day_max_gps_seconds: bigint | null
  // Numeric columns arrive as text.
  second_gas: string
  day_max_gps_gas: string | null
  day_max_gas_price: string | null
} & Record<SumColumn, bigint | string>

/** Reads the highest block of a chain: the cursor, and the sums that the next block continues. */
export async function loadTip(sql: Queryable, chain: number): Promise<Tip | undefined> {
  const [row] = await sql<TipRow[]>`
    select number, hash, ts, previous_ts, second_txs, second_gas, day_max_tps_txs, day_max_tps_seconds,
      day_max_gps_gas, day_max_gps_seconds, day_max_gas_price, ${sql(sumColumns)}
    from blocks where chain = ${chain} order by number desc limit 1`
  return row && readTip(row)
}

function readTip(row: TipRow): Tip {
  return {
    number: Number(row.number),
    hash: `0x${row.hash.toString('hex')}`,
    ts: Number(row.ts),
    sums: sumsOf((column) => BigInt(row[column])),
    previousTs: row.previous_ts === null ? undefined : Number(row.previous_ts),
    secondTxs: row.second_txs,
    secondGas: BigInt(row.second_gas),
    dayMaxTps: rateOf(row.day_max_tps_txs, row.day_max_tps_seconds),
    dayMaxGps: rateOf(row.day_max_gps_gas, row.day_max_gps_seconds),
    dayMaxGasPrice: row.day_max_gas_price === null ? undefined : BigInt(row.day_max_gas_price),
  }
}

function rateOf(amount: bigint | string | null, seconds: bigint | null): Rate | undefined {
  return amount === null || seconds === null ? undefined : { amount: BigInt(amount), seconds }
}
