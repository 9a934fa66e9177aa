import type { DuckDBValue } from '@duckdb/node-api'
import type { DecodedBlock } from '../../indexer/evm/decode.ts'
import { follows } from '../../indexer/evm/links.ts'
import { advance, blockLine, type SummedBlock, type Tip } from '../../indexer/evm/tip.ts'
import { readSettledHeight } from '../../indexer/evm/verify/settlement.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { BlockAddresses } from '../../store/metrics/sums.ts'
import { lakeTables } from '../tables.ts'
import { periodNames, roleNames } from './folds.ts'
import type { Scratch } from './scratch.ts'

/** Rows of `blocks` in COPY's text format, and what the gaps of the traces follow from. */
type BlockBatch = {
  readonly lines: string
  readonly blocks: readonly Pick<DecodedBlock, 'number' | 'txCount' | 'traced'>[]
  readonly tip: Tip
}

const blocksTogether = 5_000

const blockNames = lakeTables.blocks.map(({ name }) => name)
const counts = roleNames.flatMap((role) => periodNames.map((period) => `${role}_${period}`))
const names = [...blockNames, ...counts, 'contracts', 'transfers'] as const

/**
 * The rows of the blocks of a range in order, with all running sums, by the indexer's own code. `tip` is the stored
 * block below. Throws FatalError if a block does not follow the one before, or its transactions are not those that it
 * lists.
 */
export async function* blockRows(
  scratch: Scratch,
  { chain, from, to, tip }: { chain: number; from: number; to: number; tip: Tip | undefined },
): AsyncGenerator<BlockBatch> {
  const within = `number between ${from} and ${to}`
  const columns = [
    ...blockNames.map((name) => `b."${name}"::varchar`),
    ...[...counts, 'contracts', 'transfers'].map((name) => `coalesce(${name}, 0)::integer`),
  ]
  const blocks = scratch.read(`
    select ${columns.join(', ')}
    from blocks b left join fresh using (number) left join made using (number) left join (
      select number, count(*) as transfers from token_transfers where ${within} group by number) moved using (number)
    where ${within} order by number`)
  const fees = new FeesOfBlocks(scratch, within)
  let lines = ''
  let batch: BlockBatch['blocks'][number][] = []
  let last = tip
  for await (const { columns, rows } of blocks) {
    for (let row = 0; row < rows; row += 1) {
      const values = Object.fromEntries(names.map((name, at) => [name, columns[at]?.[row] ?? null]))
      const block = await readBlock(values, fees)
      if (last) checkOrder(last, block)
      last = advance(last, block, addressesOf(values))
      lines += blockLine(chain, block, last)
      batch.push({ number: block.number, txCount: block.txCount, traced: values['traced'] === 'true' })
      if (batch.length < blocksTogether) continue
      yield { lines, blocks: batch, tip: last }
      lines = ''
      batch = []
    }
  }
  if (batch.length > 0 && last) yield { lines, blocks: batch, tip: last }
}

function checkOrder(tip: Tip, block: SummedBlock): void {
  if (block.number !== tip.number + 1 || !follows(block, tip.hash))
    throw new FatalError(`block ${block.number} of the lake does not follow block ${tip.number}`)
  if (block.ts < tip.ts) throw new FatalError(`block ${block.number} of the lake is older than its parent`)
}

type Values = Readonly<Record<string, DuckDBValue>>

async function readBlock(values: Values, fees: FeesOfBlocks): Promise<SummedBlock> {
  const text = (name: (typeof blockNames)[number]) => String(values[name])
  const optional = (name: (typeof blockNames)[number]) => (values[name] === null ? undefined : text(name))
  const amount = (name: (typeof blockNames)[number]) => {
    const given = optional(name)
    return given === undefined ? undefined : BigInt(given)
  }
  const number = Number(text('number'))
  const baseFee = amount('base_fee')
  const paid = await fees.of(number, baseFee ?? 0n)
  const txCount = Number(text('tx_count'))
  if (paid.count !== txCount || paid.fees !== BigInt(text('fees')))
    throw new FatalError(`block ${number} of the lake: its transactions are not those that it lists`)
  const height = readSettledHeight(number, JSON.parse(text('header')) as JsonObject)
  const size = optional('size')
  return {
    ...paid,
    number,
    txCount,
    ts: Number(text('ts')),
    hash: text('hash'),
    parentHash: text('parent_hash'),
    gasUsed: Number(text('gas_used')),
    logCount: Number(text('log_count')),
    contractCount: Number(values['contracts']),
    movements: Number(values['transfers']),
    settlement: height === undefined ? undefined : { height },
    header: {
      miner: text('miner'),
      gasLimit: BigInt(text('gas_limit')),
      baseFee,
      blockGasCost: amount('block_gas_cost'),
      difficulty: amount('difficulty') ?? 0n,
      size: size === undefined ? undefined : Number(size),
      stateRoot: text('state_root'),
      transactionsRoot: text('transactions_root'),
      receiptsRoot: text('receipts_root'),
      extraData: text('extra_data'),
      nonce: optional('nonce'),
      extData: optional('ext_data'),
    },
  }
}

function addressesOf(values: Values): BlockAddresses {
  const ofRole = (role: (typeof roleNames)[number]) => {
    const count = (period: (typeof periodNames)[number]) => Number(values[`${role}_${period}`])
    return {
      ever: count('ever'),
      hour: count('hour'),
      day: count('day'),
      week: count('week'),
      month: count('month'),
    }
  }
  return { parties: ofRole('parties'), senders: ofRole('senders'), deployers: ofRole('deployers') }
}

type Transaction = readonly [number: DuckDBValue, price: DuckDBValue, used: DuckDBValue, status: DuckDBValue]

/**
 * What the transactions of a block paid. Added up here, because a price times gas may exceed the integers of
 * DuckDB, and its BIGNUM can't multiply.
 */
class FeesOfBlocks {
  readonly #transactions: AsyncGenerator<Transaction[]>
  #rows: Transaction[] = []
  #at = 0

  constructor(scratch: Scratch, within: string) {
    this.#transactions = transactionsOf(scratch, within)
  }

  /** Call it with every block, in order. */
  async of(block: number, baseFee: bigint) {
    const sums = { count: 0, fees: 0n, gasPrices: 0n, priorityFees: 0n, failedCount: 0 }
    let maxGasPrice: bigint | undefined
    for (;;) {
      const next = this.#rows[this.#at]
      if (!next) {
        const read = await this.#transactions.next()
        if (read.done) break
        this.#rows = read.value
        this.#at = 0
        continue
      }
      if (Number(next[0]) !== block) break
      this.#at += 1
      const price = BigInt(String(next[1]))
      const used = next[2] as bigint
      sums.count += 1
      sums.fees += price * used
      sums.gasPrices += price
      if (price > baseFee) sums.priorityFees += (price - baseFee) * used
      if (next[3] === 0) sums.failedCount += 1
      if (maxGasPrice === undefined || price > maxGasPrice) maxGasPrice = price
    }
    return { ...sums, maxGasPrice }
  }
}

async function* transactionsOf(scratch: Scratch, within: string): AsyncGenerator<Transaction[]> {
  const read = scratch.read(
    `select number, gas_price, gas_used, status from transactions where ${within} order by number`,
  )
  for await (const { columns, rows } of read)
    yield Array.from({ length: rows }, (_, row): Transaction => {
      const value = (column: number) => columns[column]?.[row] ?? null
      return [value(0), value(1), value(2), value(3)]
    })
}
