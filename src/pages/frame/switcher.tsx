import { useLocation } from 'react-router'
import {
  chainOfPath,
  networkOfPath,
  primaryChainOfPath,
  useCurrentChain,
  useProfile,
} from '../../api/current.ts'
import { ChevronDownIcon } from '../../components/icons.ts'
import { lazyPopup, Menu } from '../../components/overlays/menu.tsx'
import { chainLabel } from '../../lib/primary-chains.ts'
import { ChainDot } from '../shared/chain-dot.tsx'

const choices = lazyPopup(() => import('./switcher-entries.tsx'))

/**
 * Shows the current network and chain, or that the page does not depend on the chain, and opens a menu of others.
 */
export function Switcher() {
  const network = useProfile()?.networkLabel ?? ''
  const { chainId, chain, chains } = useCurrentChain()
  const { pathname } = useLocation()
  const primary = networkOfPath(pathname) !== undefined
  const alias = primaryChainOfPath(pathname)
  const free = !primary && chainOfPath(pathname) === undefined
  const chainName = chain?.chainName ?? chainId ?? 'Chain'
  const name = primary ? ((alias && chainLabel(alias)) ?? 'Primary Network') : free ? 'All chains' : chainName
  return (
    <Menu
      label={`Network and chain: ${network && `${network} · `}${name}${free ? ': this page does not depend on the chain' : ''}`}
      align="start"
      className="control min-w-0 max-md:max-w-[38vw] md:w-60 md:justify-between lg:w-72"
      popup={choices}
    >
      <span className="flex min-w-0 items-center gap-2">
        {!primary && !free && chain && chains && <ChainDot index={chains.indexOf(chain)} />}
        <span className="truncate">
          {network && <span className="text-muted max-lg:hidden">{network} ·</span>}{' '}
          {primary && !alias ? (
            <>
              Primary <span className="max-md:hidden">Network</span>
            </>
          ) : (
            name
          )}
        </span>
      </span>
      <ChevronDownIcon size={14} className="text-muted" />
    </Menu>
  )
}
