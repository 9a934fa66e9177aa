import { useRef, useState, type ReactNode } from 'react'
import { Term } from '../../../../components/glossary/term.tsx'
import { Amount } from '../../../../components/amount.tsx'
import { Button } from '../../../../components/controls.tsx'
import { useAlignedDecimals } from '../../../../components/table/aligned-decimals.ts'
import { formatInteger, formatShare } from '../../../../lib/amounts.ts'
import { chainLabel } from '../../../../lib/primary-chains.ts'
import { primaryChainAliases } from '../../../../../contract/primary/chains.ts'
import { plural } from '../../../../lib/text.ts'
import { bucketColour } from './bucket-bar.tsx'
import { buckets, totalOf, type BucketId, type BucketRow } from './buckets.ts'

type Unit = { decimals: number; symbol: string }

type Column = {
  header: string
  /** The breakpoint from which the column is shown. */
  from?: 'md' | 'lg'
  cell: (row: BucketRow) => ReactNode
  foot: ReactNode
}

const hiding = { md: 'max-md:hidden', lg: 'max-lg:hidden' } as const
const hide = ({ from }: Column): string => (from ? hiding[from] : '')

function Change({ value, decimals }: { value: bigint; decimals: number }) {
  if (value === 0n) return <span className="text-muted">none</span>
  return (
    <span className={value > 0n ? 'text-ok' : ''}>
      {value > 0n && '+'}
      <Amount value={value} decimals={decimals} />
    </span>
  )
}

/** A part in percent; a small one of something never reads as nothing. */
function shareText(amount: bigint, total: bigint): string {
  const share = formatShare(amount, total)
  return share === '0.0' ? '< 0.1 %' : `${share} %`
}

/** The amounts by chain and in total. */
function chainColumns(rows: readonly BucketRow[], { decimals, symbol }: Unit): Column[] {
  const total = totalOf(rows)
  return [
    ...primaryChainAliases.map((chain): Column => ({
      header: chainLabel(chain) ?? chain,
      from: 'lg',
      cell: (row) => <Amount value={row.chains[chain].amount} decimals={decimals} />,
      foot: (
        <Amount value={rows.reduce((sum, row) => sum + row.chains[chain].amount, 0n)} decimals={decimals} />
      ),
    })),
    {
      header: `Total, ${symbol}`,
      cell: (row) => (
        <>
          <Amount value={row.total.amount} decimals={decimals} />
          <span className="block text-xs text-muted lg:hidden">
            {primaryChainAliases
              .filter((chain) => row.chains[chain].amount > 0n)
              .map((chain) => chainLabel(chain))
              .join(', ')}
          </span>
        </>
      ),
      foot: <Amount value={total} decimals={decimals} />,
    },
    {
      header: 'Share',
      from: 'md',
      cell: ({ total: { amount } }) =>
        amount === 0n ? <span className="text-muted">–</span> : shareText(amount, total),
      foot: '',
    },
    {
      header: 'UTXOs',
      from: 'md',
      cell: ({ total: { utxoCount } }) =>
        utxoCount === 0 ? <span className="text-muted">0</span> : formatInteger(utxoCount),
      foot: formatInteger(rows.reduce((sum, row) => sum + row.total.utxoCount, 0)),
    },
  ]
}

/** The amounts at two times. */
function momentColumns(
  rows: readonly BucketRow[],
  before: readonly BucketRow[],
  names: { now: string; old: string },
  { decimals }: Unit,
): Column[] {
  const old = new Map(before.map((row) => [row.id, row.total.amount]))
  const [total, oldTotal] = [totalOf(rows), totalOf(before)]
  return [
    {
      header: names.old,
      from: 'md',
      cell: (row) => <Amount value={old.get(row.id) ?? 0n} decimals={decimals} />,
      foot: <Amount value={oldTotal} decimals={decimals} />,
    },
    {
      header: names.now,
      cell: (row) => <Amount value={row.total.amount} decimals={decimals} />,
      foot: <Amount value={total} decimals={decimals} />,
    },
    {
      header: 'Difference',
      cell: (row) => <Change value={row.total.amount - (old.get(row.id) ?? 0n)} decimals={decimals} />,
      foot: <Change value={total - oldTotal} decimals={decimals} />,
    },
  ]
}

function BucketName({ id }: { id: BucketId }) {
  const bucket = buckets.find((one) => one.id === id)
  return (
    <span className="flex items-baseline gap-2">
      <span
        className="size-2.5 shrink-0 rounded-[2px]"
        style={{ background: bucketColour(id) }}
        aria-hidden="true"
      />
      <span>
        {bucket?.label}
        {bucket && 'term' in bucket && <Term word={bucket.term} />}
        <span className="block text-xs text-muted">{bucket?.help}</span>
      </span>
    </span>
  )
}

type Props = {
  rows: readonly BucketRow[]
  /** The buckets at the other time, in a comparison. */
  before: readonly BucketRow[] | undefined
  /** The headings of the two times. */
  names: { now: string; old: string }
  unit: Unit
}

const head = 'h-9 pl-2 text-xs font-normal whitespace-nowrap text-muted md:px-3 md:last:pr-0'
const cell = 'py-2 pl-2 text-right align-top whitespace-nowrap md:px-3 md:last:pr-0'

/** The buckets with their meanings: by chain, or at two times. Those that are empty at all times shown are folded away. */
export function BucketTable({ rows, before, names, unit }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const table = useRef<HTMLTableElement>(null)
  useAlignedDecimals(table)
  const columns = before ? momentColumns(rows, before, names, unit) : chainColumns(rows, unit)
  const holds = (all: readonly BucketRow[] | undefined, id: BucketId): boolean =>
    all?.some((row) => row.id === id && row.total.amount > 0n) ?? false
  const filled = rows.filter(({ id }) => holds(rows, id) || holds(before, id))
  const emptyCount = rows.length - filled.length
  return (
    <>
      <table
        ref={table}
        className="w-full border-collapse"
        aria-label={`What of the ${unit.symbol} can be spent, and when`}
      >
        <thead className="shadow-[inset_0_-1px_0_var(--color-line)]">
          <tr>
            <th scope="col" className={`${head} pl-0! text-left`}>
              State
            </th>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={`${head} text-right ${hide(column)}`}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(showsAll ? rows : filled).map((row) => (
            <tr key={row.id} className="border-b border-line">
              <th scope="row" className="py-2 pr-3 text-left font-normal">
                <BucketName id={row.id} />
              </th>
              {columns.map((column) => (
                <td key={column.header} className={`${cell} ${hide(column)}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot className="font-strong">
          <tr>
            <th scope="row" className="py-2 pr-3 text-left">
              All
            </th>
            {columns.map((column) => (
              <td key={column.header} className={`${cell} ${hide(column)}`}>
                {column.foot}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {emptyCount > 0 && (
        <Button small className="mt-3" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide empty states' : `Show ${emptyCount} empty ${plural(emptyCount, 'state')}`}
        </Button>
      )}
    </>
  )
}
