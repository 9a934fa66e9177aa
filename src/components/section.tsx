import { useId, type ReactNode } from 'react'
import { Boundary } from './part.tsx'

type SectionProps = {
  title: string
  note?: ReactNode
  actions?: ReactNode
  /** A part that a page may show several times: its title names no landmark, which must be unique. */
  repeats?: boolean
  children: ReactNode
}

/** A titled part of a page, with an error boundary of its own. */
export function Section({ title, note, actions, repeats = false, children }: SectionProps) {
  const id = useId()
  return (
    <section role={repeats ? 'group' : undefined} aria-labelledby={id} className="flex min-w-0 flex-col">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 pb-2">
        <h2 id={id} className="text-h3 font-strong">
          {title}
          {note !== undefined && <span className="ml-2 text-xs font-normal text-muted">{note}</span>}
        </h2>
        {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
      </div>
      <Boundary title={title}>{children}</Boundary>
    </section>
  )
}
