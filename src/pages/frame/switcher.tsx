import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { sessionQuery } from '../../api/chains.ts'
import {
  chainOfPath,
  networkOfPath,
  primaryChainOfPath,
  useCurrentChain,
  useCurrentNetwork,
  useProfile,
} from '../../api/current.ts'
import { ChevronDownIcon } from '../../components/icons.ts'
import { Menu, MenuPopup } from '../../components/overlays/menu.tsx'
import type { MenuEntry, PopupProps } from '../../components/overlays/popups.tsx'
import { chainLabel } from '../../lib/primary-chains.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { loadPage } from '../../lib/place.ts'
import { inProfile } from '../../lib/profile-path.ts'
import { settings } from '../../lib/storage/settings.ts'
import { paths } from '../../lib/paths.ts'
import { ChainDot } from '../shared/chain-dot.tsx'

/** Remembers the chosen chain for pages without one in their path. */
export function useChooseChain(): (chainId: string) => void {
  const profile = useQuery(sessionQuery()).data?.profile
  return (chainId) => {
    if (profile) settings.set((now) => ({ ...now, chains: { ...now.chains, [profile.id]: chainId } }))
  }
}

/** The same page for another chain, if there is one. */
function sameForChain(pathname: string, chainId: string): string | undefined {
  const match =
    /^\/chain\/[^/]+(?:\/(metrics(?:\/[^/]+)?|blocks|transactions|tokens|nfts|contracts|hot))?$/.exec(
      pathname,
    )
  if (!match) return /^\/(chain|networks)\//.test(pathname) ? paths.chain(chainId) : undefined
  return match[1] === undefined ? paths.chain(chainId) : `${paths.chain(chainId)}/${match[1]}`
}

/** The same page for a chain of the primary network, or its blocks. */
function sameForPrimary(pathname: string, network: string, chain: PrimaryChainAlias): string {
  return /\/t(ransactions|x)(\/|$)/.test(pathname)
    ? paths.primaryTransactions(network, chain)
    : paths.primaryBlocks(network, chain)
}

/** The menu of networks (profiles, which reload the page) and of the chains of the current one. */
function Choices(popup: PopupProps) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const session = useQuery(sessionQuery()).data
  const { chain, chains } = useCurrentChain()
  const choose = useChooseChain()
  const network = useCurrentNetwork()
  const primary = networkOfPath(pathname) !== undefined
  const alias = primaryChainOfPath(pathname)
  const entries: MenuEntry[] = [
    { kind: 'heading', label: 'Network' },
    ...(session?.config.profiles ?? []).map((profile): MenuEntry => ({
      kind: 'radio',
      label: profile.networkLabel,
      note: profile.name,
      checked: profile.id === session?.profile.id,
      onSelect: () =>
        loadPage(inProfile(paths.overview(), profile.id, profile.id === session?.config.defaultProfile)),
    })),
    { kind: 'heading', label: 'Primary network' },
    {
      kind: 'radio',
      label: 'Primary Network',
      note: 'Overview of the three chains',
      checked: primary && alias === undefined,
      onSelect: () => void navigate(paths.network(network)),
    },
    ...primaryChainAliases.map((one): MenuEntry => ({
      kind: 'radio',
      label: one === 'c-chain' ? 'C-Chain, atomic' : (chainLabel(one) ?? one),
      checked: one === alias,
      onSelect: () => void navigate(sameForPrimary(pathname, network, one)),
    })),
    {
      kind: 'heading',
      label: primary || chainOfPath(pathname) !== undefined ? 'EVM chain' : 'EVM chain of the navigation',
    },
    ...(chains ?? []).map((one, index): MenuEntry => ({
      kind: 'radio',
      label: one.chainName,
      icon: <ChainDot index={index} />,
      checked: !primary && one.chainId === chain?.chainId,
      onSelect: () => {
        choose(one.chainId)
        const path = sameForChain(pathname, one.chainId)
        if (path !== undefined) void navigate(path)
      },
    })),
  ]
  return <MenuPopup {...popup} entries={entries} />
}

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
      popup={Choices}
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
