import type { ReactNode } from 'react'
import type { RankedContract, RankedMethod, RankedToken } from '../../../../contract/metrics/rankings.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { column, countColumn, textColumn } from '../../../components/table/column-kinds.tsx'
import type { Column, NarrowPlace } from '../../../components/table/columns.ts'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { shortText } from '../../../../charts/series/units.ts'
import { methodLabel, plural } from '../../../lib/text.ts'
import { shareOf, shareText } from './shares.ts'

type Count<Row> = (row: Row) => string

type BarOptions<Row> = {
  readonly id: string
  readonly header: string
  /** The unit of the counts, shown in layouts without headings, and its plural. */
  readonly noun: string
  readonly nouns: string
  readonly value: Count<Row>
  readonly rows: readonly Row[]
  /** The total count, for each row's share. */
  readonly total: string
  readonly narrow?: NarrowPlace
}

/** A count with its share of everything, over a thin bar that is a part of the largest row's. */
function barColumn<Row>({
  id,
  header,
  noun,
  nouns,
  value,
  rows,
  total,
  narrow,
}: BarOptions<Row>): Column<Row> {
  const max = rows.reduce((highest, row) => (BigInt(value(row)) > highest ? BigInt(value(row)) : highest), 0n)
  const cell = (row: Row): ReactNode => {
    const count = value(row)
    const share = shareOf(count, total)
    const unit = plural(BigInt(count), noun, nouns)
    return (
      <span
        className={`relative flex min-w-0 items-baseline justify-end gap-2 ${narrow === 'below' ? 'max-md:justify-start' : ''}`}
        title={`${formatInteger(count)} ${unit}`}
      >
        <span
          className="absolute -bottom-1 right-0 h-[3px] rounded-full bg-series-1 opacity-60 max-md:hidden"
          style={{ width: `${shareOf(count, max.toString()) ?? 0}%` }}
          aria-hidden="true"
        />
        <span className="relative md:pl-1">
          {count.length > 9 ? shortText(Number(count)) : formatInteger(count)}
          <span className="md:hidden"> {unit}</span>
        </span>
        {share !== undefined && (
          <span className="relative w-14 shrink-0 pr-1 text-xs text-muted max-md:hidden">
            {shareText(share)}
          </span>
        )}
      </span>
    )
  }
  return { id, header, align: 'right', cell, text: value, ...(narrow !== undefined && { narrow }) }
}

type Calls = Pick<RankedContract, 'transactionCount' | 'failedCount' | 'gasUsed' | 'callerCount' | 'feesPaid'>
type Totals = { readonly transactionCount: string; readonly gasUsed: string }

function callColumns<Row extends Calls>(rows: readonly Row[], totals: Totals): Column<Row>[] {
  return [
    barColumn({
      id: 'gasUsed',
      header: 'Gas used',
      noun: 'gas',
      nouns: 'gas',
      value: (row) => row.gasUsed,
      rows,
      total: totals.gasUsed,
      narrow: 'side',
    }),
    barColumn({
      id: 'transactionCount',
      header: 'Calls',
      noun: 'call',
      nouns: 'calls',
      value: (row) => row.transactionCount,
      rows,
      total: totals.transactionCount,
      narrow: 'below',
    }),
    countColumn('callerCount', 'Callers', (row) => row.callerCount, {
      noun: 'caller',
      width: '110px',
      narrow: 'belowSide',
    }),
    column(
      'failedCount',
      'Failed',
      (row: Row) => row.failedCount,
      {
        // A quarter of the calls is worth a look.
        show: (count, { transactionCount }) => (
          <span
            className={
              count === '0'
                ? 'text-muted'
                : BigInt(count) * 4n >= BigInt(transactionCount)
                  ? 'font-strong text-bad'
                  : ''
            }
          >
            {formatInteger(count)}
          </span>
        ),
      },
      { align: 'right', width: '100px' },
    ),
  ]
}

/** The columns of the contracts. */
export const contractColumns = (
  chain: ChainFacts,
  rows: readonly RankedContract[],
  totals: Totals,
): Column<RankedContract>[] => [
  {
    id: 'contract',
    header: 'Contract',
    always: true,
    narrow: 'title',
    cell: ({ contract }) => <Address {...contract} chainId={chain.chainId} beside />,
    text: ({ contract }) => contract.address,
  },
  ...callColumns(rows, totals),
]

/** The columns of the methods. */
export const methodColumns = (rows: readonly RankedMethod[], totals: Totals): Column<RankedMethod>[] => [
  {
    id: 'method',
    header: 'Method',
    always: true,
    narrow: 'title',
    cell: ({ methodName, methodHash }) => (
      <span className="inline-flex max-w-full min-w-0 items-baseline gap-2" title={methodName ?? methodHash}>
        <span className="min-w-0 truncate font-strong">{methodLabel(methodName, methodHash)}</span>
        {methodName !== undefined && (
          <span className="font-mono text-xs text-muted max-md:hidden">{methodHash}</span>
        )}
      </span>
    ),
    text: ({ methodName, methodHash }) => methodName ?? methodHash,
  },
  ...callColumns(rows, totals),
  countColumn('contractCount', 'Contracts', (row) => row.contractCount, { width: '110px' }),
]

/** The columns of the tokens. */
export const tokenColumns = (
  chain: ChainFacts,
  rows: readonly RankedToken[],
  totals: { readonly transferCount: string },
): Column<RankedToken>[] => [
  {
    id: 'token',
    header: 'Token',
    always: true,
    narrow: 'title',
    cell: ({ token }) => <TokenName {...token} chainId={chain.chainId} />,
    text: ({ token }) => token.address,
  },
  textColumn('kind', 'Kind', ({ ercType }) => ercType, { width: '104px' }),
  barColumn({
    id: 'transferCount',
    header: 'Transfers',
    noun: 'transfer',
    nouns: 'transfers',
    value: (row) => row.transferCount,
    rows,
    total: totals.transferCount,
    narrow: 'side',
  }),
  countColumn('holderCount', 'Active holders', ({ holderCount }) => holderCount, {
    noun: 'active holder',
    width: '140px',
    narrow: 'below',
  }),
]
