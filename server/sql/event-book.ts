import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAbiItems } from '../kernel/settings/abi-file.ts'
import type { Queryable } from '../store/database.ts'
import { readLabelsWithAbi } from '../store/evm/address-labels.ts'
import {
  readAbiEdition,
  readContractsOfSource,
  readProxiesOf,
  readVerifiedSources,
} from '../store/evm/contracts/verified-events.ts'
import { csvSource } from './csv-source.ts'
import { eventMacros, eventTables, type EventSource, type EventTable } from './events.ts'
import type { Setup } from './messages.ts'

type Prepared = Pick<Setup, 'statements' | 'limits'>

/** The most labels with an ABI whose events have tables. */
const maxLabels = 300

/** The tables of events: those of the operator's ABIs, and those of verified and labelled contracts, which may become more. */
export class EventBook {
  readonly #operator: readonly EventSource[]
  readonly #chains: readonly bigint[]
  readonly #taken: ReadonlySet<string>
  #known: { readonly edition: string; readonly tables: ReadonlyMap<string, EventTable> } | undefined

  /** `taken` are the names of other tables. */
  constructor(operator: readonly EventSource[], chains: readonly bigint[], taken: readonly string[]) {
    this.#operator = operator
    this.#chains = chains
    this.#taken = new Set(taken.flatMap((name) => [name, liveTable(name)]))
  }

  /** The tables by their names. */
  async tables(database: Queryable): Promise<ReadonlyMap<string, EventTable>> {
    const edition = await readAbiEdition(database)
    if (this.#known?.edition !== edition) {
      const verified = await readVerifiedSources(database, this.#chains)
      const labels = await readLabelsWithAbi(database, this.#chains, maxLabels)
      const itemsOf = (abi: string | null) => readAbiItems(JSON.parse(abi ?? '[]') as unknown[])
      const sources = [
        ...verified.map(({ name, abi, edition: one }) => ({ name, edition: one, items: itemsOf(abi) })),
        ...labels.map(({ name, chain, address, abi }) => ({
          name: name ?? 'label',
          chainId: Number(chain),
          address: `0x${address.toString('hex')}`,
          items: itemsOf(abi),
        })),
      ]
      const tables = eventTables([...this.#operator, ...sources], this.#taken).map(
        (table) => [table.name, table] as const,
      )
      this.#known = { edition, tables: new Map(tables) }
    }
    return this.#known.tables
  }

  /** What makes tables of events over `logs`: at most `max` contracts each. Files are written to `scratch`. */
  async prepare(
    sql: Queryable,
    tables: readonly EventTable[],
    scratch: string,
    max: number,
  ): Promise<Prepared> {
    if (tables.length === 0) return { statements: [], limits: [] }
    const prepared = await Promise.all(
      tables.map(async ({ name, view, contracts }): Promise<Prepared> => {
        if (!contracts) return { statements: [view], limits: [] }
        const { table, name: source, editions } = contracts
        const file = join(scratch, `${table}.csv`)
        const own = await readContractsOfSource(sql, this.#chains, source, editions, max + 1)
        const proxies = await readProxiesOf(sql, own, max + 1)
        // A proxy may be verified, too.
        const rows = new Set(
          [...own, ...proxies].map(({ chain, address }) => `${chain},0x${address.toString('hex')}`),
        )
        await writeFile(file, [...rows].map((row) => `${row}\n`).join(''))
        return {
          statements: [`create table "${table}" as select * from ${csvSource(file, contractColumns)}`, view],
          limits: [
            {
              table: `"${table}"`,
              max,
              complaint: `more than ${max} contracts have the events of ${name}: read their logs, or raise sql.liveRows`,
            },
          ],
        }
      }),
    )
    return {
      statements: [...eventMacros, ...prepared.flatMap(({ statements }) => statements)],
      limits: prepared.flatMap(({ limits }) => limits),
    }
  }
}

/** The table with the rows of a table that the lake does not have. */
export const liveTable = (name: string): string => `live_${name}`

const contractColumns = [
  { name: 'chain', type: 'BIGINT' },
  { name: 'address', type: 'VARCHAR' },
]
