import { useMemo, type ReactNode } from 'react'
import type { SqlColumn } from '../../../contract/sql/sql.ts'
import type { SqlResult } from '../../api/sql/sql.ts'
import type { Column, NarrowPlace } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { formatInteger } from '../../lib/amounts.ts'

type Row = { readonly key: string; readonly values: readonly unknown[] }

const isNumber = (type: string): boolean => /INT|DECIMAL|DOUBLE|FLOAT/.test(type) && !/\[/.test(type)

/** A value as text: what the engine sent, lists and structs as JSON. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Rows of a phone have no headings above them: there each value has its name. */
function valueCell(value: unknown, { name, type }: SqlColumn, narrow?: NarrowPlace): ReactNode {
  const named = <span className="pr-1.5 text-xs text-muted md:hidden">{name}</span>
  if (value === null)
    return (
      <span className="text-muted">
        {named}
        null
      </span>
    )
  const text = textOf(value)
  const whole = /^-?\d+$/.test(text) && isNumber(type)
  return (
    <span
      // At most about half of a phone, so that a hash does not push the value beside it out.
      className={`block truncate font-mono text-mono ${narrow === 'side' || narrow === 'belowSide' ? 'max-md:max-w-[44vw]' : ''}`}
      title={text}
    >
      {named}
      {whole ? formatInteger(BigInt(text)) : text}
    </span>
  )
}

const narrowPlaces: readonly NarrowPlace[] = ['title', 'side', 'below', 'belowSide']

function columnOf(column: SqlColumn, place: number): Column<Row> {
  const { name, type } = column
  const narrow = narrowPlaces[place]
  return {
    // The table remembers hidden columns by these, so they say what they are.
    id: `${place} ${name}`,
    header: name,
    cell: ({ values }) => valueCell(values[place], column, narrow),
    text: ({ values }) => (values[place] === null ? '' : textOf(values[place])),
    ...(isNumber(type) && { align: 'right' as const }),
    ...(narrow && { narrow }),
  }
}

/** The rows of a result as a table. */
export function ResultTable({ result, more }: { result: SqlResult; more: ReactNode }) {
  const { columns: given, rows } = result
  const columns = useMemo(() => given.map(columnOf), [given])
  return (
    <WholeTable
      id="sql"
      label="Result"
      noun="row"
      columns={columns}
      rows={rows.map((values, index): Row => ({ key: String(index), values }))}
      rowKey={({ key }) => key}
      tools={
        <>
          {more}
          {given.length > narrowPlaces.length && (
            <span className="text-xs text-muted md:hidden">
              The first {narrowPlaces.length} of {given.length} columns: a wider window shows all
            </span>
          )}
        </>
      }
    />
  )
}
