import { createHash } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { ensurePartitions } from '../store/partitions.ts'
import { messageOf } from '../verify/messages.ts'
import { Recount, type CountedBlock } from '../verify/recount.ts'
import { rewriteTokenRows } from './token-rows.ts'

/** A log of a test's transaction; bytes as 0x text. */
export type SeedLog = { address: string; topics: readonly string[]; data: string }

/** A call inside a test's transaction. */
export type SeedCall = {
  type: string
  sender: string
  recipient: string | null
  value?: bigint
  reverted?: boolean
  depth?: number
  input?: string
  output?: string
  error?: string
}

/** A transaction of a test. Missing fields get default values. */
export type SeedTransaction = {
  hash?: string
  from: string
  to: string | null
  created?: string
  value?: bigint
  nonce?: bigint
  input?: string
  /** What its own call returned, and how it failed. */
  output?: string
  error?: string
  type?: number
  status?: 0 | 1
  gasLimit?: bigint
  gasUsed?: bigint
  gasPrice?: bigint
  maxFee?: bigint
  maxPriorityFee?: bigint
  logs?: readonly SeedLog[]
  calls?: readonly SeedCall[]
  /** Lasting creations: creator and contract. */
  contracts?: readonly { address: string; deployer: string; ordinal: number }[]
}

/** A block of a test. `branch` distinguishes two blocks at the same height. */
export type SeedBlock = { number: number; ts: number; txs: readonly SeedTransaction[]; branch?: string }

type SeedChain = {
  chain: number
  blocks: readonly SeedBlock[]
  state?: string
  reason?: string | null
  /** `none`: no block is traced. */
  traceSource?: string
  nodeBlock?: number
  nodeSeen?: number
  finalized?: number | null
}

/** 32 bytes derived from a name. */
export const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`
/** 20 bytes derived from a name. */
export const addressOf = (text: string): string => hashOf(text).slice(0, 42)
/** The hash of a test's block. */
export const blockHash = (chain: number, block: Pick<SeedBlock, 'number' | 'branch'>): string =>
  hashOf(`${chain} ${block.branch ?? 'main'} ${block.number}`)
/** The hash of a test's transaction. */
export const transactionHash = (chain: number, block: SeedBlock, index: number): string =>
  block.txs[index]?.hash ?? hashOf(`${blockHash(chain, block)} ${index}`)

const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const optionalBytes = (text: string | null | undefined): Buffer | null => (text == null ? null : bytes(text))

/** Writes a whole chain, with sums counted naively over its blocks. */
export async function seedChain(database: Database, seed: SeedChain): Promise<void> {
  const { chain, blocks } = seed
  const head = blocks.at(-1)?.number ?? 0
  await database`
    insert into chains (chain, genesis_hash, start_block, state, reason, trace_source, client_version,
      node_block, node_seen_ts, finalized_block)
    values (${chain}, ${bytes(hashOf('genesis'))}, 0, ${seed.state ?? 'live'}, ${seed.reason ?? null},
      ${seed.traceSource ?? 'debug'}, 'test/1', ${seed.nodeBlock ?? head}, ${seed.nodeSeen ?? 1_790_000_000},
      ${seed.finalized === undefined ? null : seed.finalized})`
  await ensurePartitions(database, BigInt(chain), 0n, BigInt(head))
  await insertBlocks(database, chain, blocks)
  if (seed.traceSource === 'none' && blocks.length > 0) {
    await database`
      insert into trace_gaps (chain, first_block, last_block) values (${chain}, ${blocks[0]?.number ?? 0}, ${head})`
  }
}

/** Removes every block above `ancestor`, like a reorg. Totals of tokens are computed again from the remaining logs. */
export async function revertTo(database: Database, chain: number, ancestor: number): Promise<void> {
  for (const table of ['blocks', 'transactions', 'logs', 'calls', 'contracts', 'cross_chain_messages']) {
    await database.unsafe(`delete from ${table} where chain = ${chain} and number > ${ancestor}`)
  }
  await rewriteTokenRows(database, chain)
}

/**
 * Writes blocks of a chain whose sums start at 0 with the first block. The chain's balances, holders, tokens, totals
 * and NFTs are computed again from all of its logs.
 */
export async function insertBlocks(
  database: Database,
  chain: number,
  blocks: readonly SeedBlock[],
): Promise<void> {
  const sums = new NaiveSums()
  await database.begin(async (sql) => {
    for (const [position, block] of blocks.entries()) {
      const row = {
        chain,
        number: block.number,
        ts: block.ts,
        hash: bytes(blockHash(chain, block)),
        parent_hash: bytes(blockHash(chain, { ...block, number: block.number - 1 })),
        miner: bytes(addressOf('miner')),
        gas_limit: gasLimit.toString(),
        gas_used: total(block, gasUsed).toString(),
        base_fee: baseFee.toString(),
        difficulty: '1',
        size: 1000 + block.number,
        tx_count: block.txs.length,
        log_count: block.txs.reduce((sum, tx) => sum + (tx.logs?.length ?? 0), 0),
        fees: total(block, (tx) => gasUsed(tx) * gasPrice(tx)).toString(),
        state_root: bytes(hashOf('state')),
        transactions_root: bytes(hashOf('transactions')),
        receipts_root: bytes(hashOf('receipts')),
        extra_data: bytes('0xabcd'),
        nonce: bytes('0x0000000000000001'),
        ...sums.after(block, blocks[position - 1]),
      }
      await sql`insert into blocks ${sql(row)}`
      await insertChildren(sql as unknown as Database, chain, block)
    }
  })
  await rewriteTokenRows(database, chain)
}

async function insertChildren(sql: Database, chain: number, block: SeedBlock): Promise<void> {
  let logIndex = 0
  let cumulative = 0n
  for (const [index, tx] of block.txs.entries()) {
    cumulative += gasUsed(tx)
    await sql`insert into transactions ${sql({
      chain,
      number: block.number,
      index,
      type: tx.type ?? 2,
      status: tx.status ?? 1,
      hash: bytes(transactionHash(chain, block, index)),
      sender: bytes(tx.from),
      recipient: optionalBytes(tx.to),
      created: optionalBytes(tx.created),
      value: String(tx.value ?? 0n),
      nonce: String(tx.nonce ?? 0n),
      gas_limit: String(tx.gasLimit ?? 100_000n),
      gas_used: gasUsed(tx).toString(),
      cumulative_gas_used: cumulative.toString(),
      gas_price: gasPrice(tx).toString(),
      max_fee: tx.maxFee === undefined ? null : String(tx.maxFee),
      max_priority_fee: tx.maxPriorityFee === undefined ? null : String(tx.maxPriorityFee),
      input: bytes(tx.input ?? '0x'),
      output: optionalBytes(tx.output),
      error: tx.error ?? null,
    })}`
    const place = { chain, number: block.number, tx_index: index }
    for (const log of tx.logs ?? []) {
      const [topic0, topic1, topic2, topic3] = log.topics.map(bytes)
      await sql`insert into logs ${sql({
        ...place,
        index: logIndex,
        address: bytes(log.address),
        topic0: topic0 ?? null,
        topic1: topic1 ?? null,
        topic2: topic2 ?? null,
        topic3: topic3 ?? null,
        data: bytes(log.data),
      })}`
      const message = messageOf(log)
      if (message) {
        await sql`
          insert into cross_chain_messages (chain, number, index, ts, direction, peer)
          values (${chain}, ${block.number}, ${logIndex}, ${block.ts}, ${message.direction === 'sent' ? 0 : 1},
            ${optionalBytes(message.peer)})`
      }
      logIndex += 1
    }
    for (const [ordinal, call] of (tx.calls ?? []).entries()) {
      await sql`insert into calls ${sql({
        ...place,
        ordinal,
        depth: call.depth ?? 1,
        type: call.type,
        reverted: call.reverted ?? false,
        sender: bytes(call.sender),
        recipient: optionalBytes(call.recipient),
        value: String(call.value ?? 0n),
        gas_limit: '50000',
        gas_used: '40000',
        input: optionalBytes(call.input),
        output: optionalBytes(call.output),
        error: call.error ?? null,
      })}`
    }
    for (const { address, deployer, ordinal } of tx.contracts ?? []) {
      await sql`insert into contracts ${sql({ ...place, ordinal, address: bytes(address), deployer: bytes(deployer), origin: bytes(tx.from) })}`
    }
  }
}

const baseFee = 25_000_000_000n
const gasLimit = 15_000_000n
export const gasUsed = (tx: SeedTransaction): bigint => tx.gasUsed ?? 21_000n
export const gasPrice = (tx: SeedTransaction): bigint => tx.gasPrice ?? 30_000_000_000n

const total = (block: SeedBlock, of: (tx: SeedTransaction) => bigint): bigint =>
  block.txs.reduce((sum, tx) => sum + of(tx), 0n)

/** The period of a time as a key. It uses Date, unlike the tested code. */
function periodKey(interval: 'hour' | 'day' | 'week' | 'month', ts: number): string {
  const date = new Date(ts * 1000)
  const iso = date.toISOString()
  if (interval === 'hour') return iso.slice(0, 13)
  if (interval === 'month') return iso.slice(0, 7)
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** A seeded block in the recount's format. */
export function countedBlock(block: SeedBlock): CountedBlock {
  return {
    ts: block.ts,
    gasUsed: total(block, gasUsed),
    gasLimit,
    baseFee,
    transactions: block.txs.map((tx) => ({
      from: tx.from,
      to: tx.to ?? tx.created ?? null,
      value: tx.value ?? 0n,
      input: tx.input ?? '0x',
      gasUsed: gasUsed(tx),
      gasPrice: gasPrice(tx),
      succeeded: tx.status !== 0,
      logs: tx.logs ?? [],
    })),
    creations: block.txs.flatMap((tx) => tx.contracts ?? []),
  }
}

/** The sums and maxima of block rows, counted naively. */
class NaiveSums {
  readonly #recount = new Recount()

  after(block: SeedBlock, previous: SeedBlock | undefined): Record<string, string | null> {
    this.#recount.add(countedBlock(block))
    const seconds = previous && previous.ts > 0 ? block.ts - previous.ts : undefined
    const sums = Object.entries(this.#recount.totals).map(([column, sum]) => [column, sum.toString()])
    return {
      ...Object.fromEntries(sums),
      previous_ts: previous === undefined ? null : String(previous.ts),
      second_txs: String(block.txs.length),
      second_gas: total(block, gasUsed).toString(),
      ...this.#maxima(block, seconds),
    }
  }

  #day = ''
  #maximum: { tps?: [bigint, bigint]; gps?: [bigint, bigint]; price?: bigint } = {}

  #maxima(block: SeedBlock, seconds: number | undefined): Record<string, string | null> {
    const day = periodKey('day', block.ts)
    if (day !== this.#day) this.#maximum = {}
    this.#day = day
    const best = this.#maximum
    if (seconds !== undefined) {
      const per = BigInt(seconds)
      best.tps = larger(best.tps, [BigInt(block.txs.length), per])
      best.gps = larger(best.gps, [total(block, gasUsed), per])
    }
    for (const tx of block.txs) {
      if (best.price === undefined || gasPrice(tx) > best.price) best.price = gasPrice(tx)
    }
    return {
      day_max_tps_txs: best.tps ? String(best.tps[0]) : null,
      day_max_tps_seconds: best.tps ? String(best.tps[1]) : null,
      day_max_gps_gas: best.gps ? String(best.gps[0]) : null,
      day_max_gps_seconds: best.gps ? String(best.gps[1]) : null,
      day_max_gas_price: best.price === undefined ? null : String(best.price),
    }
  }
}

function larger(left: [bigint, bigint] | undefined, right: [bigint, bigint]): [bigint, bigint] {
  if (!left) return right
  return Number(right[0]) / Number(right[1]) > Number(left[0]) / Number(left[1]) ? right : left
}
