import { columnTypes } from '../lake/tables.ts'
import { columnsOf, type ColumnKind } from '../store/columns.ts'
import { evmTableNames, evmTables } from '../store/evm/columns.ts'

/**
 * The tables of EVM chains as statements see them (docs/sql.md). Their rows come from the lake's files and, above the
 * sealed ranges, from the store. Both have the columns of the catalogue; `viewColumns` makes of them what analysts expect: the
 * chain, the time as a timestamp, and amounts as numbers.
 */
export type ShownTable = Exclude<keyof typeof evmTables, 'withdrawals'>
export const shownTables = evmTableNames.filter(
  (name): name is ShownTable => 'description' in evmTables[name],
)

/** A column: its name and DuckDB's type. */
export type Column = { readonly name: string; readonly type: string }
export type DescribedColumn = Column & { readonly description: string }

/** The columns of a table that SQL and exports show, with the lake's types. */
export const sharedColumns = (table: ShownTable): (DescribedColumn & { readonly kind: ColumnKind })[] =>
  columnsOf(evmTables[table]).flatMap(({ name, kind, meaning }) =>
    meaning === undefined ? [] : [{ name, kind, type: columnTypes[kind], description: meaning }],
  )

/** An amount as a number of 128 bits with sign: sums of it stay exact, and text of larger ones is kept beside it. */
export const numeric = 'HUGEINT'

/** Of a column of Unix seconds, the timestamp: its name, its type, and the expression over the lake's column. */
export const timeOf = (name: string, description: string): DescribedColumn & { readonly lake: string } => ({
  name: name.replace(/ts$/, 'time'),
  type: 'TIMESTAMP',
  description: description.startsWith('Unix seconds')
    ? `${description.slice('Unix seconds '.length)}${description === 'Unix seconds' ? '' : ', '}UTC`
    : description,
  lake: `make_timestamp("${name}" * 1000000)`,
})

type ViewColumn = DescribedColumn & { readonly expression: string }

function viewColumns(table: ShownTable): ViewColumn[] {
  return sharedColumns(table).flatMap(({ name, kind, type, description }): ViewColumn[] => {
    const quoted = `"${name}"`
    const plain = { name, type, description, expression: quoted }
    if (kind === 'seconds') {
      const { lake: expression, ...time } = timeOf(name, description)
      return [{ ...time, expression }, plain]
    }
    if (kind !== 'amount' || name === 'token_id') return [plain]
    const number = { ...plain, type: numeric, expression: `try_cast(${quoted} as ${numeric})` }
    if (table !== 'token_transfers') return [number]
    const text = { name: `${name}_text`, type, description: 'the same, exact at any size' }
    return [number, { ...text, expression: quoted }]
  })
}

/** The columns of a table in order, as statements see them. */
export function describedColumns(table: ShownTable): DescribedColumn[] {
  const chain = { name: 'chain', type: 'BIGINT', description: 'the EVM chain id' }
  return [chain, ...viewColumns(table).map(({ name, type, description }) => ({ name, type, description }))]
}

/**
 * The definition of a table's view over the files of the lake, by chain, and the table that holds the rows of the
 * store, which has the chain as a column.
 */
export function viewOf(
  table: ShownTable,
  lake: readonly { readonly chain: number; readonly from: string }[],
  live: string,
): string {
  const columns = viewColumns(table)
    .map(({ name, expression }) => `${expression} as "${name}"`)
    .join(', ')
  const sealed = lake.map(({ chain, from }) => `select ${chain}::BIGINT as chain, ${columns} from ${from}`)
  return `create view ${table} as ${[...sealed, `select chain, ${columns} from ${live}`].join(' union all ')}`
}
