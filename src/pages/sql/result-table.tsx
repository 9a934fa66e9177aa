import { useMemo, type ReactNode } from 'react'
import type { SqlColumn } from '../../../contract/sql/sql.ts'
import type { SqlResult } from '../../api/sql/sql.ts'
import { Decimal } from '../../components/amount.tsx'
import type { Column, NarrowPlace } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { faceOf } from '../../lib/text.ts'

type Row = { readonly key: string; readonly values: readonly unknown[] }

const isNumber = (type: string): boolean => /INT|DECIMAL|DOUBLE|FLOAT/.test(type) && !/\[/.test(type)

/** A value as text: what the engine sent, lists and structs as JSON. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

const midnight = / 00:00:00$/

/** A value for reading: thousands are separated in numbers of every type, and days have no time. */
function shownText(text: string, { type, isDay }: { type: string; isDay: boolean }): string {
  if (isDay) return text.replace(midnight, '')
  const [, sign = '', digits, rest = ''] = (isNumber(type) && /^(-?)(\d+)(\.\d+)?$/.exec(text)) || []
  return digits === undefined ? text : `${sign}${formatInteger(BigInt(digits))}${rest}`
}

/** Rows of a phone have no headings above them: there each value has its name. */
function valueCell(value: unknown, column: SqlColumn & { isDay: boolean }, narrow?: NarrowPlace): ReactNode {
  const { name } = column
  const named = <span className="pr-1.5 text-xs text-muted md:hidden">{name}</span>
  if (value === null)
    return (
      <span className="text-muted">
        {named}
        null
      </span>
    )
  const text = textOf(value)
  return (
    <span
      // At most about half of a phone, so that a hash does not push the value beside it out.
      className={`block truncate ${faceOf(text)} ${narrow === 'side' || narrow === 'belowSide' ? 'max-md:max-w-[44vw]' : ''}`}
      title={text}
    >
      {named}
      {isNumber(column.type) ? <Decimal text={shownText(text, column)} /> : shownText(text, column)}
    </span>
  )
}

const narrowPlaces: readonly NarrowPlace[] = ['title', 'side', 'below', 'belowSide']

function columnOf(given: SqlColumn, place: number, rows: SqlResult['rows']): Column<Row> {
  const { name, type } = given
  const isDay =
    type.startsWith('TIMESTAMP') &&
    rows.every((row) => row[place] === null || midnight.test(textOf(row[place])))
  const column = { ...given, isDay }
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
  const columns = useMemo(() => given.map((column, place) => columnOf(column, place, rows)), [given, rows])
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
