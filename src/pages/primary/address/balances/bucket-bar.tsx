import { exactAmount } from '../../../../lib/amounts.ts'
import { buckets, shares, type BucketId, type BucketRow } from './buckets.ts'

const places = new Map<BucketId, number>(buckets.map(({ id }, index) => [id, index]))

/** The colour of a bucket, the same on every page. */
export const bucketColour = (id: BucketId): string => `var(--color-series-${(places.get(id) ?? 0) + 1})`

const labelOf = (id: BucketId): string => buckets[places.get(id) ?? 0]?.label ?? id

type Props = {
  /** The name of the bar: “Now”. */
  name: string
  rows: readonly BucketRow[]
  /** The amount of the whole width, so that two bars are comparable. */
  whole: bigint
  decimals: number
  symbol: string
}

/** The buckets at one time as one bar; non-empty parts have a minimum width. */
export function BucketBar({ name, rows, whole, decimals, symbol }: Props) {
  const parts = shares(rows, whole)
  const amountOf = (id: BucketId): string =>
    `${exactAmount(rows.find((row) => row.id === id)?.total.amount ?? 0n, decimals)} ${symbol}`
  const words = parts.map(({ id }) => `${labelOf(id)} ${amountOf(id)}`).join(', ')
  return (
    <>
      <span className="sr-only">{`${name}: ${words || 'nothing'}`}</span>
      <div aria-hidden="true" className="flex h-5 w-full gap-px overflow-hidden rounded-small bg-hover">
        {parts.map(({ id, share }) => (
          <span
            key={id}
            title={`${labelOf(id)}: ${amountOf(id)}`}
            className="block h-full"
            style={{ background: bucketColour(id), flex: `0 1 ${share * 100}%`, minWidth: 3 }}
          />
        ))}
      </div>
    </>
  )
}
