import type { ReactNode } from 'react'
import { Disclosure } from '../../../components/disclosure.tsx'
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
    <Disclosure
      look="part"
      className="border-b border-line"
      summary={
        <>
          <h2 className="text-h3 font-strong">{title}</h2>
          {note !== undefined && <span className="text-xs font-normal text-muted">{note}</span>}
        </>
      }
    >
      <div className="pb-4">
        <Boundary title={title}>{children}</Boundary>
      </div>
    </Disclosure>
  )
}
