import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { useMemo, useSyncExternalStore } from 'react'
import type { EvmChain } from '../../contract/evm/chains.ts'
import { pages, type PageName } from '../../contract/pages.ts'
import { networkName, type networkNames } from '../../contract/base/fields.ts'
import type { Profile } from '../../contract/profile.ts'
import type { Followed } from '../lib/freshness.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { settings } from '../lib/storage/settings.ts'
import { canAnswer } from './substitutes.ts'
import { chainsQuery, headQuery, sessionQuery, statusOf, statusQuery } from './chains.ts'

/** The profile of this page, once the session has started. */
export function useProfile(): Profile | undefined {
  return useQuery(sessionQuery()).data?.profile
}

/**
 * Whether pages of a profile have an operation: from its service, or from what else it has (substitutes.ts). With
 * `network`, also whether the deployment has its P-, X- and C-Chains.
 */
export function offers(profile: Profile, operationId: string, network?: NetworkName): boolean {
  const hasNetwork = network === undefined || (profile.networks?.includes(network) ?? true)
  return hasNetwork && canAnswer(profile, operationId)
}

/** The same of the profile of this page; true until it is known. */
export function useOffers(operationId: string, network?: NetworkName): boolean {
  const profile = useProfile()
  return profile === undefined || offers(profile, operationId, network)
}

/** Tells of each operation whether the profile of this page offers it, for parts of a page such as its tabs. */
export function useOffered(): (operationId: string) => boolean {
  const profile = useProfile()
  return (operationId) => profile === undefined || offers(profile, operationId)
}

/** Whether a profile has a page: what it shows, or at least what it opens by an id. */
export function hasPage(profile: Profile, name: PageName): boolean {
  const { needs, opens } = pages[name]
  return needs === undefined || offers(profile, needs) || (opens !== undefined && hasPage(profile, opens))
}

/** The same of the profile of this page; true until it is known. */
export function useHasPage(name: PageName): boolean {
  const profile = useProfile()
  return profile === undefined || hasPage(profile, name)
}

/** The EVM chain in a path. */
export function chainOfPath(pathname: string): string | undefined {
  const match = /^\/chain\/([^/]+)/.exec(pathname)
  return match?.[1] === undefined ? undefined : decodeURIComponent(match[1])
}

/** The primary network chain in a path. */
export function primaryChainOfPath(pathname: string): PrimaryChainAlias | undefined {
  const match = /^\/networks\/[^/]+\/([^/]+)\//.exec(pathname)
  const vertices = /^\/networks\/[^/]+\/vertices/.test(pathname)
  return vertices ? 'x-chain' : primaryChainAliases.find((alias) => alias === match?.[1])
}

/** A network name in paths and operations. */
export type NetworkName = (typeof networkNames)[number]

/** The network in a path. */
export function networkOfPath(pathname: string): string | undefined {
  const match = /^\/networks\/([^/]+)/.exec(pathname)
  return match?.[1] === undefined ? undefined : decodeURIComponent(match[1])
}

/** A network by its name in a path; undefined for an unknown name. */
export function networkOf(text: string | undefined): NetworkName | undefined {
  const named = networkName.safeParse(text)
  return named.success ? named.data : undefined
}

/** The current network: that of the URL, else the profile's. */
export function useCurrentNetwork(): NetworkName {
  const { pathname } = useLocation()
  const profile = useProfile()
  return networkOf(networkOfPath(pathname)) ?? profile?.network ?? 'fuji'
}

/** The current chain: that of the URL, else the last visited one of this profile, else the first of the list. */
export function useCurrentChain(): {
  chainId: string | undefined
  chain: EvmChain | undefined
  chains: readonly EvmChain[] | undefined
} {
  const { pathname } = useLocation()
  const profile = useProfile()
  const chains = useQuery(chainsQuery()).data
  const chosen = (): string | undefined => settings.get().chains[profile?.id ?? '']
  const kept = useSyncExternalStore(settings.subscribe, chosen, chosen)
  const named = chainOfPath(pathname)
  const remembered = chains?.find((chain) => chain.chainId === kept)
  const chain =
    named === undefined
      ? (remembered ?? chains?.[0])
      : chains?.find((one) => one.chainId === named || one.platformChainId === named)
  return { chainId: named ?? chain?.chainId, chain, chains }
}

/** The name, token and list index of a chain, with placeholders until they are known. */
export type ChainFacts = { chainId: string; name: string; symbol: string; decimals: number; index: number }

/** A chain's name, token and index in the list, which selects its series colour. */
export function useChainFacts(chainId: string): ChainFacts {
  const chains = useQuery(chainsQuery()).data
  return useMemo(() => {
    const index = chains?.findIndex((one) => one.chainId === chainId || one.platformChainId === chainId) ?? -1
    const chain = chains?.[index]
    return {
      chainId: chain?.chainId ?? chainId,
      name: chain?.chainName ?? `Chain ${chainId}`,
      symbol: chain?.networkToken.symbol ?? '',
      decimals: chain?.networkToken.decimals ?? 18,
      index: Math.max(0, index),
    }
  }, [chains, chainId])
}

/** The indexing state of a chain: from the status, or from its newest block for deployments without a status. */
export function useFollowed(chainId: string | undefined): Followed | undefined {
  const offered = useOffers('listChainStatus')
  const known = useProfile() !== undefined
  const status = useQuery({ ...statusQuery(), enabled: known && offered }).data
  const head = useQuery({
    ...headQuery(chainId ?? ''),
    enabled: known && !offered && chainId !== undefined,
  }).data
  if (chainId === undefined) return undefined
  if (offered) return statusOf(status, chainId)
  return head ?? undefined
}
