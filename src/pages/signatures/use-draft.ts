import { useEffect, useState } from 'react'
import { useLatest, useRested } from '../../components/hooks.ts'
import { useSearchState } from '../../components/use-search-state.ts'
import { draftOf, linkOf, signaturesSchema, type Draft, type SignaturesSearch } from './draft.ts'

const textOf = (search: SignaturesSearch): string => JSON.stringify(linkOf(draftOf(search)))

/** The form, kept in the URL once typing has rested. Links, Back and Forward change it in turn. */
export function useDraft(): {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  search: SignaturesSearch
  setSearch: ReturnType<typeof useSearchState<typeof signaturesSchema>>[1]
} {
  const [search, setSearch] = useSearchState(signaturesSchema)
  const [draft, setDraft] = useState(() => draftOf(search))
  const held = textOf(search)
  const [seen, setSeen] = useState(held)
  // What the form itself wrote comes back as a change of the URL, and must not undo what was typed since.
  const [written, setWritten] = useState(held)
  if (held !== seen) {
    setSeen(held)
    if (held !== written) {
      setWritten(held)
      setDraft(draftOf(search))
    }
  }
  const rested = useRested(draft, 250)
  const write = useLatest((next: Draft) => {
    const link = linkOf(next)
    const text = JSON.stringify(link)
    if (text === held) return
    setWritten(text)
    setSearch(link)
  })
  useEffect(() => write.current(rested), [rested, write])
  const change = (patch: Partial<Draft>): void => setDraft((now) => ({ ...now, ...patch }))
  return { draft, change, search, setSearch }
}
