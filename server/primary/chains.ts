import {
  primaryChainAliases,
  primaryChainIds,
  type PrimaryChainAlias,
} from '../../contract/primary/chains.ts'
import { chainAliases, type ChainAlias } from '../../protocol/primary/chains.ts'

/** A network that the configuration's `networks` may name; `testnet` is served as `fuji`. */
export type PrimaryNetwork = 'mainnet' | 'fuji'

/** The subnet id of the primary network in the store. */
export const primarySubnetId = Buffer.alloc(32)

const slots = { mainnet: 0, fuji: 10 } as const
const numbers = { 'p-chain': 1, 'x-chain': 2, 'c-chain': 3 } as const

/** The store's key of a primary network chain: 1, 2, 3 and 11, 12, 13. */
export function primaryChainKey(network: PrimaryNetwork, chain: PrimaryChainAlias): number {
  return slots[network] + numbers[chain]
}

/** What nodes call the chain of a store key: P, X or C. Throws a RangeError for an invalid key. */
export function aliasOfKey(key: number): ChainAlias {
  const alias = chainAliases[(key % 10) - 1]
  if (alias === undefined) throw new RangeError(`${key} is not a primary network chain`)
  return alias
}

/** The chain of a store key. Throws a RangeError for an invalid key. */
export function primaryChainOf(key: number): {
  readonly network: PrimaryNetwork
  readonly alias: PrimaryChainAlias
} {
  const alias = primaryChainAliases[(key % 10) - 1]
  if (alias === undefined || key > 13 || key < 1)
    throw new RangeError(`${key} is not a primary network chain`)
  return { network: key > 10 ? 'fuji' : 'mainnet', alias }
}

/** A chain's label in the Prometheus series, such as `fuji/p-chain`. Throws like `primaryChainOf`. */
export function primaryChainName(key: number): string {
  const { network, alias } = primaryChainOf(key)
  return `${network}/${alias}`
}

/** The alias of a `blockchainId` and, if the id determines it, the network (docs/api.md, Answers). */
export function primaryChainNamed(id: string): {
  readonly alias: PrimaryChainAlias
  readonly network?: PrimaryNetwork
} {
  const { p, x, c } = primaryChainIds
  switch (id) {
    case 'p-chain':
    case p:
      return { alias: 'p-chain' }
    case 'x-chain':
      return { alias: 'x-chain' }
    case 'c-chain':
      return { alias: 'c-chain' }
    case x.mainnet:
      return { alias: 'x-chain', network: 'mainnet' }
    case x.fuji:
      return { alias: 'x-chain', network: 'fuji' }
    case c.mainnet:
      return { alias: 'c-chain', network: 'mainnet' }
    case c.fuji:
      return { alias: 'c-chain', network: 'fuji' }
    default:
      throw new RangeError(`${id} is not a primary network chain`)
  }
}
