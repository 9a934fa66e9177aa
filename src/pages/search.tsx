import { Navigate, useLocation, useSearchParams } from 'react-router'
import { titleOf } from '../../contract/pages.ts'
import type { SearchResult } from '../../contract/network/search.ts'
import { useCurrentChain, useOffers } from '../api/current.ts'
import type { Icon } from '../components/icons.ts'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { ReputationPill } from '../components/tokens/token-name-pill.tsx'
import type { opensExact } from '../lib/paths.ts'
import { groupResults, kindIcon, onlyExact, pathOfResult, useSearch } from './frame/search-items.tsx'
import { useOwnResults } from './frame/search-own.tsx'
import { Failed } from './shared/failed.tsx'

/** Titles for kinds whose contract name is not readable; the chain's name beside them tells which chain. */
const words: Readonly<Record<string, string>> = {
  primaryBlock: 'block',
  primaryTransaction: 'transaction',
  wallet: 'address',
  l1Validation: 'L1 validation',
}

type Row = {
  readonly id: string
  readonly path: string
  readonly icon: Icon
  readonly title: string
  readonly detail: string
  readonly reputation?: string | undefined
}

/** One kind of results. */
function Group({ label, rows }: { label: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null
  return (
    <div className="mb-6">
      <h2 className="mb-1 text-sm text-muted">{label}</h2>
      <ul aria-label={label} className="border-t border-line">
        {rows.map(({ id, path, icon: Shape, title, detail, reputation }) => (
          <li key={id} className="border-b border-line">
            <Link to={path} className="flex min-h-13 items-center gap-3 px-2 py-2 hover:bg-hover">
              <Shape className="text-muted" />
              <span className="flex min-w-0 flex-col">
                <span className="flex flex-wrap items-center gap-x-2">
                  <span className="break-all">{title}</span>
                  <ReputationPill reputation={reputation} />
                </span>
                <span className="text-xs wrap-anywhere text-muted">{detail}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const rowOf = (result: SearchResult): Row => ({
  id: `${result.kind}:${result.chainId}:${result.id}`,
  path: pathOfResult(result),
  icon: kindIcon(result.kind),
  title: result.title,
  detail: [words[result.kind] ?? result.kind, result.chainName, result.detail].filter(Boolean).join(' · '),
  reputation: result.tokenReputation,
})

/** All results for a text, by kind. After Enter in the search field, the only exact result opens. */
export function Component() {
  const offered = useOffers('search')
  const [search] = useSearchParams()
  const text = search.get('q') ?? ''
  const { chainId } = useCurrentChain()
  const { results, state, error, retry } = useSearch(text, chainId)
  const own = useOwnResults(text)
  const sent = useLocation().state as Partial<typeof opensExact> | null
  const target = sent?.opensExact === true && state === 'done' ? onlyExact(results, own, chainId) : undefined
  if (target !== undefined) return <Navigate to={target} replace />
  const nothing = results.length + own.length === 0
  const ownRows = (group: string): Row[] =>
    own
      .filter((result) => result.group === group)
      .map(({ detail, ...result }) => ({ ...result, detail: detail ?? 'Page of this dashboard' }))
  return (
    <>
      <PageTitle
        document={text ? `“${text}” · ${titleOf('search')}` : titleOf('search')}
        heading={text ? <>Search for “{text}”</> : 'Search'}
      />
      {state === 'idle' && (
        <EmptyState title="Enter a search term">
          Enter a height, a hash, an address, a name or an ID in the field above, or paste a link of another
          explorer.
        </EmptyState>
      )}
      {state === 'failed' && <Failed title="The search failed." error={error} onRetry={retry} />}
      {state === 'done' && nothing && !offered && (
        <EmptyState title="Not a whole height, hash, address or ID">
          This service does not search for names or beginnings. A whole height, hash, address or ID is opened
          by its form.
        </EmptyState>
      )}
      {state === 'done' && nothing && offered && (
        <EmptyState title="No results">
          Nothing has this name, height, hash, address or ID. Six characters of a hash, an address or an ID
          are enough. Forms such as “block 12”, “tx 0x…”, “token USDC” and “P-fuji1…” say what is meant.
        </EmptyState>
      )}
      {!nothing && (
        <section aria-label="Results">
          <Group label="Your labels" rows={ownRows('Your labels')} />
          <Group label="Pages" rows={ownRows('Pages')} />
          {groupResults(results).map((group) => (
            <Group key={group.label} label={group.label} rows={group.results.map(rowOf)} />
          ))}
          <Group label="Metrics" rows={ownRows('Metrics')} />
        </section>
      )}
      {state === 'looking' && results.length === 0 && <SkeletonRows count={4} height={52} />}
    </>
  )
}
