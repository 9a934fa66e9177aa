import { z } from 'zod'
import type { Blockchain, Subnet } from '../../../contract/network/blockchains.ts'
import type {
  Delegator,
  L1Validator,
  listValidators,
  Validator,
} from '../../../contract/network/validators.ts'
import { fromCheckedHex, fromHex, hexText, idOfText } from '../../../protocol/ids/text.ts'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import { splitReward } from '../../../protocol/primary/rewards.ts'
import { maxStakeFactor, maxValidatorStake, wantedUptime } from '../../../protocol/primary/staking-limits.ts'
import { askFor } from '../../node/ask-for.ts'
import type { NodeClient } from '../../node/client.ts'
import type { Nodes } from '../../node/nodes.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import type { ServedNetwork } from '../../primary/served-network.ts'
import type { NetworkView } from '../primary/context.ts'
import { genesisOf } from '../primary/genesis-text.ts'
import { askKnown, decoded } from '../primary/unindexed.ts'

// What the P-Chain's node says now of validators, delegators, L1 validators, subnets and blockchains, while the index is not
// at its head. What only history tells is left out, such as when they were made and what they were paid.

// Nodes send numbers as texts of digits or as numbers.
const digits = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative()]).transform(String)
const decimal = z.union([z.string().regex(/^\d+(\.\d+)?$/), z.number().nonnegative()]).transform(String)

const nodeOwner = z.object({ addresses: z.array(z.string()) })
const nodeDelegator = z.object({
  txID: z.string(),
  startTime: digits,
  endTime: digits,
  weight: digits,
  potentialReward: digits.optional(),
  rewardOwner: nodeOwner.nullish(),
})

const nodeValidators = z.object({
  validators: z.array(
    z.object({
      txID: z.string(),
      nodeID: z.string(),
      startTime: digits,
      endTime: digits,
      weight: digits,
      delegationFee: decimal.optional(),
      uptime: decimal.optional(),
      potentialReward: digits.optional(),
      accruedDelegateeReward: digits.optional(),
      validationRewardOwner: nodeOwner.nullish(),
      signer: z.object({ publicKey: z.string(), proofOfPossession: z.string() }).nullish(),
      delegatorCount: digits.optional(),
      delegatorWeight: digits.optional(),
      delegators: z.array(nodeDelegator).nullish(),
    }),
  ),
})
type NodeValidator = z.output<typeof nodeValidators>['validators'][number]

const clientOf = (nodes: Nodes, network: ServedNetwork): NodeClient => nodes.ofNetwork(network.config, 'P')
/** An address without the chain's alias. */
const bare = (address: string): string => address.replace(/^P-/, '')

/** What a validator and its fees are paid if everybody who stakes with it is. `shares` is its fee in millionths. */
function expectedRewards(found: NodeValidator, shares: number): Validator['potentialRewards'] {
  if (found.potentialReward === undefined) return undefined
  const fees = (found.delegators ?? []).map(
    ({ potentialReward = '0' }) => splitReward(BigInt(potentialReward), shares).share,
  )
  const accrued = BigInt(found.accruedDelegateeReward ?? 0)
  return {
    validationRewardAmount: found.potentialReward,
    delegationRewardAmount: fees.reduce((sum, fee) => sum + fee, accrued).toString(),
    rewardAddresses: (found.validationRewardOwner?.addresses ?? []).map(bare),
  }
}

/** A node's validator as a record. */
function validatorOf(
  found: NodeValidator,
  network: ServedNetwork,
  view: NetworkView,
  subnetId: string,
): Validator {
  const [weight, delegated] = [BigInt(found.weight), BigInt(found.delegatorWeight ?? 0)]
  const isPrimary = subnetId === view.texts.id(primarySubnetId)
  const most = weight * BigInt(maxStakeFactor)
  const room = (most < maxValidatorStake ? most : maxValidatorStake) - weight - delegated
  const rewards = expectedRewards(found, Math.round(Number(found.delegationFee ?? 0) * 10_000))
  const helicon = view.statusOf(network.p)?.helicon_ts
  return {
    txHash: found.txID,
    nodeId: found.nodeID,
    subnetId,
    amountStaked: found.weight,
    ...(found.delegationFee !== undefined && { delegationFee: found.delegationFee }),
    startTimestamp: Number(found.startTime),
    endTimestamp: Number(found.endTime),
    ...(found.signer && { blsCredentials: found.signer }),
    validationStatus: 'active',
    delegatorCount: Number(found.delegatorCount ?? 0),
    amountDelegated: delegated.toString(),
    ...(found.uptime !== undefined && { uptimePerformance: Number(found.uptime) }),
    ...(isPrimary && { delegationCapacity: (room > 0n ? room : 0n).toString() }),
    ...(rewards && { potentialRewards: rewards }),
    ...(isPrimary && {
      uptimeRequirement: wantedUptime(Number(found.startTime), helicon == null ? undefined : Number(helicon)),
    }),
    isIndexed: false,
  }
}

/** The validators of a node's answer; an L1's have no transaction, and are listed apart. */
async function validatorsFrom(client: NodeClient, params: object): Promise<readonly NodeValidator[]> {
  const answer = await askFor(client, nodeValidators, 'platform.getCurrentValidators', [params])
  return answer?.validators ?? []
}

/** The validation of the primary network that a node is in now; undefined if it is in none. Throws NodeUnavailable. */
export async function currentValidation(
  nodes: Nodes,
  network: ServedNetwork,
  view: NetworkView,
  nodeId: string,
): Promise<Validator | undefined> {
  const all = await validatorsFrom(clientOf(nodes, network), { nodeIDs: [nodeId] })
  const found = all.find((each) => each.nodeID === nodeId)
  return found && validatorOf(found, network, view, view.texts.id(primarySubnetId))
}

type Query = z.output<typeof listValidators.query>

/** The values by which validators are filtered and sorted; undefined where a validator has none. */
const valuesOf = (each: Validator, now: number) => ({
  blockIndex: each.startTimestamp,
  startTimestamp: each.startTimestamp,
  timeRemaining: each.endTimestamp - now,
  delegationCapacity: each.delegationCapacity === undefined ? undefined : BigInt(each.delegationCapacity),
  delegationFee: each.delegationFee === undefined ? undefined : Number(each.delegationFee),
  uptimePerformance: each.uptimePerformance,
})

/** Whether a value lies within bounds; one that is absent lies within none. */
const isWithin = <Value extends number | bigint>(
  value: Value | undefined,
  min: Value | undefined,
  max: Value | undefined,
): boolean => {
  if (min === undefined && max === undefined) return true
  return value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max)
}

const bigintOf = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : BigInt(text)

/**
 * The current validators of a subnet, of the primary network without one, as `listValidators` filters and sorts them; the
 * node does not know the order in which they were added: they are in that of their start. Throws NodeUnavailable.
 */
export async function currentValidators(
  nodes: Nodes,
  network: ServedNetwork,
  view: NetworkView,
  query: Query,
  now: number,
): Promise<Validator[]> {
  const { sortBy = 'blockIndex', sortOrder } = query
  const subnetId = query.subnetId ?? view.texts.id(primarySubnetId)
  const found = await validatorsFrom(clientOf(nodes, network), { subnetID: subnetId })
  const parts = query.nodeIds?.map((each) => each.toLowerCase())
  const rows = found
    .filter(({ nodeID }) => parts?.some((part) => nodeID.toLowerCase().includes(part)) !== false)
    .map((each) => validatorOf(each, network, view, subnetId))
    .map((row) => ({ row, values: valuesOf(row, now) }))
    .filter(
      ({ values }) =>
        isWithin(
          values.delegationCapacity,
          bigintOf(query.minDelegationCapacity),
          bigintOf(query.maxDelegationCapacity),
        ) &&
        isWithin(values.timeRemaining, query.minTimeRemaining, query.maxTimeRemaining) &&
        isWithin(values.delegationFee, query.minFeePercentage, query.maxFeePercentage) &&
        isWithin(values.uptimePerformance, query.minUptimePerformance, query.maxUptimePerformance),
    )
  const direction = sortOrder === 'asc' ? 1 : -1
  rows.sort((left, right) => {
    const [a, b] = [left.values[sortBy] ?? -1, right.values[sortBy] ?? -1]
    if (a !== b) return a < b ? -direction : direction
    return left.row.txHash < right.row.txHash ? -direction : direction
  })
  return rows.map(({ row }) => row)
}

/** The most nodes whose delegators are asked for at once: a node lists those of one at a time. */
export const maxNodesAsked = 16

/** The running delegations of nodes of the primary network, latest first. Throws NodeUnavailable. */
export async function currentDelegators(
  nodes: Nodes,
  network: ServedNetwork,
  nodeIds: readonly string[],
): Promise<Delegator[]> {
  const client = clientOf(nodes, network)
  const found = await Promise.all(nodeIds.map((each) => validatorsFrom(client, { nodeIDs: [each] })))
  const rows = found.flat().flatMap((validator) =>
    (validator.delegators ?? []).map((each): Delegator => {
      const { delegationFee = '0' } = validator
      const gross = each.potentialReward
      const shares = Math.round(Number(delegationFee) * 10_000)
      return {
        txHash: each.txID,
        nodeId: validator.nodeID,
        rewardAddresses: (each.rewardOwner?.addresses ?? []).map(bare),
        amountDelegated: each.weight,
        delegationFee,
        startTimestamp: Number(each.startTime),
        endTimestamp: Number(each.endTime),
        delegationStatus: 'active',
        ...(gross !== undefined && {
          estimatedGrossReward: gross,
          estimatedNetReward: splitReward(BigInt(gross), shares).rest.toString(),
        }),
        isIndexed: false,
      }
    }),
  )
  return rows.toSorted(
    (left, right) => right.startTimestamp - left.startTimestamp || (left.txHash < right.txHash ? 1 : -1),
  )
}

const nodeL1Owner = nodeOwner.extend({ threshold: digits.transform(Number) })
const nodeL1 = z.object({
  validationID: z.string(),
  nodeID: z.string(),
  weight: digits,
  startTime: digits,
  publicKey: z.string().nullish(),
  balance: digits.optional(),
  remainingBalanceOwner: nodeL1Owner.nullish(),
  deactivationOwner: nodeL1Owner.nullish(),
})

const l1Owner = (owner: z.output<typeof nodeL1Owner>) => ({ ...owner, addresses: owner.addresses.map(bare) })

function l1Of(client: NodeClient, found: z.output<typeof nodeL1>, subnetId: string): L1Validator {
  const { validationID, balance = '0', publicKey, remainingBalanceOwner, deactivationOwner } = found
  return {
    validationId: validationID,
    validationIdHex: decoded(client, 'a validation', () => hexText(idOfText(validationID))),
    nodeId: found.nodeID,
    subnetId,
    weight: BigInt(found.weight),
    remainingBalance: BigInt(balance),
    creationTimestamp: Number(found.startTime),
    ...(publicKey && { blsCredentials: { publicKey } }),
    ...(remainingBalanceOwner && { remainingBalanceOwner: l1Owner(remainingBalanceOwner) }),
    ...(deactivationOwner && { deactivationOwner: l1Owner(deactivationOwner) }),
    isActive: balance !== '0',
    isIndexed: false,
  }
}

/** The validators of an L1, or one validation, latest first; undefined if the node has none such. Throws NodeUnavailable. */
export async function currentL1Validators(
  nodes: Nodes,
  network: ServedNetwork,
  asked: { readonly subnetId: string } | { readonly validationId: string },
): Promise<L1Validator[] | undefined> {
  const client = clientOf(nodes, network)
  if ('validationId' in asked) {
    const schema = nodeL1.extend({ subnetID: z.string() })
    const found = await askKnown(client, schema, 'platform.getL1Validator', {
      validationID: asked.validationId,
    })
    return found && [l1Of(client, found, found.subnetID)]
  }
  // A subnet that was not converted has validators with transactions instead.
  const schema = z.object({ validators: z.array(z.union([nodeL1, z.object({ txID: z.string() })])) })
  const params = { subnetID: asked.subnetId }
  const found = await askKnown(client, schema, 'platform.getCurrentValidators', params)
  return found?.validators
    .flatMap((each) => ('validationID' in each ? [l1Of(client, each, asked.subnetId)] : []))
    .toSorted(
      (left, right) =>
        right.creationTimestamp - left.creationTimestamp || (left.validationId < right.validationId ? 1 : -1),
    )
}

/** The height of the node's P-Chain, in digits. Throws NodeUnavailable. */
export async function currentHeight(nodes: Nodes, network: ServedNetwork): Promise<string> {
  const answer = await askFor(clientOf(nodes, network), z.object({ height: digits }), 'platform.getHeight', [
    {},
  ])
  return answer?.height ?? '0'
}

const nodeBlockchains = z.object({
  blockchains: z
    .array(z.object({ id: z.string(), name: z.string(), subnetID: z.string(), vmID: z.string() }))
    .nullish(),
})

/** All blockchains that the node has, without their genesis. Throws NodeUnavailable. */
export async function currentBlockchains(nodes: Nodes, network: ServedNetwork): Promise<Blockchain[]> {
  const answer = await askFor(clientOf(nodes, network), nodeBlockchains, 'platform.getBlockchains', [{}])
  return (answer?.blockchains ?? []).map(({ id, name, subnetID, vmID }) => ({
    blockchainId: id,
    vmId: vmID,
    subnetId: subnetID,
    blockchainName: name,
    isIndexed: false,
  }))
}

/** A blockchain with its genesis, from the transaction that made it; undefined if the node has none such. Throws NodeUnavailable. */
export async function currentBlockchain(
  nodes: Nodes,
  network: ServedNetwork,
  blockchainId: string,
): Promise<Blockchain | undefined> {
  const client = clientOf(nodes, network)
  const params = { txID: blockchainId, encoding: 'hex' }
  const found = await askKnown(client, z.object({ tx: z.string() }), 'platform.getTx', params)
  if (!found) return undefined
  const { unsigned } = decoded(client, 'a transaction', () => decodePTx(fromCheckedHex(found.tx).subarray(2)))
  if (unsigned.type !== 'CreateChainTx') return undefined
  const genesis = genesisOf(unsigned.genesis)
  const config = genesis.object?.['config'] as { chainId?: unknown } | undefined
  const number = typeof config?.chainId === 'number' ? BigInt(config.chainId) : undefined
  const all = await currentBlockchains(nodes, network)
  const listed = all.find((each) => each.blockchainId === blockchainId)
  return listed && { ...listed, ...(number !== undefined && { evmChainId: number }), ...genesis.asField() }
}

const nodeSubnets = z.object({
  subnets: z
    .array(
      z.object({ id: z.string(), controlKeys: z.array(z.string()), threshold: digits.transform(Number) }),
    )
    .nullish(),
})
type NodeSubnet = NonNullable<z.output<typeof nodeSubnets>['subnets']>[number]

/** All subnets that the node has. Throws NodeUnavailable. */
export async function currentSubnets(nodes: Nodes, network: ServedNetwork): Promise<readonly NodeSubnet[]> {
  const answer = await askFor(clientOf(nodes, network), nodeSubnets, 'platform.getSubnets', [{}])
  return answer?.subnets ?? []
}

const subnetDetails = z.object({
  locktime: digits,
  conversionID: z.string().nullish(),
  managerChainID: z.string().nullish(),
  managerAddress: z.string().nullish(),
})

/** A subnet with what its node tells of it beyond the list. Throws NodeUnavailable. */
export async function subnetOf(
  nodes: Nodes,
  network: ServedNetwork,
  view: NetworkView,
  { id, controlKeys, threshold }: NodeSubnet,
  blockchains: readonly Blockchain[],
): Promise<Subnet> {
  const none = view.texts.id(primarySubnetId)
  const client = clientOf(nodes, network)
  const details =
    id === none ? undefined : await askKnown(client, subnetDetails, 'platform.getSubnet', { subnetID: id })
  const owner = {
    addresses: controlKeys.map(bare),
    threshold,
    locktime: BigInt(details?.locktime ?? 0),
  }
  const isL1 = details?.conversionID != null && details.conversionID !== none
  return {
    subnetId: id,
    ownerAddresses: owner.addresses,
    threshold: owner.threshold,
    locktime: owner.locktime,
    subnetOwnershipInfo: owner,
    isL1,
    ...(isL1 &&
      details.managerChainID && {
        l1ValidatorManagerDetails: {
          blockchainId: details.managerChainID,
          contractAddress: hexText(fromHex(details.managerAddress ?? '0x')),
        },
      }),
    blockchains: blockchains.filter(({ subnetId }) => subnetId === id),
    isIndexed: false,
  }
}
