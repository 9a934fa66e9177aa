import { type BalanceItem, getPrimaryBalances } from '../../contract/primary/balances.ts'
import { getNetworkOverview } from '../../contract/network/overview.ts'
import { listDelegators, listValidators } from '../../contract/network/validators.ts'
import { ask } from './node.ts'
import { untilIndexed, type Service } from './service.ts'

/** Supply, validators, delegators and balances at a height, in one shape for the node and the service. */
type StakingState = {
  readonly supply: string | undefined
  readonly validators: readonly Readonly<Record<string, unknown>>[]
  readonly delegators: readonly Readonly<Record<string, unknown>>[]
  /** For each address, in nAVAX: its unstaked balance and its stake. */
  readonly owned: readonly { readonly address: string; readonly balance: string; readonly staked: string }[]
}

type Asked = {
  readonly nodeUrl: string
  readonly service: Service
  /** Without a chain prefix. */
  readonly addresses: readonly string[]
  /** The nodes whose delegators are compared: the node lists them only for a single validator. */
  readonly nodeIds: readonly string[]
}

const primary = '11111111111111111111111111111111LpoYY'
const byTx = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): number =>
  String(a['txID']).localeCompare(String(b['txID']))
const sum = (items: readonly BalanceItem[] | undefined): bigint =>
  (items ?? []).reduce((total, { amount }) => total + BigInt(amount), 0n)

/** The state of the node and of the service at the same height of the P-Chain. */
export async function readStakingStates(
  asked: Asked,
): Promise<{ readonly theirs: StakingState; readonly ours: StakingState }> {
  const url = `${asked.nodeUrl}/ext/bc/P`
  const heightOf = async (): Promise<string> =>
    (await ask<{ height: string }>(url, 'platform.getHeight')).height
  for (;;) {
    const height = await heightOf()
    await untilIndexed(asked.service, asked.nodeUrl, getNetworkOverview)
    const found = { theirs: await stateOfNode(url, asked), ours: await stateOfService(asked) }
    if ((await heightOf()) === height) return found
  }
}

type NodeStaker = {
  readonly txID: string
  readonly nodeID: string
  readonly weight: string
  readonly startTime: string
  readonly endTime: string
  readonly potentialReward: string
}

type NodeValidator = {
  readonly delegationFee: string
  readonly delegatorCount: string
  readonly delegatorWeight: string
  readonly accruedDelegateeReward: string
  /** Auto-renewed validators only, like the next two. */
  readonly nextPeriod?: string
  readonly autoCompoundRewardShares?: string | number
  readonly validatorAuthority?: { readonly addresses: readonly string[] }
  readonly delegators?: readonly NodeStaker[] | null
} & NodeStaker

const termsOf = ({ txID, nodeID, weight, startTime, endTime, potentialReward }: NodeStaker) => ({
  txID,
  nodeID,
  weight,
  startTime: Number(startTime),
  endTime: Number(endTime),
  potentialReward,
})

async function stateOfNode(url: string, { addresses, nodeIds }: Asked): Promise<StakingState> {
  const current = async (params: object): Promise<readonly NodeValidator[]> =>
    (await ask<{ validators: NodeValidator[] }>(url, 'platform.getCurrentValidators', params)).validators
  const { supply } = await ask<{ supply: string }>(url, 'platform.getCurrentSupply')
  const validators = await current({})
  const chosen = await Promise.all(nodeIds.map((nodeID) => current({ nodeIDs: [nodeID] })))
  const owned = await Promise.all(
    addresses.map(async (address) => {
      const given = { addresses: [`P-${address}`] }
      const { balance } = await ask<{ balance: string }>(url, 'platform.getBalance', given)
      const { staked } = await ask<{ staked: string }>(url, 'platform.getStake', given)
      return { address, balance, staked }
    }),
  )
  return {
    supply,
    validators: validators
      .map((each) => ({
        ...termsOf(each),
        delegationFee: Number(each.delegationFee),
        delegatorCount: Number(each.delegatorCount),
        delegatorWeight: each.delegatorWeight,
        renewal: each.nextPeriod !== undefined && {
          nextPeriod: Number(each.nextPeriod),
          percentage: Number(each.autoCompoundRewardShares) / 10_000,
          authority: each.validatorAuthority?.addresses.map((address) => address.replace(/^P-/, '')),
          pending: each.accruedDelegateeReward,
        },
      }))
      .sort(byTx),
    delegators: chosen
      .flat()
      .flatMap(({ delegators }) => delegators ?? [])
      .map(termsOf)
      .sort(byTx),
    owned,
  }
}

async function stateOfService({ service, addresses, nodeIds }: Asked): Promise<StakingState> {
  const { currentSupply } = await service.get(getNetworkOverview, {})
  const active = { validationStatus: 'active', subnetId: primary } as const
  const validators = await service.all(listValidators, 'validators', {}, active)
  const chosen = { delegationStatus: 'active', nodeIds: nodeIds.join(',') } as never
  const delegators = await service.all(listDelegators, 'delegators', {}, chosen)
  const owned = await Promise.all(
    addresses.map(async (address) => {
      const place = { blockchainId: 'p-chain' } as const
      const { balances } = await service.get(getPrimaryBalances, place, { addresses: address } as never)
      const { unlockedUnstaked, lockedPlatform, lockedStakeable, unlockedStaked, lockedStaked } = balances
      return {
        address,
        balance: String(sum(unlockedUnstaked) + sum(lockedPlatform) + sum(lockedStakeable)),
        staked: String(sum(unlockedStaked) + sum(lockedStaked)),
      }
    }),
  )
  return {
    supply: currentSupply,
    validators: validators
      .map((each) => ({
        txID: each.txHash,
        nodeID: each.nodeId,
        weight: each.amountStaked,
        startTime: each.startTimestamp,
        endTime: each.endTimestamp,
        potentialReward: each.potentialRewards?.validationRewardAmount,
        delegationFee: Number(each.delegationFee),
        delegatorCount: each.delegatorCount,
        delegatorWeight: each.amountDelegated,
        renewal: each.autoRenewal !== undefined && {
          nextPeriod: each.autoRenewal.nextPeriodSeconds,
          percentage: Number(each.autoRenewal.autoCompoundPercentage),
          authority: each.autoRenewal.authorityAddresses.map((address) => address.replace(/^P-/, '')),
          pending: each.autoRenewal.pendingDelegationRewardAmount,
        },
      }))
      .sort(byTx),
    delegators: delegators
      .map((each) => ({
        txID: each.txHash,
        nodeID: each.nodeId,
        weight: each.amountDelegated,
        startTime: each.startTimestamp,
        endTime: each.endTimestamp,
        potentialReward: each.estimatedGrossReward,
      }))
      .sort(byTx),
    owned,
  }
}
