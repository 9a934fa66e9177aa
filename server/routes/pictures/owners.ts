import type { Owner } from '../../../charts/catalogue/definition.ts'
import { groupOwner } from '../../../charts/catalogue/groups.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { findNetwork } from '../../primary/served-network.ts'

/** The chains and networks of the service as charts name and colour them. */
export type Owners = {
  /** In the order of the list of chains. */
  readonly chains: readonly Owner[]
  readonly networks: readonly Owner[]
  /** The chain or group of chains with an id. Throws a 404. */
  readonly chain: (id: string) => Owner
  /** The network of a path. Throws a 404. */
  readonly network: (name: string) => Owner
}

function found(list: readonly Owner[], id: string): Owner {
  const owner = list.find(({ chainId }) => chainId === id)
  if (owner === undefined) throw new Error(`${id} is not in the list`)
  return owner
}

/** The owners of what the service's charts show. */
export function ownersOf({ chains, config }: Pick<RouteContext, 'chains' | 'config'>): Owners {
  const listed: readonly Owner[] = chains.all.map(({ id, config: { name, token } }, index) => ({
    chainId: id,
    name,
    symbol: token.symbol,
    decimals: token.decimals,
    index,
  }))
  const networks: readonly Owner[] = config.networks.map(({ id, name }) => ({
    chainId: id,
    name,
    symbol: 'AVAX',
    decimals: 9,
    index: 0,
  }))
  return {
    chains: listed,
    networks,
    chain: (id) => groupOwner(id) ?? found(listed, chains.find(id).id),
    network: (name) => found(networks, findNetwork(config, name).id),
  }
}
