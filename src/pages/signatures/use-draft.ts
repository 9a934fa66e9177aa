import { useHeldForm } from '../../components/use-held-form.ts'
import { useSearchState } from '../../components/use-search-state.ts'
import { draftOf, linkOf, signaturesSchema, type Draft, type SignaturesSearch } from './draft.ts'

/** The form of a request, stored in the URL. */
export function useDraft(): {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  search: SignaturesSearch
  setSearch: ReturnType<typeof useSearchState<typeof signaturesSchema>>[1]
} {
  const [search, setSearch] = useSearchState(signaturesSchema)
  const [draft, setDraft] = useHeldForm<Draft>(
    draftOf(search),
    (next) => JSON.stringify(linkOf(next)),
    (next) => setSearch(linkOf(next)),
  )
  const change = (patch: Partial<Draft>): void => setDraft((now) => ({ ...now, ...patch }))
  return { draft, change, search, setSearch }
}
