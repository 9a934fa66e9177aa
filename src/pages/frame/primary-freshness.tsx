import { useLocation } from 'react-router'
import { primaryChainOfPath, useCurrentNetwork } from '../../api/current.ts'
import { usePrimaryFollowed, usePrimaryStatus } from '../../api/network/overview.ts'
import { paths } from '../../lib/paths.ts'
import { primaryChains } from '../../lib/primary-chains.ts'
import { FreshnessLink } from './freshness-link.tsx'

/** The freshness of the primary network's chain in the path; by default one that has stopped, or else the P-chain. */
export function PrimaryFreshness() {
  const { pathname } = useLocation()
  const network = useCurrentNetwork()
  const statuses = usePrimaryStatus(network)
  // Pages of no single chain: one that has stopped is what there is to know.
  const stopped = statuses?.find(({ state }) => state === 'stopped')?.chainName
  const named = primaryChains.find((alias) => alias === stopped)
  const chain = primaryChainOfPath(pathname) ?? named ?? 'p-chain'
  const followed = usePrimaryFollowed(network, chain)
  return (
    <FreshnessLink
      followed={followed}
      chain={`${network}/${chain}`}
      to={(height) => paths.primaryBlock(network, chain, height)}
    />
  )
}
