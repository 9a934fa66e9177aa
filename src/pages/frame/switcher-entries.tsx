import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { sessionQuery } from '../../api/chains.ts'
import { useCurrentChain } from '../../api/current.ts'
import type { MenuEntry } from '../../components/menu-popup.tsx'
import { inProfile } from '../../lib/profile-path.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'
import { ChainDot } from './chain-dot.tsx'

/** Remembers the chain in use for pages whose path names none. */
export function useChooseChain(): (chainId: string) => void {
  const profile = useQuery(sessionQuery()).data?.profile
  return (chainId) => {
    if (profile) settings.set((now) => ({ ...now, chains: { ...now.chains, [profile.id]: chainId } }))
  }
}

/** The same kind of page for another chain, where there is one. */
export function sameForChain(pathname: string, chainId: string): string | undefined {
  const match = /^\/chain\/[^/]+(?:\/(metrics(?:\/[^/]+)?|blocks|transactions))?$/.exec(pathname)
  if (!match) return pathname.startsWith('/chain/') ? paths.chain(chainId) : undefined
  return match[1] === undefined ? paths.chain(chainId) : `${paths.chain(chainId)}/${match[1]}`
}

/** The networks (a profile, which opens anew) and the chains of this one. */
export function useEntries(): MenuEntry[] {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const session = useQuery(sessionQuery()).data
  const { chain, chains } = useCurrentChain()
  const choose = useChooseChain()
  return [
    { kind: 'heading', label: 'Network' },
    ...(session?.config.profiles ?? []).map((profile): MenuEntry => ({
      kind: 'radio',
      label: profile.networkLabel,
      note: profile.name,
      checked: profile.id === session?.profile.id,
      onSelect: () =>
        location.assign(
          inProfile(paths.overview(), profile.id, profile.id === session?.config.defaultProfile),
        ),
    })),
    { kind: 'heading', label: 'Chain' },
    ...(chains ?? []).map((one, index): MenuEntry => ({
      kind: 'radio',
      label: one.chainName,
      icon: <ChainDot index={index} />,
      checked: one.chainId === chain?.chainId,
      onSelect: () => {
        choose(one.chainId)
        const path = sameForChain(pathname, one.chainId)
        if (path !== undefined) void navigate(path)
      },
    })),
  ]
}
