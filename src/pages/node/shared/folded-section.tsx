import type { ReactNode } from 'react'
import { useNarrow } from '../../../components/hooks.ts'
import { Boundary } from '../../../components/part.tsx'
import { Section } from '../../../components/section.tsx'

type Props = { title: string; note?: ReactNode; children: ReactNode }

/** A section that is folded on a phone, where the whole node would be many screens long, and open elsewhere. */
export function FoldedSection({ title, note, children }: Props) {
  const narrow = useNarrow()
  if (!narrow)
    return (
      <Section title={title} note={note}>
        {children}
      </Section>
    )
  return (
    <details className="min-w-0 border-b border-line">
      <summary className="min-h-10 cursor-pointer py-2">
        <h2 className="inline text-h3 font-strong">{title}</h2>
        {note !== undefined && <span className="ml-2 text-xs text-muted">{note}</span>}
      </summary>
      <div className="pb-4">
        <Boundary title={title}>{children}</Boundary>
      </div>
    </details>
  )
}
