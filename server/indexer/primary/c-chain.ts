import { FatalError } from '../../kernel/errors.ts'
import { decoding, type ProgressMeter } from '../../kernel/progress-meter.ts'
import type { StoreSession } from '../../store/session.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { Batch } from './batch/batch.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { type AtomicTx, decodeExtraData } from '../../../protocol/primary/atomic.ts'
import { type ChainDriver, NotYetError, otherBlock } from './follower.ts'
import { Flow } from './batch/flow.ts'
import type { Place } from './batch/model.ts'
import { keyOf } from './batch/rows.ts'
import { writeBlocks } from './batch/runs.ts'
import { countStrays, registerChain } from './batch/store.ts'
import { recoverImportedUtxo, type Strays } from './batch/utxos.ts'

/** Constants of the C-Chain's atomic side. */
type CRules = {
  readonly chain: number
  readonly pChain: number
  readonly xChain: number
  readonly cId: Uint8Array
  /** The id of the X-Chain, as a key. */
  readonly xId: string
  readonly avaxAsset: Uint8Array
  /** Ids, as keys, of the network's other indexed chains. */
  readonly followed: ReadonlySet<string>
}

type CChainOptions = {
  /** The chain id in the EVM tables, from which the blocks are read. */
  readonly evmChainId: number
  readonly session: StoreSession
  readonly stats: IndexerStats
  readonly startOver: boolean
  /** Fetches the constants; called once the node answers. */
  readonly rules: (signal: AbortSignal) => Promise<CRules>
}

type StoredBlock = {
  readonly height: number
  readonly ts: number
  readonly id: Buffer
  readonly parent: Buffer
  readonly size: number
  readonly transactions: readonly AtomicTx[]
}

/** Blocks per transaction while catching up. */
const runBlocks = 2_000
const pId = '0'.repeat(64)

/** The atomic side of the C-Chain, from the blocks that the EVM indexer has stored. */
export class CChain implements ChainDriver {
  readonly name = 'C-Chain'
  readonly chain: number
  readonly #options: CChainOptions
  #rules: CRules | undefined
  #cursor = { height: -1, id: '', ts: 0 }
  #nextStray = 0

  constructor(chain: number, options: CChainOptions) {
    this.chain = chain
    this.#options = options
  }

  get height(): number {
    return this.#cursor.height
  }

  async connect(signal: AbortSignal): Promise<void> {
    const { session, startOver, evmChainId } = this.#options
    const rules = await this.#options.rules(signal)
    const [first] = await session.use(
      (sql) => sql<{ genesis_hash: Buffer; start_block: bigint }[]>`
        select genesis_hash, start_block from chains where chain = ${evmChainId}`,
    )
    if (!first) throw new NotYetError('waits for the first blocks of the C-Chain')
    const identity = {
      chain: this.chain,
      name: this.name,
      blockchainId: rules.cId,
      genesis: first.genesis_hash,
      avaxAsset: rules.avaxAsset,
      version: undefined,
      hasIndex: undefined,
    }
    await session.transaction((sql) => registerChain(sql, identity, startOver))
    this.#rules = rules
    this.#nextStray = await session.use((sql) => countStrays(sql, this.chain))
    const [last] = await session.use(
      (sql) => sql<{ height: bigint; id: Buffer; ts: bigint }[]>`
        select height, id, ts from primary_blocks where chain = ${this.chain} order by height desc limit 1`,
    )
    this.#cursor = last
      ? { height: Number(last.height), id: keyOf(last.id), ts: Number(last.ts) }
      : { height: Number(first.start_block) - 1, id: '', ts: 0 }
  }

  async head(): Promise<number> {
    const [row] = await this.#options.session.use(
      (sql) => sql<{ number: bigint }[]>`
        select number from blocks where chain = ${this.#options.evmChainId} order by number desc limit 1`,
    )
    if (!row) throw new NotYetError('waits for the first blocks of the C-Chain')
    return Number(row.number)
  }

  async idAt(height: number): Promise<Uint8Array> {
    const [row] = await this.#options.session.use(
      (sql) => sql<{ hash: Buffer }[]>`
        select hash from blocks where chain = ${this.#options.evmChainId} and number = ${height}`,
    )
    if (!row) throw new NotYetError('waits for the C-Chain, whose blocks are read again')
    return row.hash
  }

  close(): void {
    // The driver holds only the session, which its owner closes.
  }

  async advance(head: number, progress: ProgressMeter, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.height < head) {
      const blocks = await progress.time('storedMs', this.#read(this.height + 1, head))
      if (blocks.length === 0) return
      await progress.time('storedMs', this.#apply(blocks, head))
      await progress.note()
    }
  }

  async #read(from: number, to: number): Promise<StoredBlock[]> {
    const { cId } = this.#current()
    const rows = await this.#options.session.use(
      (sql) => sql<
        {
          number: bigint
          ts: bigint
          hash: Buffer
          parent_hash: Buffer
          size: number | null
          ext_data: Buffer | null
        }[]
      >`
        select number, ts, hash, parent_hash, size, ext_data from blocks
        where chain = ${this.#options.evmChainId} and number between ${from} and ${to}
        order by number limit ${runBlocks}`,
    )
    return decoding(this.#options.stats, () =>
      rows.map((row) => ({
        height: Number(row.number),
        ts: Number(row.ts),
        id: row.hash,
        parent: row.parent_hash,
        size: row.size ?? 0,
        transactions: row.ext_data ? decodeExtraData(row.ext_data, cId) : [],
      })),
    )
  }

  /** Applies blocks in one transaction. */
  async #apply(blocks: readonly StoredBlock[], head: number): Promise<void> {
    const { session, stats } = this.#options
    const { chain, name } = this
    const rules = this.#current()
    const batch = new Batch(chain)
    const strays = { next: this.#nextStray }
    let cursor = this.#cursor
    const applyBlock = ({ height, ts, id, parent, size, transactions }: StoredBlock): void => {
      if (cursor.id !== '' && keyOf(parent) !== cursor.id)
        throw otherBlock(name, cursor.height, keyOf(parent))
      for (const [index, tx] of transactions.entries()) {
        carryOutAtomic(rules, batch, strays, tx, { height, index, ts })
      }
      const nothing = [null, null, null, null, null, null, null, null, null]
      batch.add('primary_blocks', [
        chain,
        height,
        ts,
        id,
        parent,
        null,
        size,
        transactions.length,
        ...nothing,
      ])
      cursor = { height, id: keyOf(id), ts }
    }
    decoding(stats, () => {
      for (const block of blocks) applyBlock(block)
    })
    const { height, id } = this.#cursor
    const before = { height: id === '' ? -1 : height, id }
    await writeBlocks(session, chain, { batch, before, cursor }, head)
    this.#cursor = cursor
    this.#nextStray = strays.next
    stats.blocksApplied += blocks.length
    stats.indexedNumber = cursor.height
  }

  #current(): CRules {
    if (!this.#rules) throw new FatalError('the C-Chain is not connected')
    return this.#rules
  }
}

/**
 * Adds the rows of an atomic transaction. The C-Chain accounts that it credits or debits are among its
 * addresses.
 */
function carryOutAtomic(rules: CRules, batch: Batch, strays: Strays, tx: AtomicTx, place: Place): void {
  const { unsigned } = tx
  const record = batch.record(place, tx.typeId)
  const flow = new Flow({ chain: rules.chain, batch, txId: tx.id, place, record })
  if (unsigned.type === 'ImportTx') {
    const source = chainOf(rules, unsigned.sourceChain) ?? rules.chain
    if (source === rules.chain)
      batch.odd(place, 'otherChain', `it imports from ${cb58(unsigned.sourceChain)}`)
    const isFollowed = source !== rules.chain && rules.followed.has(keyOf(unsigned.sourceChain))
    flow.spend(
      unsigned.importedInputs,
      isFollowed
        ? { exportedBy: source }
        : (input, number, spend) => recoverImportedUtxo(tx, input, number, spend, source, strays),
    )
    for (const { address } of unsigned.evmOutputs) record.addresses.add(keyOf(address))
    batch.transaction(place, tx, unsigned.importedInputs.length)
    return
  }
  for (const { address } of unsigned.evmInputs) record.addresses.add(keyOf(address))
  const home = chainOf(rules, unsigned.destinationChain)
  if (home === undefined) batch.odd(place, 'otherChain', `it exports to ${cb58(unsigned.destinationChain)}`)
  else flow.make(unsigned.exportedOutputs, home)
  batch.transaction(place, tx, unsigned.exportedOutputs.length)
}

/** The key of a chain that shares memory with the C-Chain; undefined for other chains. */
function chainOf(rules: CRules, id: Uint8Array): number | undefined {
  const key = keyOf(id)
  if (key === pId) return rules.pChain
  return key === rules.xId ? rules.xChain : undefined
}
