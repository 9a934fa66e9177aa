import type { CompletionSource } from '@codemirror/autocomplete'
import { PostgreSQL, sql, SQLDialect, type SQLNamespace } from '@codemirror/lang-sql'
import { useMemo } from 'react'
import type { SqlTables } from '../../api/sql/sql.ts'
import { CodeEditor } from '../../components/code-editor.tsx'

type Props = {
  value: string
  tables: SqlTables['tables']
  onChange: (sql: string) => void
  onRun: () => void
  /** What a screen reader adds to the name of the field. */
  description: string
  /** The wrong part of the statement, as offsets in it. */
  mark: { readonly from: number; readonly to: number } | undefined
}

/** The words of a SELECT in DuckDB's SQL, without those of statements that change something. */
const duckDb = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords:
    'all and as asc between by case cross desc distinct else end exists filter first following from full group ' +
    'having in inner interval is join last lateral left like ilike limit not null nulls offset on or order outer ' +
    'over partition preceding qualify range right rows select then unbounded union unpivot pivot using values when ' +
    'where window with true false',
  builtin:
    'abs approx_count_distinct arg_max arg_min avg cast coalesce count date_diff date_trunc dense_rank epoch ' +
    'first_value floor greatest lag last_value lead least len list lower max median min quantile_cont rank ' +
    'regexp_matches replace round row_number strftime sum time_bucket to_timestamp trim try_cast unnest upper',
})

type Table = SqlTables['tables'][number]

const columnsOf = ({ name, columns }: Table) =>
  columns.map((column) => ({ label: column.name, type: 'property', detail: `${column.type} of ${name}` }))

/** The columns of the tables that the statement names, without their table before them. */
function namedColumns(tables: readonly Table[]): CompletionSource {
  return (context) => {
    const word = context.matchBefore(/[a-z_]\w*/i)
    if (word === null && !context.explicit) return null
    const text = context.state.doc.toString()
    const named = tables.filter(({ name }) => new RegExp(String.raw`\b${name}\b`, 'i').test(text))
    return { from: word?.from ?? context.pos, options: named.flatMap(columnsOf), validFor: /^\w*$/ }
  }
}

/** The field for a statement, with the columns, tables and functions that it may use as completions. */
export function Editor({ value, tables, onChange, onRun, description, mark }: Props) {
  const language = useMemo(() => {
    const schema: SQLNamespace = Object.fromEntries(
      tables.map((table) => [
        table.name,
        { self: { label: table.name, type: 'type', detail: 'table' }, children: columnsOf(table) },
      ]),
    )
    return [sql({ dialect: duckDb, schema }), duckDb.language.data.of({ autocomplete: namedColumns(tables) })]
  }, [tables])
  return (
    <CodeEditor
      label="SQL"
      description={description}
      value={value}
      onChange={onChange}
      onRun={onRun}
      language={language}
      isWrong={mark !== undefined}
      mark={mark}
      className="h-44"
    />
  )
}
