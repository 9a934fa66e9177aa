import type { ChainFacts } from '../../api/current.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'

/** The page of an unknown block; `head` is the newest known one. */
export function NoBlock({ chain, id, head }: { chain: ChainFacts; id: string; head: string | undefined }) {
  return (
    <>
      <PageTitle document="Block not found" heading="Block not found" />
      <EmptyState title={`Block “${id}” not found on ${chain.name}`}>
        {head !== undefined && (
          <p>
            The newest indexed block is{' '}
            <Link to={paths.block(chain.chainId, head)} className="link">
              {formatInteger(head)}
            </Link>
            . A hash that was reverted by a reorganisation is not kept.
          </p>
        )}
      </EmptyState>
    </>
  )
}
