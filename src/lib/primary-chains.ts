import type { PrimaryChainAlias } from '../../contract/primary/fields.ts'

/** The aliases of the three chains of the primary network, as paths and operations take them. */
export type ChainAlias = PrimaryChainAlias

/** The three chains in display order. */
export const primaryChains: readonly ChainAlias[] = ['p-chain', 'x-chain', 'c-chain']

/** The id of the P-chain, and of the subnet of all validators of the primary network. */
export const primaryNetworkId = '11111111111111111111111111111111LpoYY'

/** The chain IDs of the hosted API; other networks have different ids for X and C. */
const aliasOfId: Readonly<Record<string, ChainAlias>> = {
  [primaryNetworkId]: 'p-chain',
  '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM': 'x-chain',
  '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm': 'x-chain',
  '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5': 'c-chain',
  yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp: 'c-chain',
}

const labels: Readonly<Record<ChainAlias, string>> = {
  'p-chain': 'P-Chain',
  'x-chain': 'X-Chain',
  'c-chain': 'C-Chain',
}

/** The alias of a primary network chain given by id, alias or letter; undefined for any other chain. */
export function chainAlias(chain: string): ChainAlias | undefined {
  const known = aliasOfId[chain]
  if (known) return known
  const lower = chain.toLowerCase()
  return primaryChains.find((alias) => alias === lower || alias[0] === lower)
}

/** The display name of a primary network chain given by id, alias or letter; undefined for any other chain. */
export function chainLabel(chain: string): string | undefined {
  const alias = chainAlias(chain)
  return alias && labels[alias]
}

/** An address without its chain prefix: `P-fuji1…` becomes `fuji1…`. */
export const bareAddress = (address: string): string => address.replace(/^[PXC]-(?=[a-z])/, '')

/** The chain that pages of no single chain are about: one that has stopped is what there is to know, else the P-chain. */
export function chainToName(
  statuses: readonly { readonly chainName: string; readonly state: string }[],
): ChainAlias {
  const stopped = statuses.find(({ state }) => state === 'stopped')?.chainName
  return primaryChains.find((alias) => alias === stopped) ?? 'p-chain'
}
