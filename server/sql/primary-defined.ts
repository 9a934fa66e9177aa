import { primaryAliasOf } from '../../contract/primary/chains.ts'
import type { ChainAlias } from '../../protocol/primary/chains.ts'
import type { PrimaryLakeChain } from '../lake/primary/tables.ts'
import { primaryChainKey, type PrimaryNetwork } from '../primary/chains.ts'
import { Texts } from '../primary/texts.ts'
import type { Queryable } from '../store/database.ts'
import type { PrimaryCoverage, SealedChain } from './primary-coverage.ts'
import { columnsOfChain, primaryTables, type PrimaryTableName } from '../store/primary/columns.ts'
import { asColumns, type PrimaryColumn, type Row, type ToColumns } from './primary-columns.ts'
import { column, type Field, type StoreTable } from './store-tables.ts'
import type { DescribedColumn } from './tables.ts'

/** A table of the P- or the X-Chain: its rows come from the lake's files and, beyond them, from the store. */
export type PrimaryTable = StoreTable & {
  /**
   * The rows that the lake has, as a SELECT with the columns of the table; undefined if it has none. `live` is the table
   * of the rows that the store has.
   */
  sealed(coverage: PrimaryCoverage): string | undefined
  readonly chainAlias: PrimaryLakeChain
  /** The order of the rows, and what identifies one. */
  readonly key: readonly string[]
  /**
   * Rows of the store alone that meet a condition on its columns, up to a limit, in the order of the table's key:
   * the columns behind the network.
   */
  stored(sql: Queryable, network: StoredNetwork, condition: string, limit: number): AsyncIterable<Field[][]>
  /** A table of the store's rows that `sealed` needs besides. */
  readonly also?: StoreTable
}

/** A network, and the prefix of its addresses. */
type StoredNetwork = Pick<PrimaryCoverage, 'network' | 'prefix'>

export const networkAnd = (columns: readonly PrimaryColumn[]): DescribedColumn[] => [
  column('network', 'VARCHAR', 'mainnet or fuji'),
  ...columns.map(({ name, type, description }) => ({ name, type, description })),
]

/** What SQL computes of columns of the catalogue, by their names, instead of what it shows of them. */
export type Computed = Readonly<Record<string, ToColumns>>

/** The columns of a table of the catalogue that have a meaning, and those that are computed of others. */
export const sqlColumnsOf = (
  table: PrimaryTableName,
  chainAlias: ChainAlias,
  computed: Computed = {},
): PrimaryColumn[] =>
  columnsOfChain(primaryTables[table], chainAlias).flatMap((each) => {
    const show = computed[each.name] ?? (each.meaning === undefined ? undefined : asColumns)
    return show?.(each) ?? []
  })

/** The store's rows of a chain that meet a condition. */
export const storedRows = (
  table: PrimaryTableName,
  columns: readonly PrimaryColumn[],
  chain: number,
  condition: string,
): string => `
  select ${[...new Set(columns.map(({ selected }) => selected))].join(', ')} from ${table}
  where chain = ${chain} and ${condition}`

type Definition = {
  readonly name: string
  /** The table of the catalogue. */
  readonly table: PrimaryTableName
  readonly description: string
  readonly chainAlias: PrimaryLakeChain
  readonly computed?: Computed
  /** The condition that selects the store's rows that the lake lacks. */
  readonly lacked: (sealed: SealedChain | undefined) => string
  /** What the lake's rows are selected from. */
  readonly from: (sealed: SealedChain, coverage: PrimaryCoverage) => string
  readonly also?: StoreTable
}

/** A table by what the lake and the store have of it. */
export function defined(definition: Definition): PrimaryTable {
  const { name, table, description, chainAlias, computed, lacked, from, also } = definition
  const { key } = primaryTables[table]
  const columns = sqlColumnsOf(table, chainAlias, computed)
  const rowsOf = (of: PrimaryNetwork, condition: string): string =>
    `${storedRows(table, columns, primaryChainKey(of, primaryAliasOf[chainAlias]), condition)} order by ${key.join(', ')}`
  return {
    name,
    chainAlias,
    key,
    group: 'Primary network',
    description,
    columns: networkAnd(columns),
    rows: (source) =>
      storeRows(source, columns, (coverage) => rowsOf(coverage.network, lacked(coverage[chainAlias]))),
    stored: (sql, of, condition, limit) =>
      storeRows({ sql, primary: [of] }, columns, () => `${rowsOf(of.network, condition)} limit ${limit}`),
    sealed(coverage) {
      const sealed = coverage[chainAlias]
      if (!sealed) return undefined
      const list = columns.map((each) => `(${each.lake})::${each.type} as "${each.name}"`).join(', ')
      return `select '${coverage.network}' as network, ${list} from ${from(sealed, coverage)}`
    },
    ...(also && { also }),
  }
}

/** Rows whose ids become text while other requests wait: some 10 microseconds for each id. */
const rowsAtOnce = 250

/** Rows of the store of all networks, as columns have them. */
export async function* storeRows<Of extends StoredNetwork>(
  { sql, primary }: { readonly sql: Queryable; readonly primary: readonly Of[] },
  columns: readonly PrimaryColumn[],
  query: (of: Of) => string,
): AsyncGenerator<Field[][]> {
  for (const coverage of primary) {
    const texts = new Texts(coverage.prefix)
    for await (const rows of sql.unsafe<Row[]>(query(coverage)).cursor(rowsAtOnce))
      yield rows.map((row) => [coverage.network, ...columns.map(({ store }) => store(row, texts))])
  }
}
