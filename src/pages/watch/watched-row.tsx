import { createContext, useContext, useEffect, type ReactNode } from 'react'
import { useStore } from '../../components/hooks.ts'
import { CloseIcon } from '../../components/icons.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { toggleWatched, watchKey, watchList, type Watched } from '../../lib/storage/watch-list.ts'
import { recordReading, visits } from '../../lib/storage/watch-visits.ts'
import { Button } from '../../components/controls.tsx'
import { changeOf, exactFigure, formatFigure, type WatchedFigure } from './figure-change.ts'

/** The columns of a row and of the labels above the rows. */
export const rowGrid =
  'grid items-baseline gap-x-4 xl:grid-cols-[minmax(0,18rem)_repeat(4,minmax(0,1fr))_1.75rem]'

type Answer = { readonly error: Error | null; readonly dataUpdatedAt: number }

type Props = {
  readonly entry: Watched
  readonly name: ReactNode
  /** The name of the chain or network. */
  readonly place: string
  readonly figures: readonly WatchedFigure[]
  /** The requests that the figures come from. */
  readonly answers: readonly Answer[]
}

function Value({ form, value }: WatchedFigure) {
  if (value === undefined) return <Skeleton width={64} />
  if (value === null) return <span className="text-muted">–</span>
  if (form.kind === 'time') return <TimeAgo at={Number(value)} />
  return <span title={exactFigure(form, value)}>{formatFigure(form, value)}</span>
}

/** Stores the figures once all of them have come, to be compared with on the next visit. */
function useReading(entry: Watched, figures: Props['figures'], answers: Props['answers']): void {
  const key = watchKey(entry)
  const complete =
    answers.every(({ error }) => error === null) && figures.every(({ value }) => value !== undefined)
  const known = figures.flatMap(({ label, form, value }) =>
    value == null || (form.kind === 'amount' && form.falls) ? [] : [[label, value] as const],
  )
  const text = complete ? JSON.stringify(known) : undefined
  const at = Math.floor(Math.max(0, ...answers.map(({ dataUpdatedAt }) => dataUpdatedAt)) / 1000)
  useEffect(() => {
    if (text === undefined) return
    const read = Object.fromEntries(JSON.parse(text) as [string, string][])
    recordReading(key, { at, figures: read }, new Set(watchList.get().map(watchKey)))
  }, [key, text, at])
}

/** Tells the list that a row's figures could not be loaded, or, without an error, that they were. */
export const ReportFailure = createContext<(key: string, error: Error | undefined) => void>(() => undefined)

/** A watched entry: its name and place, its figures, and beneath each what changed since the visit before. */
export function WatchedRow({ entry, name, place, figures, answers }: Props): ReactNode {
  useReading(entry, figures, answers)
  const before = useStore(visits, (all) => all[watchKey(entry)]?.before)
  const failed =
    (figures.some(({ value }) => value === undefined) &&
      answers.find(({ error }) => error !== null)?.error) ||
    undefined
  const report = useContext(ReportFailure)
  const key = watchKey(entry)
  useEffect(() => {
    report(key, failed)
    return () => report(key, undefined)
  }, [report, key, failed])
  return (
    <div className={`${rowGrid} relative`}>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 pr-9 xl:pr-0">
        {name}
        <span className="text-xs text-muted">{place}</span>
      </div>
      {failed ? (
        <p className="text-xs text-muted xl:col-span-4 xl:text-right">not loaded</p>
      ) : (
        <dl className="grid grid-cols-2 gap-x-4 md:grid-cols-4 max-xl:pt-1 xl:col-span-4 xl:grid-cols-subgrid">
          {figures.map((figure) => {
            const { label, form, value } = figure
            const old = before?.figures[label]
            const change = old === undefined || value == null ? undefined : changeOf(form, old, value)
            return (
              <div key={label} className="min-w-0 xl:text-right">
                <dt className="text-xs text-muted xl:sr-only">{label}</dt>
                <dd className="wrap-anywhere">
                  <Value {...figure} />
                  {change !== undefined && (
                    <span className="block text-xs font-strong text-accent">
                      <span className="sr-only">since your last visit </span>
                      {change}
                    </span>
                  )}
                </dd>
              </div>
            )
          })}
        </dl>
      )}
      <Button
        small
        className="border-transparent max-xl:absolute max-xl:top-0 max-xl:right-0 xl:-my-1 xl:self-start"
        aria-label={`Unwatch ${entry.id}`}
        title="Unwatch"
        onClick={() => toggleWatched(entry)}
      >
        <CloseIcon size={12} />
      </Button>
    </div>
  )
}
