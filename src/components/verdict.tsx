import type { ReactNode } from 'react'
import { Pill, type PillState } from './pill.tsx'
import { Skeleton } from './skeleton.tsx'

/** Whether something goes on, in a word and a sentence. */
export type Verdict = { readonly state: PillState; readonly word: string; readonly text: string }

/**
 * The answer that a page begins with: undefined while it loads, null if there is none. The page below never moves: the
 * line, three of them on a phone, has its height before the sentence is known.
 */
export function VerdictLine({ verdict }: { verdict: Verdict | null | undefined }): ReactNode {
  const place = 'min-h-9 pb-4 max-md:min-h-19'
  if (verdict === null) return <div className={place} />
  if (verdict === undefined)
    return (
      <div className={place} aria-busy="true">
        <output className="sr-only">Loading</output>
        <span className="flex h-5 items-center">
          <Skeleton width="min(520px, 80%)" />
        </span>
      </div>
    )
  return (
    <p className={place} aria-label="Verdict">
      <span className="float-left mr-2.5 flex max-w-full">
        <Pill state={verdict.state}>{verdict.word}</Pill>
      </span>
      {verdict.text}
    </p>
  )
}
