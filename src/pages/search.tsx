import { useSearchParams } from 'react-router'
import { useCurrentChain } from '../api/current.ts'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { ReputationPill } from '../components/tokens/token-name-pill.tsx'
import { kindIcon, pathOfResult, useSearch } from './frame/search-items.tsx'
import { Failed } from './shared/failed.tsx'

/** Kinds whose name in the contract is no word; the chain's name beside it says whose it is. */
const words: Readonly<Record<string, string>> = {
  primaryBlock: 'block',
  primaryTransaction: 'transaction',
  wallet: 'address',
  l1Validation: 'L1 validation',
}

/** Everything that a text may mean. */
export function Component() {
  const [search] = useSearchParams()
  const text = search.get('q') ?? ''
  const { chainId } = useCurrentChain()
  const { results, state, error, retry } = useSearch(text, chainId)
  return (
    <>
      <PageTitle
        document={text ? `“${text}” · Search` : 'Search'}
        heading={text ? <>Search for “{text}”</> : 'Search'}
      />
      {state === 'idle' && (
        <EmptyState title="Enter a search term">
          Give a height, a hash, an address, a name or an id in the field above; the key / leads there.
        </EmptyState>
      )}
      {state === 'looking' && results.length === 0 && <SkeletonRows count={4} height={52} />}
      {state === 'failed' && <Failed title="The search failed." error={error} onRetry={retry} />}
      {state === 'done' && results.length === 0 && (
        <EmptyState title="No results">
          No indexed chain has a block, transaction, address, contract or chain like this. A hash needs all of
          its 64 digits, an address 40; both begin with 0x. Ids of the primary network are letters and digits,
          whole. Names are found by their beginning.
        </EmptyState>
      )}
      {results.length > 0 && (
        <ul aria-label="Results" className="border-t border-line">
          {results.map((result) => {
            const Shape = kindIcon(result.kind)
            return (
              <li key={`${result.kind}:${result.chainId}:${result.id}`} className="border-b border-line">
                <Link
                  to={pathOfResult(result)}
                  className="flex min-h-13 items-center gap-3 px-2 py-2 hover:bg-hover"
                >
                  <Shape className="text-muted" />
                  <span className="flex min-w-0 flex-col">
                    <span className="flex flex-wrap items-center gap-x-2">
                      <span className="break-all">{result.title}</span>
                      <ReputationPill reputation={result.tokenReputation} />
                    </span>
                    <span className="text-xs wrap-anywhere text-muted">
                      {[words[result.kind] ?? result.kind, result.chainName, result.detail]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                </Link>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
