import type { z } from 'zod'
import {
  listDelegators,
  listNodeValidations,
  listValidators,
  type Delegator,
  type Validator,
} from '../../../contract/network/validators.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { Database } from '../../store/database.ts'
import { beforeAllTxs, txCursor, type Order } from '../../store/primary/read-primary.ts'
import { readDelegators, type DelegatorRow } from '../../store/network/read-delegators.ts'
import {
  readStakeOfSubnets,
  readValidators,
  type ValidatorFilter,
  type ValidatorKey,
  type ValidatorRow,
} from '../../store/network/read-validators.ts'
import { fillPage, openList } from '../../http/keyset-list.ts'
import type { Operation } from '../../../contract/base/operation.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { addressesOf, idOf, nodeOf } from '../../primary/request-values.ts'
import { ifKnown } from '../../node/state.ts'
import { chainTime, openView, type NetworkView } from '../primary/context.ts'
import { isChainBehind } from '../primary/behind.ts'
import { findNetwork, type ServedNetwork } from '../../primary/served-network.ts'
import { pageOfNode } from '../primary/node-lists.ts'
import { NodeNames } from './node-names.ts'
import { currentDelegators, currentValidation, currentValidators, maxNodesAsked } from './unindexed.ts'
import { percentOf } from '../primary/transaction-fields.ts'
import { wantedUptime } from '../../../protocol/primary/staking-limits.ts'

const validatorCursor = { ...txCursor, key: 'text' } as const

/**
 * The fields of a validation in an answer (docs/api.md, Primary network; for fields by status, the hosted
 * API).
 */
function validatorFields(
  row: ValidatorRow,
  view: NetworkView,
  stakes: ReadonlyMap<string, bigint>,
): Validator {
  const { texts } = view
  const isPending = row.status === 'pending'
  const stake = stakes.get(row.subnet.toString('hex'))
  const rewardAddresses = texts.addresses(row.reward_addresses)
  return {
    txHash: texts.id(row.tx_id),
    nodeId: texts.node(row.node),
    subnetId: texts.id(row.subnet),
    amountStaked: row.weight,
    ...(row.shares !== null && { delegationFee: percentOf(row.shares) }),
    startTimestamp: Number(row.start_ts),
    endTimestamp: Number(row.end_ts),
    ...(row.bls_key !== null && {
      blsCredentials: {
        publicKey: hexText(row.bls_key),
        proofOfPossession: hexText(row.bls_proof ?? Buffer.alloc(0)),
      },
    }),
    validationStatus: row.status,
    ...(!isPending && { delegatorCount: row.delegator_count, amountDelegated: row.delegated }),
    ...(row.status === 'completed' && {
      rewards: {
        validationRewardAmount: row.reward ?? '0',
        delegationRewardAmount: row.delegation_reward ?? '0',
        rewardAddresses,
        ...texts.optional('rewardTxHash', row.ended_tx),
      },
    }),
    ...(row.status === 'active' &&
      stake !== undefined &&
      stake > 0n && { stakePercentage: percentage(BigInt(row.weight), stake) }),
    ...(row.uptime !== null && { uptimePerformance: row.uptime }),
    ...(row.capacity !== null && { delegationCapacity: row.capacity }),
    ...(row.status === 'active' &&
      row.potential_reward !== null && {
        potentialRewards: {
          validationRewardAmount: row.potential_reward,
          delegationRewardAmount: row.expected_fees ?? '0',
          rewardAddresses,
        },
      }),
    ...requirementOf(row, view),
    ...(row.compound_shares !== null && { autoRenewal: renewalFields(row, row.compound_shares, view) }),
    ...(row.status === 'removed' && {
      ...texts.optional('removeTxHash', row.ended_tx),
      ...(row.ended_ts !== null && { removeTimestamp: Number(row.ended_ts) }),
    }),
  }
}

/** The uptime that a current or pending validator of the primary network needs for a reward. */
export function requirementOf(row: ValidatorRow, view: NetworkView): { uptimeRequirement?: number } {
  const isCurrent = row.status === 'active' || row.status === 'pending'
  if (!isCurrent || row.shares === null || !row.subnet.equals(primarySubnetId)) return {}
  const helicon = view.statusOf(view.network.p)?.helicon_ts
  return {
    uptimeRequirement: wantedUptime(Number(row.start_ts), helicon == null ? undefined : Number(helicon)),
  }
}

const renewalFields = (row: ValidatorRow, compoundShares: number, { texts }: NetworkView) => ({
  autoCompoundPercentage: percentOf(compoundShares),
  nextPeriodSeconds: Number(row.next_period),
  authorityAddresses: texts.addresses(row.authority_addresses ?? []),
  restakedValidationRewardAmount: row.accrued_reward ?? '0',
  restakedDelegationRewardAmount: row.accrued_delegation_reward ?? '0',
  pendingDelegationRewardAmount: row.pending_delegation_reward ?? '0',
})

/** A share in percent, with nine decimals. */
export const percentage = (part: bigint, whole: bigint): number =>
  Number((part * 100_000_000_000n) / whole) / 1_000_000_000

function delegatorFields(row: DelegatorRow, { texts }: NetworkView): Delegator {
  const isPaid = row.outcome === 'rewarded'
  return {
    txHash: texts.id(row.tx_id),
    nodeId: texts.node(row.node),
    rewardAddresses: texts.addresses(row.reward_addresses),
    amountDelegated: row.weight,
    delegationFee: percentOf(row.shares),
    startTimestamp: Number(row.start_ts),
    endTimestamp: Number(row.end_ts),
    delegationStatus: row.status,
    ...(row.status === 'completed'
      ? { grossReward: isPaid ? (row.gross ?? '0') : '0', netReward: isPaid ? (row.net ?? '0') : '0' }
      : {
          ...(row.gross !== null && { estimatedGrossReward: row.gross }),
          ...(row.net !== null && { estimatedNetReward: row.net }),
        }),
  }
}

/** Validators, the validations of one node, and delegators (docs/api.md, Primary network; the hosted API). */
export function primaryValidatorRoutes(context: RouteContext): Implementation[] {
  const { config, store, nodes, clock } = context
  const names = new NodeNames()
  const known = new Map<number, KnownStakes>()

  const page = async (
    network: ServedNetwork,
    operation: Operation,
    filters: Record<string, unknown>,
    filter: ValidatorFilter,
    sort: { by: ValidatorKey | undefined; order: Order },
    query: { pageToken?: string | undefined; pageSize: number },
    /** What stands before the first row of the list, in a view of the network. */
    first?: (view: NetworkView) => Promise<Validator | undefined>,
  ) => {
    const { database } = store.get()
    const view = await openView(database, network)
    const before = query.pageToken === undefined ? await first?.(view) : undefined
    const pageSize = query.pageSize - (before ? 1 : 0)
    const list = openList(
      context,
      operation,
      validatorCursor,
      { network: network.id, ...filters },
      { ...query, pageSize },
    )
    const { rows, nextPageToken } = await list.walk(
      { ...beforeAllTxs[sort.order], key: '' },
      (after, pageSize) =>
        fillPage(pageSize, after, (past, limit, lookAt) =>
          readValidators(database, network.p, chainTime(view), filter, sort, past, limit, lookAt),
        ),
    )
    const stakes = await stakesOf(known, database, view, rows)
    const validators = rows.map((row) => validatorFields(row, view, stakes))
    // What is indexed meanwhile is not listed twice.
    const isKnown = validators.some(({ txHash }) => txHash === before?.txHash)
    const answer: z.input<typeof listValidators.response> = {
      nextPageToken,
      validators: before && !isKnown ? [before, ...validators] : validators,
    }
    return new JsonText(toJson(answer))
  }

  return [
    implement(listValidators, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const { validationStatus: status, sortBy } = query
      const isNow = status === undefined || status === 'active'
      const view = await openView(store.get().database, network)
      const now =
        isNow &&
        (await pageOfNode(context, listValidators, view, network.p, query, () =>
          currentValidators(nodes, network, view, query, clock()),
        ))
      if (now) return { nextPageToken: now.nextPageToken, validators: now.rows, isIndexed: false as const }
      const isByBlock = sortBy === undefined || sortBy === 'blockIndex'
      if (!isByBlock && (status === 'completed' || status === 'removed')) {
        throw badRequest([`sortBy: ${sortBy} is supported only for active and pending validations`])
      }
      // Current and pending validations lie between many ended ones, so they are read separately, also in
      // block order.
      const isCurrent = status === 'active' || status === 'pending'
      const by = isByBlock ? (isCurrent ? 'blockIndex' : undefined) : sortBy
      const named = query.nodeIds && (await names.find(store.get().database, network.p, query.nodeIds))
      const filter: ValidatorFilter = {
        nodes: named,
        status,
        subnet: query.subnetId === undefined ? undefined : idOf('subnetId', query.subnetId),
        minCapacity: query.minDelegationCapacity,
        maxCapacity: query.maxDelegationCapacity,
        minRemaining: query.minTimeRemaining,
        maxRemaining: query.maxTimeRemaining,
        minFee: query.minFeePercentage,
        maxFee: query.maxFeePercentage,
        minUptime: query.minUptimePerformance,
        maxUptime: query.maxUptimePerformance,
      }
      return page(network, listValidators, {}, filter, { by, order: query.sortOrder }, query)
    }),

    implement(listNodeValidations, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = { nodes: [nodeOf('nodeId', params.nodeId)], status: query.validationStatus }
      const filters = { nodeId: params.nodeId }
      const isWanted = query.validationStatus === undefined || query.validationStatus === 'active'
      // A page of one would have no place for a row of the index.
      const asksNode = isWanted && query.sortOrder === 'desc' && query.pageSize > 1
      return page(
        network,
        listNodeValidations,
        filters,
        filter,
        { by: undefined, order: query.sortOrder },
        query,
        async (view) =>
          asksNode && isChainBehind(view, network.p)
            ? ifKnown(currentValidation(nodes, network, view, params.nodeId))
            : undefined,
      )
    }),

    implement(listDelegators, async ({ params, query }) => {
      const network = findNetwork(config, params.network)
      const filter = {
        addresses: query.rewardAddresses && addressesOf(network, query.rewardAddresses),
        nodes: query.nodeIds?.map((text) => nodeOf('nodeIds', text)),
        status: query.delegationStatus,
      }
      const { database } = store.get()
      const view = await openView(database, network)
      const { nodeIds = [], delegationStatus = 'active', rewardAddresses } = query
      // A node tells the delegators of one validator at a time.
      const isNow = delegationStatus === 'active' && nodeIds.length > 0 && nodeIds.length <= maxNodesAsked
      const now =
        isNow &&
        (await pageOfNode(context, listDelegators, view, network.p, query, async () => {
          const all = await currentDelegators(nodes, network, nodeIds)
          const wanted = rewardAddresses && view.texts.addresses(filter.addresses ?? [])
          return wanted
            ? all.filter((each) => each.rewardAddresses.some((address) => wanted.includes(address)))
            : all
        }))
      if (now) return { nextPageToken: now.nextPageToken, delegators: now.rows, isIndexed: false as const }
      const list = openList(context, listDelegators, txCursor, { network: network.id }, query)
      const { rows, nextPageToken } = await list.walk(beforeAllTxs[query.sortOrder], (after, pageSize) =>
        fillPage(pageSize, after, (past, limit, lookAt) =>
          readDelegators(database, network.p, chainTime(view), filter, past, query.sortOrder, limit, lookAt),
        ),
      )
      return {
        nextPageToken,
        delegators: rows.map((row) => delegatorFields(row, view)),
      }
    }),
  ]
}

/** The stakes of subnets at a head. */
type KnownStakes = { readonly head: string; readonly stakes: Map<string, bigint> }

/**
 * Reads the total stake of the rows' subnets, each once per block, because it is a sum over all validators.
 */
async function stakesOf(
  known: Map<number, KnownStakes>,
  database: Database,
  view: NetworkView,
  rows: readonly ValidatorRow[],
): Promise<ReadonlyMap<string, bigint>> {
  const { p } = view.network
  const head = `${view.statusOf(p)?.head_height} ${chainTime(view)}`
  let entry = known.get(p)
  if (entry?.head !== head) {
    entry = { head, stakes: new Map() }
    known.set(p, entry)
  }
  const { stakes } = entry
  const active = rows.filter((row) => row.status === 'active').map((row) => row.subnet)
  const missing = new Map(
    active.map((subnet) => [subnet.toString('hex'), subnet] as const).filter(([text]) => !stakes.has(text)),
  )
  if (missing.size > 0) {
    const read = await readStakeOfSubnets(database, p, chainTime(view), [...missing.values()])
    for (const [text, stake] of read) stakes.set(text, stake)
  }
  return stakes
}
