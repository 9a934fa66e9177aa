import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

export type Figure = {
  label: string
  /** Undefined while loading; null when there is none. */
  value: ReactNode
  note?: ReactNode
  title?: string
}

/** A strip of three to six figures. It keeps its size while they load. */
export function Figures({ figures, label = 'Key figures' }: { figures: readonly Figure[]; label?: string }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-2 border-y border-line md:grid-cols-3 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none"
    >
      {figures.map((figure) => (
        <div
          key={figure.label}
          className="flex min-w-0 flex-col gap-0.5 border-line px-4 py-3 first:pl-0 max-md:border-t max-md:nth-[-n+2]:border-t-0 max-md:odd:pl-0 md:max-xl:nth-[3n+1]:pl-0 md:max-xl:nth-[n+4]:border-t xl:border-l xl:first:border-l-0"
          title={figure.title}
        >
          <dt className="truncate text-xs text-muted">{figure.label}</dt>
          <dd className="flex min-h-6 min-w-0 items-center text-h2 font-strong wrap-anywhere">
            {figure.value === undefined ? <Skeleton width={96} height={18} /> : (figure.value ?? '–')}
          </dd>
          <dd className="h-4 truncate text-xs text-muted">{figure.note}</dd>
        </div>
      ))}
    </dl>
  )
}
