import { useProfile, type NetworkName } from '../../api/current.ts'
import { Link } from '../../components/link.tsx'
import { chainLabel } from '../../lib/primary-chains.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { paths } from '../../lib/paths.ts'

const names: Record<NetworkName, string> = { mainnet: 'Mainnet', fuji: 'Fuji', testnet: 'Fuji' }

/** The display names of networks: the profile's name for its own network. */
export function useNetworkLabels(): (network: NetworkName) => string {
  const profile = useProfile()
  return (network) => (profile?.network === network ? profile.networkLabel : names[network])
}

/** The display name of a network. */
export const useNetworkLabel = (network: NetworkName): string => useNetworkLabels()(network)

/** A page's network, and its chain if any, above its title. */
export function NetworkCrumb({ network, chain }: { network: NetworkName; chain?: PrimaryChainAlias }) {
  const label = useNetworkLabel(network)
  return (
    <nav aria-label="Network" className="flex h-6 items-center gap-2 text-muted">
      <Link to={paths.network(network)} className="flex min-w-0 items-center hover:text-text">
        <span className="truncate">{label}</span>
      </Link>
      {chain !== undefined && (
        <>
          <span aria-hidden="true">/</span>
          <Link to={paths.primaryBlocks(network, chain)} className="flex items-center hover:text-text">
            {chainLabel(chain)}
          </Link>
        </>
      )}
    </nav>
  )
}

/** Links to the same page of the three chains. */
export function ChainSwitch({
  chain,
  to,
}: {
  chain: PrimaryChainAlias
  to: (chain: PrimaryChainAlias) => string
}) {
  return (
    <nav aria-label="Chain" className="flex gap-2">
      {primaryChainAliases.map((one) => (
        <Link key={one} to={to(one)} className="control" aria-current={one === chain ? 'page' : undefined}>
          {chainLabel(one)}
        </Link>
      ))}
    </nav>
  )
}
