import type { ReactNode } from 'react'
import { Sparkline } from '../../components/charts/sparkline.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { inWords } from '../../components/states.tsx'

export type Headline = {
  readonly label: string
  /** Undefined while it loads; null when it is not known. */
  readonly value: ReactNode
  /** Below the value, a line each: what it counts, and its change. */
  readonly notes: readonly ReactNode[]
  readonly title?: string | undefined
  readonly error?: Error | null | undefined
  /** The last 30 days, oldest first; undefined while they load, absent without any. */
  readonly spark?: {
    readonly values: readonly number[] | undefined
    readonly label: string
    /** A level, whose line does not start at 0. */
    readonly isLevel?: boolean
  }
}

function Value({ value, error }: Headline): ReactNode {
  if (value !== undefined) return value ?? '–'
  if (!error) return <Skeleton width={104} height={22} />
  return inWords('not known', error.message)
}

/**
 * The figures that a page leads with: large, each with its change and the course of its last 30 days. They keep their
 * size while they load. Below 768 px there are two beside each other, and on the narrowest screens one with its course
 * beside it.
 */
export function Headlines({ figures }: { figures: readonly Headline[] }): ReactNode {
  // Said once: figures mostly fail together.
  const failed = figures.filter(({ value, error }) => value === undefined && error)
  return (
    <dl
      aria-label="Key figures"
      className="grid grid-cols-2 border-y border-line max-md:gap-x-4 max-[359px]:grid-cols-1 md:grid-cols-3 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none"
    >
      {figures.map((figure) => (
        <div
          key={figure.label}
          title={figure.title}
          className="relative flex min-w-0 flex-col gap-0.5 border-line py-3 max-md:nth-[n+3]:border-t max-[359px]:nth-2:border-t md:px-4 md:max-xl:nth-[3n+1]:pl-0 md:max-xl:nth-[n+4]:border-t xl:border-l xl:first:border-l-0 xl:first:pl-0"
        >
          <dt className="truncate text-xs text-muted">{figure.label}</dt>
          <dd className="flex min-h-7 min-w-0 items-center text-h1 font-strong wrap-anywhere">
            <Value {...figure} />
          </dd>
          <dd className="min-h-8 text-xs text-muted">
            {(failed.includes(figure)
              ? failed[0] === figure
                ? ['could not be loaded']
                : []
              : figure.notes
            ).map((note, place) => (
              <span key={place} className="block">
                {note}
              </span>
            ))}
          </dd>
          <dd className="h-7 max-[359px]:absolute max-[359px]:top-8 max-[359px]:right-0 max-[359px]:w-28">
            {figure.spark && (
              <Sparkline
                {...figure.spark}
                values={figure.spark.values ?? []}
                colour="var(--color-accent)"
                width={160}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
