import type { Queryable } from '../../store/database.ts'
import { copyBytes, copyOptional, copyOptionalBytes } from '../../store/copy-text.ts'
import type { DecodedBlock } from './decode.ts'
import { dayStart } from './periods.ts'
import type { SeenCounts } from './seen.ts'

/** Sums over all blocks up to one: the `cum_*` columns of its row. */
export type PrefixSums = {
  readonly txs: bigint
  readonly gas: bigint
  readonly fees: bigint
  readonly gasPrice: bigint
  readonly addresses: bigint
  readonly contracts: bigint
  readonly deployers: bigint
  readonly hourAddresses: bigint
  readonly dayAddresses: bigint
  readonly weekAddresses: bigint
  readonly monthAddresses: bigint
  readonly hourSenders: bigint
  readonly daySenders: bigint
  readonly weekSenders: bigint
  readonly monthSenders: bigint
  readonly dayDeployers: bigint
}

/** An amount a second, as the fraction that it was measured as. */
export type Rate = { readonly amount: bigint; readonly seconds: bigint }

/** The highest applied block, and all that the next one's row is computed from. */
export type Tip = {
  readonly number: number
  readonly hash: string
  readonly ts: number
  readonly sums: PrefixSums
  /** The last timestamp before this block's own. */
  readonly previousTs: number | undefined
  /** What the blocks of this block's second hold so far: they count as one for rates. */
  readonly secondTxs: bigint
  readonly secondGas: bigint
  readonly dayMaxTps: Rate | undefined
  readonly dayMaxGps: Rate | undefined
  readonly dayMaxGasPrice: bigint | undefined
}

export const blockColumns =
  'chain, number, ts, hash, parent_hash, miner, gas_limit, gas_used, base_fee, block_gas_cost, difficulty, size, tx_count, log_count, fees, state_root, transactions_root, receipts_root, extra_data, nonce, cum_txs, cum_gas, cum_fees, cum_gas_price, cum_addresses, cum_contracts, cum_deployers, cum_hour_addresses, cum_day_addresses, cum_week_addresses, cum_month_addresses, cum_hour_senders, cum_day_senders, cum_week_senders, cum_month_senders, cum_day_deployers, previous_ts, second_txs, second_gas, day_max_tps_txs, day_max_tps_seconds, day_max_gps_gas, day_max_gps_seconds, day_max_gas_price, ext_data, settled_height'

const none: PrefixSums = {
  txs: 0n,
  gas: 0n,
  fees: 0n,
  gasPrice: 0n,
  addresses: 0n,
  contracts: 0n,
  deployers: 0n,
  hourAddresses: 0n,
  dayAddresses: 0n,
  weekAddresses: 0n,
  monthAddresses: 0n,
  hourSenders: 0n,
  daySenders: 0n,
  weekSenders: 0n,
  monthSenders: 0n,
  dayDeployers: 0n,
}

/** The tip after a block, from the tip before it (undefined for the first one). */
export function advance(tip: Tip | undefined, block: DecodedBlock, seen: SeenCounts): Tip {
  const sums = addSums(tip?.sums ?? none, block, seen)
  const sameSecond = tip !== undefined && tip.ts === block.ts
  // A genesis block without a time of its own is no predecessor: it would make the first rate tiny.
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

function addSums(sums: PrefixSums, block: DecodedBlock, seen: SeenCounts): PrefixSums {
  return {
    txs: sums.txs + BigInt(block.txCount),
    gas: sums.gas + BigInt(block.gasUsed),
    fees: sums.fees + block.fees,
    gasPrice: sums.gasPrice + block.gasPrices,
    addresses: sums.addresses + BigInt(seen.parties.ever),
    contracts: sums.contracts + BigInt(block.contractCount),
    deployers: sums.deployers + BigInt(seen.deployers.ever),
    hourAddresses: sums.hourAddresses + BigInt(seen.parties.hour),
    dayAddresses: sums.dayAddresses + BigInt(seen.parties.day),
    weekAddresses: sums.weekAddresses + BigInt(seen.parties.week),
    monthAddresses: sums.monthAddresses + BigInt(seen.parties.month),
    hourSenders: sums.hourSenders + BigInt(seen.senders.hour),
    daySenders: sums.daySenders + BigInt(seen.senders.day),
    weekSenders: sums.weekSenders + BigInt(seen.senders.week),
    monthSenders: sums.monthSenders + BigInt(seen.senders.month),
    dayDeployers: sums.dayDeployers + BigInt(seen.deployers.day),
  }
}

/** Compared by cross-multiplication, so that nothing is rounded. */
function greaterRate(left: Rate | undefined, right: Rate | undefined): Rate | undefined {
  if (!left || !right) return left ?? right
  return right.amount * left.seconds > left.amount * right.seconds ? right : left
}

function greater(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return right > left ? right : left
}

/** The row of a block in COPY's text format, columns as in `blockColumns`. */
export function blockLine(chain: number, block: DecodedBlock, tip: Tip): string {
  const { header } = block
  const { sums } = tip
  const line = [
    chain,
    block.number,
    block.ts,
    copyBytes(block.hash),
    copyBytes(block.parentHash),
    copyBytes(header.miner),
    header.gasLimit,
    block.gasUsed,
    copyOptional(header.baseFee),
    copyOptional(header.blockGasCost),
    header.difficulty,
    copyOptional(header.size),
    block.txCount,
    block.logCount,
    block.fees,
    copyBytes(header.stateRoot),
    copyBytes(header.transactionsRoot),
    copyBytes(header.receiptsRoot),
    copyBytes(header.extraData),
    copyOptionalBytes(header.nonce),
    sums.txs,
    sums.gas,
    sums.fees,
    sums.gasPrice,
    sums.addresses,
    sums.contracts,
    sums.deployers,
    sums.hourAddresses,
    sums.dayAddresses,
    sums.weekAddresses,
    sums.monthAddresses,
    sums.hourSenders,
    sums.daySenders,
    sums.weekSenders,
    sums.monthSenders,
    sums.dayDeployers,
    copyOptional(tip.previousTs),
    tip.secondTxs,
    tip.secondGas,
    copyOptional(tip.dayMaxTps?.amount),
    copyOptional(tip.dayMaxTps?.seconds),
    copyOptional(tip.dayMaxGps?.amount),
    copyOptional(tip.dayMaxGps?.seconds),
    copyOptional(tip.dayMaxGasPrice),
    copyOptionalBytes(header.extData),
    copyOptional(block.settlement?.height),
  ]
  return `${line.join('\t')}\n`
}

type TipRow = {
  number: bigint
  hash: Buffer
  ts: bigint
  previous_ts: bigint | null
  cum_txs: bigint
  cum_addresses: bigint
  cum_contracts: bigint
  cum_deployers: bigint
  cum_hour_addresses: bigint
  cum_day_addresses: bigint
  cum_week_addresses: bigint
  cum_month_addresses: bigint
  cum_hour_senders: bigint
  cum_day_senders: bigint
  cum_week_senders: bigint
  cum_month_senders: bigint
  cum_day_deployers: bigint
  second_txs: bigint
  day_max_tps_txs: bigint | null
  day_max_tps_seconds: bigint | null
  day_max_gps_seconds: bigint | null
  // Columns of type numeric arrive as text.
  cum_gas: string
  cum_fees: string
  cum_gas_price: string
  second_gas: string
  day_max_gps_gas: string | null
  day_max_gas_price: string | null
}

/** Reads the highest block of a chain: the cursor, and the sums that go on from it. */
export async function loadTip(sql: Queryable, chain: number): Promise<Tip | undefined> {
  const [row] = await sql<TipRow[]>`
    select number, hash, ts, previous_ts, cum_txs, cum_gas, cum_fees, cum_gas_price, cum_addresses,
      cum_contracts, cum_deployers, cum_hour_addresses, cum_day_addresses, cum_week_addresses,
      cum_month_addresses, cum_hour_senders, cum_day_senders, cum_week_senders, cum_month_senders,
      cum_day_deployers, second_txs, second_gas, day_max_tps_txs, day_max_tps_seconds, day_max_gps_gas,
      day_max_gps_seconds, day_max_gas_price
    from blocks where chain = ${chain} order by number desc limit 1`
  return row && readTip(row)
}

function readTip(row: TipRow): Tip {
  return {
    number: Number(row.number),
    hash: `0x${row.hash.toString('hex')}`,
    ts: Number(row.ts),
    sums: {
      txs: row.cum_txs,
      gas: BigInt(row.cum_gas),
      fees: BigInt(row.cum_fees),
      gasPrice: BigInt(row.cum_gas_price),
      addresses: row.cum_addresses,
      contracts: row.cum_contracts,
      deployers: row.cum_deployers,
      hourAddresses: row.cum_hour_addresses,
      dayAddresses: row.cum_day_addresses,
      weekAddresses: row.cum_week_addresses,
      monthAddresses: row.cum_month_addresses,
      hourSenders: row.cum_hour_senders,
      daySenders: row.cum_day_senders,
      weekSenders: row.cum_week_senders,
      monthSenders: row.cum_month_senders,
      dayDeployers: row.cum_day_deployers,
    },
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
