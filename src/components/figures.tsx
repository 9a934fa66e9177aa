import type { ReactNode } from 'react'
import { inSentence } from '../lib/text.ts'
import { CopyButton } from './copy-button.tsx'
import { inWords } from './states.tsx'
import { Skeleton } from './skeleton.tsx'

export type Figure = {
  label: string
  /** Undefined while it loads, or when it could not be loaded; null when there is none. */
  value: ReactNode
  /** Why the value failed to load: the figure then shows that it is unknown, which differs from "none". */
  error?: Error | null | undefined
  /** Its line is kept while it is undefined; a figure without the property has none. */
  note?: ReactNode
  title?: string
  /** The exact value, which a button beside it copies. */
  copy?: string
}

/** Figures that load: the place of a strip, with its labels. */
export const loadingFigures = (...labels: readonly string[]): Figure[] =>
  labels.map((label) => ({ label, value: undefined, note: undefined }))

/** Why a figure failed, in a few words; the fields are those of an error of the service. */
const whyNot = ({ status, behind }: Error & { status?: number; behind?: string | undefined }): string =>
  behind ? 'not indexed yet' : status === 501 ? 'not offered here' : 'could not be loaded'

function Value({ value, error }: Pick<Figure, 'value' | 'error'>) {
  if (value !== undefined) return value ?? '–'
  if (!error) return <Skeleton width={96} height={18} />
  return inWords('not known', error.message)
}

/**
 * A strip of three to six figures. It keeps its size while they load. Below 768 px each figure is a line with its
 * label on the left and its value on the right.
 */
export function Figures({ figures, label = 'Key figures' }: { figures: readonly Figure[]; label?: string }) {
  const failed = figures.filter(({ value, error }) => value === undefined && error)
  return (
    <dl
      aria-label={label}
      className="grid border-y border-line md:grid-cols-3 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none"
    >
      {figures.map((figure) => (
        <div
          key={figure.label}
          className="group min-w-0 gap-x-3 gap-y-0.5 border-line max-md:grid max-md:grid-cols-[minmax(88px,1fr)_auto] max-md:min-h-12 max-md:border-t max-md:py-1.5 max-md:first:border-t-0 md:flex md:flex-col md:px-4 md:py-3 md:first:pl-0 md:max-xl:nth-[3n+1]:pl-0 md:max-xl:nth-[n+4]:border-t xl:border-l xl:first:border-l-0"
          title={figure.title}
        >
          {/* On a phone a label without a note stands on the line of its value, before that comes as after it. */}
          <dt
            className={`text-xs text-muted md:truncate ${'note' in figure ? '' : 'max-md:[grid-area:1/1/3/2] max-md:self-center'}`}
          >
            {figure.label}
          </dt>
          <dd className="flex min-h-6 min-w-0 items-center text-h2 font-strong wrap-anywhere max-md:col-start-2 max-md:row-span-2 max-md:row-start-1 max-md:self-center max-md:text-right">
            <Value {...figure} />
            {figure.copy !== undefined && (
              <span className="ml-1 inline-flex w-0 overflow-visible opacity-0 group-hover:opacity-100 focus-within:opacity-100 max-md:hidden">
                <CopyButton text={figure.copy} name={`exact value of ${inSentence(figure.label)}`} />
              </span>
            )}
          </dd>
          <dd className="min-h-4 text-xs text-muted max-md:col-start-1 max-md:row-start-2 md:truncate">
            {/* Said once: figures mostly fail together. */}
            {failed.includes(figure)
              ? failed[0] === figure && figure.error && whyNot(figure.error)
              : figure.note}
          </dd>
        </div>
      ))}
    </dl>
  )
}
