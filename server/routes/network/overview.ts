import { getNetworkDetails } from '../../../contract/network/details.ts'
import { getNetworkOverview, type PrimaryChainStatus } from '../../../contract/network/overview.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { primaryTopic } from '../../events/hub.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import { readOverview, type OverviewRow } from '../../store/network/read-overview.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { chainTime, openView, type NetworkView } from '../primary/context.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { checkIndexed } from '../primary/behind.ts'
import { openL1Meter } from './l1-fee.ts'
import { describeSync, stoppedSince } from './status.ts'

function chainStatus(
  view: NetworkView,
  chainName: (typeof primaryChainAliases)[number],
  vertices: bigint,
  now: number,
): PrimaryChainStatus {
  const key = primaryChainKey(view.network.id, chainName)
  const row = view.statusOf(key)
  return {
    chainName,
    blockchainId: view.chainId(key),
    state: row?.state ?? 'waiting',
    ...(row?.reason != null && { reason: row.reason }),
    ...(row && stoppedSince(row)),
    ...(row?.head_height != null && { indexedHeight: row.head_height.toString() }),
    ...(row?.head_ts != null && { indexedTimestamp: Number(row.head_ts) }),
    ...(row?.node_height != null && { nodeHeight: row.node_height.toString() }),
    ...(row?.node_seen_ts != null && { nodeSeenTimestamp: Number(row.node_seen_ts) }),
    ...(row && describeSync(row, { indexed: row.head_height, node: row.node_height }, now)),
    ...(row?.has_index != null && { hasProposers: row.has_index }),
    ...(chainName === 'x-chain' && row?.head_height != null && { vertexCount: vertices.toString() }),
  }
}

/** A part of a whole as a decimal with nine digits; 0 if the whole is 0. */
function partOf(part: bigint, whole: bigint): string {
  const parts = whole === 0n ? 0n : (part * 1_000_000_000n) / whole
  return `${parts / 1_000_000_000n}.${String(parts % 1_000_000_000n).padStart(9, '0')}`
}

const countsOf = (figures: OverviewRow) => ({
  amountStaked: figures.staked,
  amountDelegated: figures.delegated,
  validatorCount: Number(figures.validators),
  pendingValidatorCount: Number(figures.pending_validators),
  delegatorCount: Number(figures.delegators),
  subnetCount: Number(figures.subnets),
  l1Count: Number(figures.l1s),
  blockchainCount: Number(figures.blockchains),
  l1ValidatorCount: Number(figures.l1_validators),
  activeL1ValidatorCount: Number(figures.active_l1_validators),
})

/** The indexing progress and headline figures of a network (contract/network/overview.ts). */
export function primaryOverviewRoutes({ config, store, headCache, clock }: RouteContext): Implementation[] {
  return [
    implement(getNetworkDetails, async ({ params }) => {
      const network = findNetwork(config, params.network)
      const { database } = store.get()
      const view = await openView(database, network)
      if (chainTime(view) === 0) checkIndexed(view, 'p-chain')
      const figures = await readOverview(database, network, chainTime(view))
      const staked = figures?.staked ?? '0'
      const delegated = figures?.delegated ?? '0'
      return {
        validatorDetails: {
          validatorCount: Number(figures?.validators ?? 0n),
          totalAmountStaked: staked,
          estimatedAnnualStakingReward: figures?.potential ?? '0',
          stakingDistributionByVersion: [],
          stakingRatio: partOf(
            BigInt(staked) + BigInt(delegated),
            BigInt(view.statusOf(network.p)?.supply ?? '0'),
          ),
        },
        delegatorDetails: {
          delegatorCount: Number(figures?.delegators ?? 0n),
          totalAmountStaked: delegated,
        },
      }
    }),

    implement(getNetworkOverview, ({ params }) => {
      const network = findNetwork(config, params.network)
      const topics = primaryChainAliases.map((alias) => primaryTopic(network.id, alias))
      return headCache.get(JSON.stringify([getNetworkOverview.id, network.id]), topics, async () => {
        const { database } = store.get()
        const view = await openView(database, network)
        const figures = await readOverview(database, network, chainTime(view))
        const price = openL1Meter(view).price
        const supply = view.statusOf(network.p)?.supply
        return toJson({
          network: network.id,
          name: network.config.name,
          networkId: network.config.networkId,
          addressPrefix: network.config.prefix,
          chains: primaryChainAliases.map((alias) =>
            chainStatus(view, alias, figures?.vertices ?? 0n, clock()),
          ),
          ...(view.avax && { avaxAssetId: view.texts.id(view.avax) }),
          ...(supply != null && { currentSupply: supply }),
          // Before the first block of the P-Chain, nothing is counted.
          ...(figures && view.statusOf(network.p)?.head_height != null && countsOf(figures)),
          ...(price !== undefined && { l1ValidatorFee: price.toString() }),
        })
      })
    }),
  ]
}
