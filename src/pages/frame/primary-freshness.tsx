import { useLocation } from 'react-router'
import { primaryChainOfPath, useCurrentNetwork } from '../../api/current.ts'
import { usePrimaryFollowed } from '../../api/network/overview.ts'
import { paths } from '../../lib/paths.ts'
import { FreshnessLink } from './freshness-link.tsx'

/** The freshness of the primary network's chain in the path; by default the P-chain. */
export function PrimaryFreshness() {
  const { pathname } = useLocation()
  const network = useCurrentNetwork()
  const chain = primaryChainOfPath(pathname) ?? 'p-chain'
  const followed = usePrimaryFollowed(network, chain)
  return (
    <FreshnessLink
      followed={followed}
      chain={`${network}/${chain}`}
      to={(height) => paths.primaryBlock(network, chain, height)}
    />
  )
}
