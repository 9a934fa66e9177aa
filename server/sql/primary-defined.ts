import { primaryAliasOf } from '../../contract/primary/chains.ts'
import { primaryExportKeys } from '../../contract/sql/exports.ts'
import type { PrimaryLakeChain } from '../lake/primary/tables.ts'
import { primaryChainKey, type PrimaryNetwork } from '../primary/chains.ts'
import { Texts } from '../primary/texts.ts'
import type { Queryable } from '../store/database.ts'
import type { PrimaryCoverage, SealedChain } from './primary-coverage.ts'
import type { PrimaryColumn, Row } from './primary-columns.ts'
import { column, type Field, type StoreTable } from './store-tables.ts'
import type { DescribedColumn } from './tables.ts'

/** A table of the P- or the X-chain: its rows come from the lake's files and, beyond them, from the store. */
export type PrimaryTable = StoreTable & {
  /**
   * The rows that the lake has, as a SELECT with the columns of the table; undefined if it has none. `live` is the table
   * of the rows that the store has.
   */
  sealed(coverage: PrimaryCoverage): string | undefined
  readonly chainAlias: PrimaryLakeChain
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
  ...columns.map(({ lake: _lake, store: _store, ...described }) => described),
]

type Definition = {
  readonly name: string
  readonly description: string
  readonly chainAlias: PrimaryLakeChain
  readonly columns: readonly PrimaryColumn[]
  /** The store's rows of a chain that meet a condition. */
  readonly query: (chain: number, condition: string) => string
  /** The condition that selects the store's rows that the lake lacks. */
  readonly lacked: (sealed: SealedChain | undefined) => string
  /** The order of the rows, if it is not that of the key of exports. */
  readonly order?: string
  /** What the lake's rows are selected from. */
  readonly from: (sealed: SealedChain, coverage: PrimaryCoverage) => string
  readonly also?: StoreTable
}

const keys: Readonly<Record<string, readonly string[]>> = primaryExportKeys

/** A table by what the lake and the store have of it. */
export function defined(definition: Definition): PrimaryTable {
  const { name, description, chainAlias, columns, query, lacked, from, also } = definition
  const order = definition.order ?? keys[name]?.join(', ')
  const ordered = (of: PrimaryNetwork, condition: string): string =>
    `${query(primaryChainKey(of, primaryAliasOf[chainAlias]), condition)} order by ${order}`
  return {
    name,
    chainAlias,
    group: 'Primary network',
    description,
    columns: networkAnd(columns),
    rows: (source) =>
      storeRows(source, columns, (coverage) => ordered(coverage.network, lacked(coverage[chainAlias]))),
    stored: (sql, of, condition, limit) =>
      storeRows({ sql, primary: [of] }, columns, () => `${ordered(of.network, condition)} limit ${limit}`),
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
