import { formatUnits } from 'viem'
import { z } from 'zod'
import { listSubnets } from '../../../contract/network/blockchains.ts'
import { getNetworkOverview } from '../../../contract/network/overview.ts'
import { getNodeFeed, getValidatorDistribution } from '../../../contract/network/staking.ts'
import {
  listL1Validators,
  listNodeValidations,
  listValidators,
  validationStatuses,
  validatorSortKeys,
  type L1Validator,
  type Validator,
} from '../../../contract/network/validators.ts'
import { cb58Id, nodeId as nodeIdText } from '../../../contract/primary/fields.ts'
import { primaryChainIds } from '../../../contract/primary/chains.ts'
import { getValidatorOutlook } from '../../../contract/watch/outlook.ts'
import { avaxDecimals, limitInput, networkInput, span, tool, utc, whole, type ToolContext } from './tool.ts'

const avax = (amount: string | bigint): string => formatUnits(BigInt(amount), avaxDecimals)

/** An uptime against what a reward needs. */
const uptimeText = (uptime: number | undefined, needed: number | undefined): string =>
  uptime === undefined
    ? 'uptime unknown'
    : `uptime ${uptime} %${needed === undefined ? '' : ` (${needed} % are needed)`}`

const validator = z.object({
  nodeId: z.string(),
  status: z.string(),
  stake: z.string().describe('In AVAX, for subnets in their token'),
  delegated: z.string().optional(),
  delegatorCount: z.int().optional(),
  capacity: z.string().optional().describe('What can still be delegated to it'),
  feePercent: z.string().optional(),
  uptimePercent: z.number().optional().describe('As the configured node measures it'),
  uptimeRequirement: z.number().optional().describe('What a reward needs, in percent'),
  startTimestamp: z.int(),
  endTimestamp: z.int(),
  url: z.string(),
})

const describe = (each: Validator, network: string, { page }: ToolContext): z.input<typeof validator> => ({
  nodeId: each.nodeId,
  status: each.validationStatus,
  stake: avax(each.amountStaked),
  ...(each.amountDelegated !== undefined && { delegated: avax(each.amountDelegated) }),
  ...(each.delegatorCount !== undefined && { delegatorCount: each.delegatorCount }),
  ...(each.delegationCapacity !== undefined && { capacity: avax(each.delegationCapacity) }),
  ...(each.delegationFee !== undefined && { feePercent: each.delegationFee }),
  ...(each.uptimePerformance !== undefined && { uptimePercent: each.uptimePerformance }),
  ...(each.uptimeRequirement !== undefined && { uptimeRequirement: each.uptimeRequirement }),
  startTimestamp: each.startTimestamp,
  endTimestamp: each.endTimestamp,
  url: page('validator', network, each.nodeId),
})

export const validators = tool({
  name: 'list_validators',
  title: 'Validators and their health',
  description:
    'How many validators the primary network has, what they stake and how their uptimes are distributed, and a list by uptime, time left, fee or capacity: to find those whose uptime is below what their reward needs, or one to delegate to.',
  input: z.strictObject({
    network: networkInput,
    sortBy: z.enum(validatorSortKeys).default('timeRemaining'),
    order: z.enum(['asc', 'desc']).default('asc'),
    status: z.enum(validationStatuses).default('active'),
    maxUptime: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe('Only those with at most this uptime in percent'),
    maxFee: z.number().min(0).max(100).optional().describe('Only those with at most this fee in percent'),
    minCapacity: z.number().min(0).optional().describe('Only those that take at least so many AVAX'),
    limit: limitInput(100, 20),
  }),
  output: z.object({
    network: z.string(),
    validatorCount: z.int().describe('Active ones of the primary network'),
    delegatorCount: z.int(),
    staked: z.string().describe('In AVAX'),
    delegated: z.string().describe('In AVAX'),
    uptime: z
      .array(z.object({ from: z.number(), below: z.number().optional(), validatorCount: z.int() }))
      .describe('Active validators by uptime in percent'),
    validators: z.array(validator),
    hasMore: z.boolean(),
    url: z.string(),
  }),
  async run({ network, sortBy, order, status, maxUptime, maxFee, minCapacity, limit }, context) {
    const { ask, page, networkOf } = context
    const served = await networkOf(network)
    const params = { network: served }
    const [overview, distribution, { validators: listed, nextPageToken }] = await Promise.all([
      ask.operation(getNetworkOverview, { params }),
      ask.operation(getValidatorDistribution, { params }),
      ask.operation(listValidators, {
        params,
        query: {
          // Stakes of other subnets are in their own tokens, and earn no reward of the network.
          subnetId: primaryChainIds.p,
          sortBy,
          sortOrder: order,
          validationStatus: status,
          ...(maxUptime !== undefined && { maxUptimePerformance: maxUptime }),
          ...(maxFee !== undefined && { maxFeePercentage: maxFee }),
          ...(minCapacity !== undefined && {
            minDelegationCapacity: String(BigInt(Math.ceil(minCapacity)) * 10n ** BigInt(avaxDecimals)),
          }),
          pageSize: limit,
        },
      }),
    ])
    // The distribution is a 503 before the first block of the P-Chain, from which on all of these are counted.
    const { validatorCount = 0, delegatorCount = 0, amountStaked = '0', amountDelegated = '0' } = overview
    const rows = listed.map((each) => describe(each, served, context))
    const url = page('validators', served)
    return {
      text: [
        `On ${served}, active validators: ${validatorCount} with ${avax(amountStaked)} AVAX; delegations: ${delegatorCount} with ${avax(amountDelegated)} AVAX.`,
        ...rows.map(
          (row) =>
            `${row.nodeId}: ${row.status}, ${row.stake} AVAX, ${uptimeText(
              row.uptimePercent,
              row.uptimeRequirement,
            )}, fee ${row.feePercent ?? 'unknown'} %, ends ${utc(row.endTimestamp)}`,
        ),
        ...(nextPageToken === undefined ? [] : ['There are more.']),
        url,
      ],
      data: {
        network: served,
        validatorCount,
        delegatorCount,
        staked: avax(amountStaked),
        delegated: avax(amountDelegated),
        uptime: distribution.uptime.map(({ from, below, validatorCount }) => ({
          from,
          ...(below !== undefined && { below }),
          validatorCount,
        })),
        validators: rows,
        hasMore: nextPageToken !== undefined,
        url,
      },
    }
  },
})

export const oneValidator = tool({
  name: 'get_validator',
  title: 'One validator',
  description:
    'How a validator is doing: whether it is connected, its uptime against what its reward needs, how long it can still be offline, its stake, delegations, potential reward and time left, its L1 validations and when their balances run out.',
  input: z.strictObject({
    nodeId: z.string().refine((text) => nodeIdText.safeParse(text).success, 'must be a node ID: NodeID-…'),
    network: networkInput,
  }),
  output: z.object({
    nodeId: z.string(),
    network: z.string(),
    timestamp: z.int().optional().describe('The chain time of the figures; absent if the index is behind'),
    isConnected: z.boolean().optional(),
    validations: z.array(validator).describe('The latest ones, at most five'),
    outlook: z
      .object({
        isUptimeReachable: z.boolean().optional(),
        spareSeconds: z.int().optional().describe('How long it can still be offline and keep its reward'),
        potentialReward: z.string().optional().describe('In AVAX'),
        rewardIfItStopsNow: z.string().optional().describe('In AVAX'),
        renewsItself: z.boolean(),
      })
      .optional()
      .describe('Of the present validation'),
    l1Validations: z.array(
      z.object({
        validationId: z.string(),
        subnetId: z.string(),
        isActive: z.boolean(),
        weight: z.string(),
        balance: z.string().describe('In AVAX'),
        secondsRemaining: z.int().optional().describe('Until the balance runs out at the present fee'),
      }),
    ),
    url: z.string(),
  }),
  async run({ nodeId, network }, context) {
    const { ask, page, networkOf } = context
    const served = await networkOf(network)
    const params = { network: served, nodeId }
    const [known, { validators: validations }, outlook] = await Promise.all([
      ask.found(getNodeFeed, { params }),
      ask.operation(listNodeValidations, { params, query: { pageSize: 5 } }),
      ask.found(getValidatorOutlook, { params }),
    ])
    const rows = validations.map((each) => describe(each, served, context))
    const url = page('validator', served, nodeId)
    // While the index is behind, its node may know of a validation that the feed does not have.
    const [present] = validations
    const feed = known ?? (present ? undefined : await ask.operation(getNodeFeed, { params }))
    const status = feed ? feed.validationStatus : present?.validationStatus
    const uptime = feed ? feed.uptimePerformance : present?.uptimePerformance
    const needed = feed ? feed.uptimeRequirement : present?.uptimeRequirement
    const l1Validations = (feed?.l1Validations ?? []).map((each) => ({
      validationId: each.validationId,
      subnetId: each.subnetId,
      isActive: each.isActive,
      weight: whole(each.weight),
      balance: avax(BigInt(each.remainingBalance)),
      ...(each.secondsRemaining !== undefined && { secondsRemaining: each.secondsRemaining }),
    }))
    const spare = outlook?.uptime?.spareSeconds
    return {
      text: [
        `${nodeId} is ${status ?? 'no validator of the primary network'}${
          feed?.isConnected === undefined ? '' : `, ${feed.isConnected ? 'connected' : 'not connected'}`
        }${uptime === undefined ? '' : `, ${uptimeText(uptime, needed)}`}${
          feed?.secondsRemaining === undefined ? '' : `, ends in ${span(feed.secondsRemaining)}`
        }.`,
        ...(feed || !present
          ? []
          : [`The index is behind: this is what its node says. It ends ${utc(present.endTimestamp)}.`]),
        ...(spare === undefined
          ? []
          : [
              outlook?.uptime?.isReachable === true
                ? `It can be offline for another ${span(spare)} and keep its reward.`
                : 'It can no longer reach the uptime that its reward needs.',
            ]),
        ...(outlook?.reward === undefined
          ? []
          : [`Potential reward ${avax(outlook.reward.potential)} AVAX.`]),
        ...l1Validations.map(
          (each) =>
            `L1 ${each.subnetId}: ${each.isActive ? 'active' : 'inactive'}, ${each.balance} AVAX${
              each.secondsRemaining === undefined ? '' : `, runs out in ${span(each.secondsRemaining)}`
            }`,
        ),
        url,
      ],
      data: {
        nodeId,
        network: served,
        ...(feed && { timestamp: feed.timestamp }),
        ...(feed?.isConnected !== undefined && { isConnected: feed.isConnected }),
        validations: rows,
        ...(outlook && {
          outlook: {
            ...(outlook.uptime && {
              isUptimeReachable: outlook.uptime.isReachable,
              spareSeconds: outlook.uptime.spareSeconds,
            }),
            ...(outlook.reward && {
              potentialReward: avax(outlook.reward.potential),
              rewardIfItStopsNow: avax(outlook.reward.ifItStopsNow),
            }),
            renewsItself: outlook.renewsItself,
          },
        }),
        l1Validations,
        url,
      },
    }
  },
})

/** The most pages of L1 validators, of a hundred each, that an answer is made from. */
const maxPages = 10

export const l1s = tool({
  name: 'list_l1s',
  title: 'L1s and when they run out',
  description:
    'The L1s of a network with their validators, the balances that pay for them, and when the first of them runs out, the most urgent first.',
  input: z.strictObject({
    network: networkInput,
    subnetId: z
      .string()
      .refine((text) => cb58Id.safeParse(text).success, 'must be a subnet ID in cb58')
      .optional()
      .describe('Only this L1'),
  }),
  output: z.object({
    network: z.string(),
    l1s: z.array(
      z.object({
        subnetId: z.string(),
        blockchains: z.array(z.string()).describe('The names of its blockchains'),
        activeValidators: z.int(),
        inactiveValidators: z.int(),
        weight: z.string().describe('Of the active ones'),
        balance: z.string().describe('In AVAX, of all its validators'),
        firstEmptyTimestamp: z
          .string()
          .optional()
          .describe('Unix seconds: when the first active one runs out'),
        firstEmptyNodeId: z.string().optional(),
        url: z.string(),
      }),
    ),
    feePerSecond: z.string().optional().describe('What an active L1 validator pays, in nAVAX'),
    isComplete: z.boolean().describe('Whether all validators were counted: at most 1,000'),
    url: z.string(),
  }),
  async run({ network, subnetId }, { ask, page, networkOf }) {
    const served = await networkOf(network)
    const params = { network: served }
    const [overview, { subnets }] = await Promise.all([
      ask.operation(getNetworkOverview, { params }),
      ask.operation(listSubnets, { params, query: { pageSize: 10_000 } }),
    ])
    const found: L1Validator[] = []
    let pageToken: string | undefined
    for (let count = 0; count < maxPages && (count === 0 || pageToken !== undefined); count += 1) {
      const answer = await ask.operation(listL1Validators, {
        params,
        query: { pageSize: 100, includeInactiveL1Validators: true, subnetId, pageToken },
      })
      found.push(...answer.validators)
      pageToken = answer.nextPageToken
    }
    const chosen = subnets.filter(
      (each) => each.isL1 && (subnetId === undefined || each.subnetId === subnetId),
    )
    const rows = chosen
      .map((subnet) => {
        const own = found.filter((each) => each.subnetId === subnet.subnetId && BigInt(each.weight) > 0n)
        const active = own.filter(({ isActive }) => isActive === true)
        const first = active
          .filter(({ emptyTimestamp }) => emptyTimestamp !== undefined)
          .toSorted((left, right) => Number(left.emptyTimestamp) - Number(right.emptyTimestamp))[0]
        return {
          subnetId: subnet.subnetId,
          blockchains: subnet.blockchains.map(({ blockchainName }) => blockchainName),
          activeValidators: active.length,
          inactiveValidators: own.length - active.length,
          weight: whole(active.reduce((sum, { weight }) => sum + BigInt(weight), 0n)),
          balance: avax(own.reduce((sum, { remainingBalance }) => sum + BigInt(remainingBalance), 0n)),
          ...(first?.emptyTimestamp !== undefined && {
            firstEmptyTimestamp: whole(first.emptyTimestamp),
            firstEmptyNodeId: first.nodeId,
          }),
          url: page('subnet', served, subnet.subnetId),
        }
      })
      .toSorted(
        (left, right) =>
          Number(left.firstEmptyTimestamp ?? Infinity) - Number(right.firstEmptyTimestamp ?? Infinity),
      )
    const url = page('l1Validators', served)
    return {
      text: [
        `${rows.length} L1s on ${served}.`,
        ...rows.map(
          (row) =>
            `${row.blockchains.join(', ') || row.subnetId}: ${row.activeValidators} active and ${
              row.inactiveValidators
            } inactive validators, ${row.balance} AVAX${
              row.firstEmptyTimestamp === undefined
                ? ''
                : `, the first runs out on ${utc(Number(row.firstEmptyTimestamp))}`
            }: ${row.url}`,
        ),
        url,
      ],
      data: {
        network: served,
        l1s: rows,
        ...(overview.l1ValidatorFee !== undefined && { feePerSecond: overview.l1ValidatorFee }),
        isComplete: pageToken === undefined,
        url,
      },
    }
  },
})
