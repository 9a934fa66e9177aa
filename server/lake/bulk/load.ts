import { recordUntraced } from '../../indexer/evm/trace-gaps.ts'
import { registerChain } from '../../indexer/evm/identity.ts'
import { authorizationLines, delegatingType, signedAuthorizations } from '../../indexer/evm/authorizations.ts'
import { blobType, envelopeLine, envelopeOf } from '../../indexer/evm/envelope.ts'
import { messageLine, messageOfLog } from '../../indexer/evm/messages.ts'
import { blockColumns, loadTip, type Tip } from '../../indexer/evm/tip.ts'
import { copyColumns } from '../../indexer/evm/decode.ts'
import { receiveCrossChainMessage, sendWarpMessage } from '../../../protocol/warp/icm.ts'
import { readSettledHeight } from '../../indexer/evm/verify/settlement.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { copyRows, copyStream } from '../../store/copy.ts'
import { lockSpace, type Database } from '../../store/database.ts'
import { beginLoad, endLoad, notePart, readLoad, type UnfinishedLoad } from '../../store/lake-loads.ts'
import {
  dropPartitions,
  fillPartition,
  fillTable,
  partitionedTables,
  listPartition,
  partsOf,
  readListed,
  type Part,
  type PartitionedTable,
} from '../../store/partitions.ts'
import { askDistributed } from '../../store/distribution.ts'
import { shareChain, StoreSession } from '../../store/session.ts'
import { literal } from '../literal.ts'
import { contiguousRanges, loadLake, type Loaded, type LoadOptions } from '../load.ts'
import type { Manifest } from '../manifest.ts'
import { faultsOfFiles } from '../range-files.ts'
import { blockRows } from './block-rows.ts'
import type { Fold } from './folds.ts'
import { stateTables } from './state-tables.ts'
import { binaryRows, childColumns, type ChildTable, type Columns, namesOf } from './rows.ts'
import { Scratch } from './scratch.ts'

type BulkOptions = LoadOptions & {
  /** A folder for the scratch database, which may become as large as the lake. */
  home: string
  /** Transactions and logs, as for `partsOf`. */
  rowsPerPartition?: number
  /** Called when a table or partition is whole. */
  onPart?(loaded: { part: string; milliseconds: number }): void
}

/**
 * Fills the tables of a chain that has none yet from a lake, table by table: the ordered state is folded by sort and
 * merge, and rows are written in key order before their indexes. Each table or partition is one transaction with
 * a note of it, so a load that was killed continues with the next. The result equals that of the ordinary way. A
 * chain that has blocks already continues in the ordinary way.
 *
 * The files are trusted if their content is that of the manifests and their blocks follow each other; the ordinary
 * way and `lake verify` also recompute hashes and roots. Throws FatalError if they are not.
 */
export async function bulkLoad(options: BulkOptions): Promise<Loaded> {
  const { database, root, chain, signal } = options
  if (await askDistributed(database))
    throw new FatalError(
      'a bulk load writes the tables of one database server: on a distributed store, load without --bulk',
    )
  const session = new StoreSession(database, chain, signal)
  const second = new StoreSession(database, chain, signal, undefined, lockSpace.bulkLoad)
  let scratch: Scratch | undefined
  try {
    await session.open()
    const state = await session.use(async (sql) => ({
      load: await readLoad(sql, chain),
      tip: await loadTip(sql, chain),
    }))
    if (!state.load && state.tip) {
      await session.close()
      return await loadLake(options)
    }
    const ranges = rangesUpTo(await contiguousRanges(root, chain), state.load, root)
    await checkFiles(root, ranges)
    const { load, parts } = await session.transaction(async (sql) => begin(sql, options, ranges))
    scratch = await Scratch.open(options.home, root, ranges, signal)
    await second.open()
    const loader = new BulkLoader({ ...options, session, second, scratch, ranges, parts, load })
    await loader.run()
    return { blocks: { from: load.from, to: load.to }, lakeEnd: load.to }
  } finally {
    await scratch?.close()
    await second.close()
    await session.close()
  }
}

/** The ranges of a load: all that there are, or those of the load that is to be continued. */
function rangesUpTo(
  ranges: readonly Manifest[],
  load: UnfinishedLoad | undefined,
  root: string,
): readonly [Manifest, ...Manifest[]] {
  const [first, ...others] = load ? ranges.filter(({ to }) => to <= load.to) : ranges
  if (!first) throw new FatalError(`${root}: holds no ranges of the chain that could be loaded`)
  const last = others.at(-1) ?? first
  if (load && (first.from !== load.from || last.last.hash !== load.lastHash))
    throw new FatalError(`${root}: is not the lake from which the load up to block ${load.to} began`)
  return [first, ...others]
}

/** The partitions of the ranges, by their transactions and logs. */
const partsOfLake = (
  { chain, rowsPerPartition }: BulkOptions,
  ranges: readonly Manifest[],
): readonly Part[] =>
  partsOf(
    BigInt(chain),
    ranges.map(({ from, to, files }) => ({ from, to, rows: files.transactions.rows + files.logs.rows })),
    rowsPerPartition,
  )

async function checkFiles(root: string, ranges: readonly Manifest[]): Promise<void> {
  let before: Manifest | undefined
  for (const manifest of ranges) {
    const name = `blocks ${manifest.from} to ${manifest.to}`
    const [fault] = await faultsOfFiles(root, manifest)
    if (fault !== undefined) throw new FatalError(`${name}: ${fault}`)
    if (before && before.genesisHash !== manifest.genesisHash)
      throw new FatalError(`${name}: belong to another chain than the ranges below`)
    before = manifest
  }
}

async function begin(
  sql: Database,
  options: BulkOptions,
  ranges: readonly [Manifest, ...Manifest[]],
): Promise<{ load: UnfinishedLoad; parts: readonly Part[] }> {
  const { chain } = options
  const known = await readLoad(sql, chain)
  if (known) return { load: known, parts: await partsOfLoad(sql, chain, known) }
  const parts = partsOfLake(options, ranges)
  const [first] = ranges
  const { to, last } = ranges.at(-1) ?? first
  const load = { from: first.from, to, lastHash: last.hash, done: new Set<string>() }
  await registerChain(
    sql,
    { id: chain, startBlock: load.from },
    { genesisHash: first.genesisHash, clientVersion: undefined },
    'the lake',
  )
  await sql`
    update chains set state = 'waiting', reason = ${`being loaded from a lake up to block ${to}`}
    where chain = ${chain}`
  await dropPartitions(sql, BigInt(chain))
  for (const part of parts) await listPartition(sql, part)
  await beginLoad(sql, chain, load)
  return { load, parts }
}

/** The partitions of an unfinished load: those that it was begun with, which may differ from those chosen now. */
async function partsOfLoad(sql: Database, chain: number, { to }: UnfinishedLoad): Promise<readonly Part[]> {
  const listed = await readListed(sql, BigInt(chain), 0n, BigInt(to))
  return listed
    .map(({ from, before }) => ({ chain: BigInt(chain), from, before }))
    .toSorted((one, other) => (one.from < other.from ? -1 : 1))
}

type LoaderOptions = BulkOptions & {
  /** The connection that holds the chain, and another one beside it. */
  session: StoreSession
  second: StoreSession
  scratch: Scratch
  ranges: readonly Manifest[]
  parts: readonly Part[]
  load: UnfinishedLoad
}

class BulkLoader {
  readonly #options: LoaderOptions
  #final: number | undefined

  constructor(options: LoaderOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { session, second } = this.#options
    const parts = [...(await this.#stateParts()), ...this.#lakeParts()]
    // The server takes rows of the lake while DuckDB folds others: one connection begins at each end.
    await this.#fill([
      [session, () => parts.pop()],
      [second, () => parts.shift()],
    ])
    // Last, because a chain without blocks looks as if it were empty.
    const blocks = this.#partitions('blocks', (part, sql) => this.#blocks(part, sql), ['fresh', 'made'])
    await this.#fill([[session, () => blocks.shift()]])
    await this.#finish()
  }

  #lakeParts(): Step[] {
    const messages = (sql: Database) => fillTable(sql, 'cross_chain_messages', () => this.#messages(sql))
    const authorizations = (sql: Database) =>
      fillTable(sql, 'authorizations', () => this.#authorizations(sql))
    return [
      { name: 'cross_chain_messages', needed: [], fill: messages },
      { name: 'authorizations', needed: [], fill: authorizations },
      {
        name: 'node_names',
        needed: [],
        fill: (sql) => fillTable(sql, 'node_names', () => this.#nodeNames(sql)),
      },
      {
        name: 'envelopes',
        needed: [],
        fill: (sql) => fillTable(sql, 'envelopes', () => this.#envelopes(sql)),
      },
      ...partitionedTables.flatMap((table) =>
        table === 'blocks' ? [] : this.#partitions(table, (part, sql) => this.#childRows(table, part, sql)),
      ),
    ]
  }

  async #stateParts(): Promise<Step[]> {
    const { parts } = this.#options
    const final = await this.#finalBlock()
    return stateTables.map(({ table, columns, fold, source }) => ({
      name: table,
      needed: fold ? [fold] : [],
      fill: (sql) => fillTable(sql, table, () => this.#copy(sql, table, columns, source(final, parts))),
    }))
  }

  #partitions(
    table: PartitionedTable,
    fill: (part: PartRange, sql: Database) => Promise<void>,
    needed: readonly Fold[] = [],
  ): Step[] {
    const { load, parts } = this.#options
    return parts.map((part) => {
      const blocks = { from: Number(part.from), to: Math.min(Number(part.before) - 1, load.to) }
      return {
        name: `${table} ${part.from}`,
        needed,
        fill: (sql) => fillPartition(sql, table, part, (name) => fill({ name, ...blocks }, sql)),
      }
    })
  }

  /** Fills parts on several connections at once, until there are none left. The first failure ends all of them. */
  async #fill(lanes: readonly (readonly [StoreSession, next: () => Step | undefined])[]): Promise<void> {
    const { scratch } = this.#options
    let failure: unknown
    const lane = async (session: StoreSession, next: () => Step | undefined) => {
      try {
        for (let part = next(); part; part = next()) await this.#part(session, part)
      } catch (error) {
        failure ??= error
        scratch.interrupt()
        // Whoever watches the locks sees that this one has ended, however long the other takes.
        await session.close()
      }
    }
    await Promise.all(lanes.map(([session, next]) => lane(session, next)))
    if (failure !== undefined) throw failure
  }

  /** Fills a table or partition in one transaction, unless it was filled before. */
  async #part(session: StoreSession, { name, needed, fill }: Step): Promise<void> {
    const { load, scratch, chain, onPart } = this.#options
    if (load.done.has(name)) return
    scratch.checkSignal()
    const began = performance.now()
    for (const fold of needed) await scratch.make(fold)
    await session.transaction(async (sql) => {
      await shareChain(sql, chain)
      await sql`select set_config('maintenance_work_mem', '256MB', true)`
      await fill(sql)
      await notePart(sql, chain, name)
    })
    onPart?.({ part: name, milliseconds: performance.now() - began })
  }

  #childRows(table: ChildTable, { name, from, to }: PartRange, sql: Database): Promise<void> {
    const source = `${table} where number between ${from} and ${to}`
    return this.#copy(sql, name, childColumns(table), source, true)
  }

  async #copy(sql: Database, table: string, columns: Columns, source: string, freeze = false): Promise<void> {
    const { scratch, chain } = this.#options
    const rows = binaryRows(scratch, chain, columns, source)
    await copyStream(sql, table, `chain, ${namesOf(columns)}`, rows, freeze)
  }

  async #messages(sql: Database): Promise<void> {
    const { scratch, chain } = this.#options
    const candidates = scratch.read(`
      select number, index, ts, address, data, topic0, topic1, topic2, topic3 from logs
      where topic0 in (${literal(sendWarpMessage)}, ${literal(receiveCrossChainMessage)})
      order by number, index`)
    for await (const { columns, rows } of candidates) {
      let lines = ''
      for (let row = 0; row < rows; row += 1) {
        const [number, index, ts, address, data, ...topics] = columns.map((column) => column[row])
        const message = messageOfLog(
          { address, data },
          topics.filter((topic) => topic !== null),
        )
        if (message) lines += messageLine([chain, Number(number), Number(index), Number(ts)], message)
      }
      await copyRows(sql, 'cross_chain_messages', copyColumns.cross_chain_messages, [Buffer.from(lines)])
    }
  }

  async #authorizations(sql: Database): Promise<void> {
    const { scratch, chain } = this.#options
    const carriers = scratch.read(`
      select number, index, extra from transactions where type = ${delegatingType} and extra is not null
      order by number, index`)
    for await (const { columns, rows } of carriers) {
      let lines = ''
      for (let row = 0; row < rows; row += 1) {
        const [number, index, extra] = columns.map((column) => column[row])
        const { authorizationList } = JSON.parse(String(extra)) as JsonObject
        lines += authorizationLines(
          [chain, Number(number), Number(index)],
          signedAuthorizations(chain, authorizationList),
        )
      }
      await copyRows(sql, 'authorizations', copyColumns.authorizations, [Buffer.from(lines)])
    }
  }

  #nodeNames(sql: Database): Promise<void> {
    const columns = { number: 'bigint', index: 'integer', reason: 'smallint' } as const
    const source =
      '(select number, index, hash_given_by as reason from transactions where hash_given_by is not null)'
    return this.#copy(sql, 'node_names', columns, source)
  }

  async #envelopes(sql: Database): Promise<void> {
    const { scratch, chain } = this.#options
    const carriers = scratch.read(
      'select number, index, extra from transactions where extra is not null order by number, index',
    )
    for await (const { columns, rows } of carriers) {
      let lines = ''
      for (let row = 0; row < rows; row += 1) {
        const [number, index, extra] = columns.map((column) => column[row])
        const fields = JSON.parse(String(extra)) as JsonObject
        // What else is in there is not of the envelope, and the type says which of these a transaction has.
        const type =
          'blobVersionedHashes' in fields ? blobType : 'authorizationList' in fields ? delegatingType : 1
        lines += envelopeLine([chain, Number(number), Number(index)], envelopeOf({ ...fields, type }))
      }
      await copyRows(sql, 'envelopes', copyColumns.envelopes, [Buffer.from(lines)])
    }
  }

  async #blocks({ name, from, to }: PartRange, sql: Database): Promise<void> {
    const { scratch, chain, load } = this.#options
    let tip: Tip | undefined = await loadTip(sql, chain)
    if (tip ? tip.number !== from - 1 : from !== load.from)
      throw new FatalError(`the store's highest block is ${tip?.number ?? 'none'}, not ${from - 1}`)
    for await (const batch of blockRows(scratch, { chain, from, to, tip })) {
      await copyRows(sql, name, blockColumns, [Buffer.from(batch.lines)])
      await recordUntraced(sql, chain, batch.blocks)
      tip = batch.tip
    }
    if (tip?.number !== to)
      throw new FatalError(`the lake ends with block ${tip?.number ?? 'none'}, not ${to}`)
  }

  /** The height up to which the blocks of the lake are final: what the last one settles, or itself. */
  async #finalBlock(): Promise<number> {
    const { scratch, load } = this.#options
    if (this.#final !== undefined) return this.#final
    let header: unknown
    for await (const { columns } of scratch.read(`select header from blocks where number = ${load.to}`))
      header = columns[0]?.[0]
    this.#final = readSettledHeight(load.to, JSON.parse(String(header)) as JsonObject) ?? load.to
    return this.#final
  }

  async #finish(): Promise<void> {
    const { session, chain, load, ranges } = this.#options
    const traces = ranges.at(-1)?.traces
    const final = await this.#finalBlock()
    await session.transaction(async (sql) => {
      const tip = await loadTip(sql, chain)
      if (tip?.number !== load.to || tip.hash !== load.lastHash)
        throw new FatalError(`block ${load.to} of the lake is not ${load.lastHash}, which its manifest names`)
      // The state tables are folded from the rows of the lake, which name no signers.
      await sql`
        insert into address_partitions (chain, address, from_block)
        select distinct a.chain, a.authority, p.from_block
        from authorizations a
        join listed_partitions p
          on p.chain = a.chain and a.number >= p.from_block and a.number < p.before_block
        where a.chain = ${chain}
        on conflict do nothing`
      await sql`
        update chains set state = 'waiting', reason = ${`loaded from a lake up to block ${load.to}`},
          node_block = ${load.to}, node_seen_ts = ${Math.floor(Date.now() / 1000)},
          trace_source = ${traces === 'off' || traces === undefined ? 'none' : traces}, finalized_block = ${final}
        where chain = ${chain}`
      await endLoad(sql, chain)
    })
  }
}

/** A table or partition, with what has to be folded before it can be filled. */
type Step = {
  readonly name: string
  readonly needed: readonly Fold[]
  fill(sql: Database): Promise<void>
}

/** A partition's table, and the blocks that are loaded into it. */
type PartRange = { readonly name: string; readonly from: number; readonly to: number }
