import type { Queryable } from '../../store/database.ts'
import { RetryableError } from '../../kernel/errors.ts'
import type { StoreSession } from '../../store/session.ts'
import { bloomOfReceipts, sameBloom, unionOfBlooms } from './verify/bloom.ts'
import type { DecodedBlock } from './decode.ts'
import { refuse } from '../../kernel/json.ts'
import { type BlockReceipts, type Settlement, toBlockReceipts } from './verify/settlement.ts'
import { indexedTrieRoot, toHex } from './verify/trie.ts'

/** Bytes of receipts kept in memory until they are settled; the rest is read from the store again. */
const bytesKept = 32 * 1024 * 1024

/** What is read of a block whose settlement is checked. */
type SettlingBlock = Pick<DecodedBlock, 'number' | 'hash' | 'parentHash' | 'settlement'>

/** Receipts that do not match what the chain settled: no block above `settled` can be trusted. */
export class UnsettledError extends RetryableError {
  readonly settled: number
  constructor(settled: number, message: string) {
    super('refused', message)
    this.settled = settled
  }
}

type SettlementOptions = {
  /** The store with the earlier blocks; undefined if nothing is stored, as when a lake is extracted. */
  session: StoreSession | undefined
  chain: number
  /** Fetches a block below the first indexed one, or any earlier one without a store, from the node. */
  earlierBlock(number: number): Promise<DecodedBlock>
}

/**
 * Proves the receipts of blocks against the headers that settle them. It follows the blocks in height order
 * and keeps the receipts of unsettled blocks. Missing receipts, for example after a restart, are rebuilt from
 * the stored rows, so the proof covers what is stored. Chains without settlement have no overhead.
 */
export class Settlements {
  readonly #options: SettlementOptions
  readonly #unsettled = new Map<number, BlockReceipts>()
  /** The last checked block, and the height up to which it settles. */
  #last: { readonly hash: string; readonly settled: number } | undefined

  constructor(options: SettlementOptions) {
    this.#options = options
  }

  /** The height up to which the last checked block settles; undefined before the first check. */
  get settled(): number | undefined {
    return this.#last?.settled
  }

  /** Discards all receipts, so that the next check reads them from the store. */
  reset(): void {
    this.#unsettled.clear()
    this.#last = undefined
  }

  /**
   * Checks blocks that are about to be written. They must follow a stored block and each other. Throws
   * UnsettledError if earlier blocks, stored or among these, have receipts other than the chain settles.
   */
  async check(blocks: readonly SettlingBlock[]): Promise<void> {
    if (blocks.every(({ settlement }) => settlement === undefined)) {
      const last = blocks.at(-1)
      if (last) this.#last = { hash: last.hash, settled: last.number }
      return
    }
    for (const block of blocks) {
      const { settlement } = block
      if (settlement) {
        const before = await this.#settledBefore(block)
        if (settlement.height < before) {
          throw refuse(`block ${block.number} settles less than its parent, which settles block ${before}`)
        }
        await this.#settle(block.number, settlement, before)
        this.#unsettled.set(block.number, settlement.receipts)
      }
      this.#last = { hash: block.hash, settled: settlement?.height ?? block.number }
    }
    this.#trim()
  }

  async #settle(number: number, settlement: Settlement, before: number): Promise<void> {
    const { height, receiptsRoot, logsBloom } = settlement
    const settled: BlockReceipts[] = []
    for (let at = before + 1; at <= height; at += 1) settled.push(await this.#receiptsOf(at))
    const differs = (what: string) =>
      new UnsettledError(
        before,
        `block ${number} settles the blocks ${before + 1} to ${height} with ${what} than their receipts have`,
      )
    if (!sameBloom(unionOfBlooms(settled.map(({ bloom }) => bloom)), logsBloom))
      throw differs('another bloom')
    if (settled.every(({ encoded }) => encoded !== undefined)) {
      const all = settled.flatMap(({ encoded }) => encoded ?? [])
      if (indexedTrieRoot(all) !== receiptsRoot) throw differs('another root')
    }
    for (let at = before + 1; at <= height; at += 1) this.#unsettled.delete(at)
  }

  async #receiptsOf(number: number): Promise<BlockReceipts> {
    const known = this.#unsettled.get(number)
    if (known) return known
    const { session, chain } = this.#options
    if (session) return session.use((sql) => storedReceipts(sql, chain, number))
    const block = await this.#options.earlierBlock(number)
    if (!block.settlement) throw refuse(`block ${number} settles itself`)
    return block.settlement.receipts
  }

  /** The height up to which the parent of a block settles. */
  async #settledBefore(block: SettlingBlock): Promise<number> {
    if (this.#last?.hash === block.parentHash) return this.#last.settled
    this.#unsettled.clear()
    const { session, chain } = this.#options
    const [parent, lowest] = session
      ? await session.use((sql) => storedBlockAt(sql, chain, block.number - 1))
      : []
    if (parent && parent.hash !== block.parentHash) {
      throw new RetryableError('disagreement', `block ${block.number} does not follow block ${parent.number}`)
    }
    return this.#askEarlier(parent && lowest ? lowest : block, parent?.settled)
  }

  /**
   * Fetches the unsettled blocks below the first indexed one from the node and checks that each is the parent
   * of the next. Returns the height up to which the first block's parent settles, if it was not known.
   */
  async #askEarlier(
    first: Pick<DecodedBlock, 'number' | 'parentHash'>,
    known: number | undefined,
  ): Promise<number> {
    let settled = known
    let child = first
    while (child.number > 0 && (settled === undefined || child.number - 1 > settled)) {
      const block = await this.#options.earlierBlock(child.number - 1)
      if (block.hash !== child.parentHash) {
        throw new RetryableError('disagreement', `block ${block.number} is not the parent of the next one`)
      }
      settled ??= block.settlement?.height ?? block.number
      if (block.settlement) this.#unsettled.set(block.number, block.settlement.receipts)
      child = block
    }
    return settled ?? -1
  }

  /**
   * Drops the receipts of the highest blocks if all together exceed the limit; they can be read from the
   * store.
   */
  #trim(): void {
    let size = 0
    for (const number of [...this.#unsettled.keys()].toSorted((left, right) => left - right)) {
      size += this.#unsettled.get(number)?.size ?? 0
      if (size > bytesKept) this.#unsettled.delete(number)
    }
  }
}

type Standing = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly settled: number
}

/** The stored block at a height, and the lowest stored block. */
async function storedBlockAt(
  sql: Queryable,
  chain: number,
  number: number,
): Promise<[Standing | undefined, Standing | undefined]> {
  const rows = await sql<{ number: bigint; hash: Buffer; parent_hash: Buffer; settled: bigint }[]>`
    select number, hash, parent_hash, coalesce(settled_height, number) as settled
    from blocks where chain = ${chain} and number in (${number},
      (select number from blocks where chain = ${chain} order by number limit 1))
    order by number`
  const blocks = rows.map((row) => ({
    number: Number(row.number),
    hash: toHex(row.hash),
    parentHash: toHex(row.parent_hash),
    settled: Number(row.settled),
  }))
  return [blocks.find((block) => block.number === number), blocks[0]]
}

type TransactionRow = { index: number; type: number; status: number; gas: bigint }
type LogRow = { tx_index: number; address: Buffer; data: Buffer } & Record<
  'topic0' | 'topic1' | 'topic2' | 'topic3',
  Buffer | null
>

/** The receipts of a stored block, rebuilt from its rows. */
async function storedReceipts(sql: Queryable, chain: number, number: number): Promise<BlockReceipts> {
  const transactions = await sql<TransactionRow[]>`
    select index, type, status, cumulative_gas_used as gas from transactions
    where chain = ${chain} and number = ${number} order by index`
  const rows = await sql<LogRow[]>`
    select tx_index, address, topic0, topic1, topic2, topic3, data from logs
    where chain = ${chain} and number = ${number} order by index`
  const logs = new Map<number, LogRow[]>(transactions.map(({ index }) => [index, []]))
  for (const row of rows) logs.get(row.tx_index)?.push(row)
  return toBlockReceipts(
    transactions.map(({ index, type, status, gas }) => {
      const own = (logs.get(index) ?? []).map((row) => ({
        address: toHex(row.address),
        topics: [row.topic0, row.topic1, row.topic2, row.topic3]
          .filter((topic) => topic !== null)
          .map((topic) => toHex(topic)),
        data: toHex(row.data),
      }))
      return {
        type: asQuantity(type),
        status: asQuantity(status),
        cumulativeGasUsed: asQuantity(gas),
        logsBloom: toHex(bloomOfReceipts([{ logs: own }])),
        logs: own,
      }
    }),
  )
}

const asQuantity = (value: number | bigint): string => `0x${value.toString(16)}`
