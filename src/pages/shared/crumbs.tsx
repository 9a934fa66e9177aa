import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import type { ChainFacts } from '../../api/current.ts'
import { ChainDot } from './chain-dot.tsx'

/** A page's chain, above its title. */
export function ChainCrumb({ chain }: { chain: ChainFacts }) {
  return (
    <nav aria-label="Chain" className="flex h-6 items-center">
      <Link to={paths.chain(chain.chainId)} className="flex items-center gap-2 text-muted hover:text-text">
        <ChainDot index={chain.index} />
        {chain.name}
      </Link>
    </nav>
  )
}
