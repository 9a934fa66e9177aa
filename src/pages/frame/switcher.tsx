import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { useCurrentChain } from '../../api/current.ts'
import { sessionQuery } from '../../api/chains.ts'
import { ChevronDownIcon } from '../../components/icons.ts'
import { Menu, type MenuEntry } from '../../components/menu.tsx'
import { seriesColour } from '../../lib/palette.ts'
import { inProfile } from '../../lib/profile-path.ts'
import { settings } from '../../lib/settings.ts'
import { paths } from '../../paths.ts'

/** A chain's colour as a dot; it is the same on every page. */
export function ChainDot({ index }: { index: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2.5 shrink-0 rounded-full"
      style={{ background: seriesColour(index) }}
    />
  )
}

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

/** Chooses the network (a profile, which opens anew) and the chain. */
export function Switcher() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const session = useQuery(sessionQuery()).data
  const { chainId, chain, chains } = useCurrentChain()
  const choose = useChooseChain()
  const network = session?.profile.networkLabel ?? ''

  const entries = (): MenuEntry[] => [
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
  const name = chain?.chainName ?? chainId ?? 'Chain'
  return (
    <Menu
      label={`Network and chain: ${network} ${name}`.trim()}
      align="start"
      className="control min-w-0 max-md:max-w-[38vw] md:w-60 md:justify-between"
      entries={entries}
    >
      <span className="flex min-w-0 items-center gap-2">
        {chain && chains && <ChainDot index={chains.indexOf(chain)} />}
        <span className="truncate">
          {network && <span className="text-muted max-lg:hidden">{network} · </span>}
          {name}
        </span>
      </span>
      <ChevronDownIcon size={14} className="text-muted" />
    </Menu>
  )
}
