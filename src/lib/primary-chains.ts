import {
  primaryChainAliases,
  primaryChainIds,
  primaryChainNames,
  type PrimaryChainAlias,
} from '../../contract/primary/chains.ts'

const { p, x, c } = primaryChainIds

/** The chain IDs of the hosted API; other networks have different ids for X and C. */
const aliasOfId: ReadonlyMap<string, PrimaryChainAlias> = new Map([
  [p, 'p-chain'],
  [x.mainnet, 'x-chain'],
  [x.fuji, 'x-chain'],
  [c.mainnet, 'c-chain'],
  [c.fuji, 'c-chain'],
])

/** Whether a subnet is that of all validators of the primary network. */
export const isPrimaryNetwork = (subnetId: string | undefined): boolean => subnetId === p

/** The alias of a primary network chain given by id, alias or letter; undefined for any other chain. */
export function chainAlias(chain: string): PrimaryChainAlias | undefined {
  const known = aliasOfId.get(chain)
  if (known) return known
  const lower = chain.toLowerCase()
  return primaryChainAliases.find((alias) => alias === lower || alias[0] === lower)
}

/** The display name of a primary network chain given by id, alias or letter; undefined for any other chain. */
export function chainLabel(chain: string): string | undefined {
  const alias = chainAlias(chain)
  return alias && primaryChainNames[alias]
}

/** An address without its chain prefix: `P-fuji1…` becomes `fuji1…`. */
export const bareAddress = (address: string): string => address.replace(/^[PXC]-(?=[a-z])/, '')

/** The chain that pages of no single chain are about: one that has stopped is what there is to know, else the P-Chain. */
export function chainToName(
  statuses: readonly { readonly chainName: string; readonly state: string }[],
): PrimaryChainAlias {
  const stopped = statuses.find(({ state }) => state === 'stopped')?.chainName
  return primaryChainAliases.find((alias) => alias === stopped) ?? 'p-chain'
}
