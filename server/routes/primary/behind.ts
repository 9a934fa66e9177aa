import { isOfPrimaryChain } from '../../../contract/document/statuses.ts'
import { getBlockchain } from '../../../contract/network/blockchains.ts'
import { networkMetricEntry, type NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import { getBlockchainGenesis, listGenesisAllocations } from '../../../contract/network/registry.ts'
import type { PrimaryExportTable } from '../../../contract/sql/exports.ts'
import type { Operation } from '../../../contract/base/operation.ts'
import { getPrimaryBlock } from '../../../contract/primary/blocks.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { getPrimaryTransaction } from '../../../contract/primary/transactions.ts'
import { primaryTopic } from '../../events/hub.ts'
import {
  behindOf,
  isBehind,
  NotYetKnown,
  readOnce,
  type Behind,
  type Indexed,
  type Rule,
} from '../../http/once-indexed.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import { findNetwork, findPrimaryChain, type ServedNetwork } from '../../primary/served-network.ts'
import { openView, type NetworkView } from './context.ts'

function indexedOf(view: NetworkView, chain: number): Indexed {
  const { head_height: head = null, node_height: node = null, state = null } = view.statusOf(chain) ?? {}
  return { state, head, node }
}

/** Whether a chain is further behind its node than `lagLimit`, so that what is now is the node's to say. */
export const isChainBehind = (view: NetworkView, chain: number): boolean =>
  isBehind(indexedOf(view, chain), view.network.config.lagLimit)

/** How far the index of a chain is. */
function progressOf(view: NetworkView, alias: PrimaryChainAlias): Behind {
  const { id } = view.network
  return behindOf(`the ${alias} of ${id}`, alias, indexedOf(view, primaryChainKey(id, alias)))
}

/** For what only the index knows: throws a NotYetKnown if the chain is behind its node. */
export function checkIndexed(view: NetworkView, alias: PrimaryChainAlias): void {
  if (isChainBehind(view, primaryChainKey(view.network.id, alias)))
    throw new NotYetKnown(progressOf(view, alias))
}

type BehindByChain = Partial<Record<PrimaryChainAlias, Behind>>

/** The chains of a network that are behind their nodes; read once for all requests until one of them moves. */
function readBehind(context: RouteContext, network: ServedNetwork): Promise<BehindByChain> {
  const topics = primaryChainAliases.map((alias) => primaryTopic(network.id, alias))
  return readOnce(context, network.id, topics, async () => {
    const view = await openView(context.store.get().database, network)
    const behind = primaryChainAliases.filter((alias) =>
      isChainBehind(view, primaryChainKey(network.id, alias)),
    )
    return Object.fromEntries(behind.map((alias) => [alias, progressOf(view, alias)]))
  })
}

type Params = {
  readonly network: string
  readonly blockchainId: string
  readonly metric: NetworkMetricName
  readonly table: PrimaryExportTable
}

/** Operations of a blockchain that the P-Chain has created. */
const isOfCreation = new Set([getBlockchain.id, getBlockchainGenesis.id, listGenesisAllocations.id])

/** The chain whose index an operation reads: that of the path's `blockchainId`, its metric or its table, or the P-Chain. */
function chainOf({ config }: RouteContext, { id, path }: Operation, params: Params): PrimaryChainAlias {
  const { network, blockchainId, metric, table } = params
  if (path.includes('{metric}')) return networkMetricEntry(metric).chain
  if (path.includes('{table}')) return table.startsWith('x') ? 'x-chain' : 'p-chain'
  const isOfPath = path.includes('{blockchainId}') && !isOfCreation.has(id)
  return isOfPath ? findPrimaryChain(config, network, blockchainId).alias : 'p-chain'
}

/** Operations of the primary network (server/http/once-indexed.ts). */
export const primaryChainsBehind = (context: RouteContext): Rule => ({
  isOfThem: isOfPrimaryChain,
  // What these do not find is not on the chain.
  isAskedElsewhere: new Set([getPrimaryBlock.id, getPrimaryTransaction.id, getBlockchain.id]),
  async readBehind(operation, input) {
    const params = input.params as Params
    const network = findNetwork(context.config, params.network)
    const alias = chainOf(context, operation, params)
    const { [alias]: behind } = await readBehind(context, network)
    return behind ? [behind] : []
  },
})
