import { sampledNetworkMetrics } from './network-samples.ts'
import { timeIntervals, type TimeInterval } from './intervals.ts'

export const networkMetricGroups = [
  'Stake',
  'Validators and delegations',
  'Concentration',
  'Rewards and supply',
  'Transactions',
  'Fees and UTXOs',
  'Subnets and L1s',
  'Uptime and peers',
] as const

/** The unit of a value. An `amount` is in nAVAX; pages show it in AVAX. An `index` has no unit. */
export type NetworkMetricUnit =
  | 'amount'
  | '%'
  | 'index'
  | 'validators'
  | 'delegations'
  | 'tx'
  | 'UTXOs'
  | 'subnets'
  | 'blockchains'
  | 'L1s'
  | 'peers'

/** The description of a metric of a network, from which the service, pages and API documents are derived. */
export type NetworkMetricEntry = {
  /**
   * - `sum`: what happened in the period
   * - `level`: the state after the last second of the period, or at the head of the chain in the open period
   */
  readonly kind: 'sum' | 'level'
  /** The chain whose blocks the value is read from; its head ends the series. */
  readonly chain: 'p-chain' | 'x-chain' | 'c-chain'
  readonly title: string
  readonly group: (typeof networkMetricGroups)[number]
  /** What a value counts, as shown on pages and in the OpenAPI document. */
  readonly about: string
  readonly unit: NetworkMetricUnit
  /** The series continues after the head, to the end of the last active stake. */
  readonly isPlanned?: true
  /** A level that changes all the time: a line between its values has those in between. */
  readonly isGradual?: true
}

type MetricOfGroup = Omit<NetworkMetricEntry, 'group'>

/** What the entries of a kind have in common; they are of the P-Chain unless they say otherwise. */
const entriesOf =
  (kind: NetworkMetricEntry['kind']) =>
  (
    title: string,
    unit: NetworkMetricUnit,
    about: string,
    chain: NetworkMetricEntry['chain'] = 'p-chain',
  ): MetricOfGroup => ({
    kind,
    chain,
    title,
    about,
    unit,
  })
const sum = entriesOf('sum')
const level = entriesOf('level')

/** Metrics that pages show together. */
const inGroup = <Name extends string>(
  group: NetworkMetricEntry['group'],
  entries: Readonly<Record<Name, MetricOfGroup>>,
): Readonly<Record<Name, NetworkMetricEntry>> =>
  Object.fromEntries(
    Object.entries<MetricOfGroup>(entries).map(([name, entry]) => [name, { ...entry, group }]),
  ) as Record<Name, NetworkMetricEntry>

/** All metrics of a network, in the order in which a group of the page shows them. */
export const networkMetricCatalogue = {
  ...inGroup('Stake', {
    totalStake: level(
      'Total stake',
      'amount',
      'AVAX staked by validators of the primary network and delegated to them.',
    ),
    ownStake: level(
      'Own stake',
      'amount',
      'AVAX staked by validators of the primary network themselves, restaked rewards included.',
    ),
    delegatedStake: level(
      'Delegated stake',
      'amount',
      'AVAX delegated to validators of the primary network.',
    ),
    expiringStake: {
      ...sum(
        'Expiring stake',
        'amount',
        'Stakes and delegations whose staking period ends in the period; after the head, those that run now by their planned end.',
      ),
      isPlanned: true,
    },
  }),
  ...inGroup('Validators and delegations', {
    validators: level('Validators', 'validators', 'Active validators of the primary network.'),
    validatorsEntered: sum(
      'Validators entering',
      'validators',
      'Validations of the primary network that began in the period. A renewal is none.',
    ),
    validatorsLeft: sum(
      'Validators leaving',
      'validators',
      'Validations of the primary network that ended in the period. A renewal is none.',
    ),
    delegations: level(
      'Delegations',
      'delegations',
      'Active delegations to validators of the primary network.',
    ),
    delegationsEntered: sum(
      'Delegations entering',
      'delegations',
      'Delegations to validators of the primary network that began in the period.',
    ),
    delegationsLeft: sum(
      'Delegations leaving',
      'delegations',
      'Delegations to validators of the primary network that ended in the period.',
    ),
  }),
  ...inGroup('Concentration', {
    largestPercentShare: level(
      'Share of the largest 1 %',
      '%',
      'The part of the total stake held by the largest 1 % of validators, rounded up to whole validators; delegations count for their validator.',
    ),
    largestTenthShare: level(
      'Share of the largest 10 %',
      '%',
      'The part of the total stake held by the largest 10 % of validators, rounded up to whole validators; delegations count for their validator.',
    ),
    largestThirdShare: level(
      'Share of the largest 33 %',
      '%',
      'The part of the total stake held by the largest 33 % of validators, rounded up to whole validators; delegations count for their validator.',
    ),
    stakeGini: level(
      'Gini coefficient of stake',
      'index',
      'How unequally the stake is spread over validators, with delegations: 0 if all have the same, close to 1 if one has all.',
    ),
    nakamotoLiveness: level(
      'Nakamoto coefficient, liveness',
      'validators',
      'The smallest number of validators that together hold at least 33.4 % of the stake, with delegations.',
    ),
    nakamotoSafety: level(
      'Nakamoto coefficient, safety',
      'validators',
      'The smallest number of validators that together hold at least 66.7 % of the stake, with delegations.',
    ),
  }),
  ...inGroup('Rewards and supply', {
    currentSupply: level(
      'Current supply',
      'amount',
      'The supply by the P-Chain, which includes the rewards of running stakes and no burned fees.',
    ),
    rewardRate: level(
      'Reward rate',
      '%',
      'The reward of a stake of 365 days that begins at the end of the period, in percent of the stake, before a delegation fee.',
    ),
    rewardsPending: level(
      'Pending rewards',
      'amount',
      'The rewards of all active stakes of the primary network if each of them is rewarded.',
    ),
    rewardsPaid: sum(
      'Rewards paid',
      'amount',
      'Rewards of the primary network paid in the period. Restaked rewards count once they are paid.',
    ),
    validatorRewardsPaid: sum(
      'Rewards of validators',
      'amount',
      'Rewards paid in the period to validators of the primary network for their own stake.',
    ),
    delegatorRewardsPaid: sum(
      'Rewards of delegators',
      'amount',
      'Rewards paid in the period to delegators of the primary network, after the delegation fee.',
    ),
    delegationFeesPaid: sum(
      'Delegation fees',
      'amount',
      'Validators’ shares of the rewards of their delegators, paid in the period.',
    ),
  }),
  ...inGroup('Transactions', {
    pTransactions: sum(
      'P-Chain transactions',
      'tx',
      'All transactions of the P-Chain, those that the chain makes itself to pay rewards included.',
    ),
    pTransfers: sum('P-Chain transfers', 'tx', 'Transactions of the P-Chain that only move AVAX (BaseTx).'),
    pImports: sum('P-Chain imports', 'tx', 'Imports to the P-Chain from the X- and the C-Chain.'),
    pExports: sum('P-Chain exports', 'tx', 'Exports from the P-Chain to the X- and the C-Chain.'),
    pStakingTransactions: sum(
      'Staking transactions',
      'tx',
      'Transactions that add, configure or remove validators and delegators of any subnet, L1s apart.',
    ),
    pRewardTransactions: sum(
      'Reward transactions',
      'tx',
      'Transactions by which the P-Chain ends a staking period.',
    ),
    pSubnetTransactions: sum(
      'Subnet transactions',
      'tx',
      'Transactions that create subnets and blockchains, change a subnet’s owner or make it elastic.',
    ),
    pL1Transactions: sum(
      'L1 transactions',
      'tx',
      'Conversions of subnets to L1s and all transactions about L1 validators.',
    ),
    l1Messages: sum(
      'L1 messages delivered',
      'tx',
      'Messages of L1s delivered to the P-Chain, each signed by the L1: registrations of validators and new weights.',
    ),
    xTransactions: sum(
      'X-Chain transactions',
      'tx',
      'All transactions of the X-Chain, those in vertices included.',
      'x-chain',
    ),
    xTransfers: sum(
      'X-Chain transfers',
      'tx',
      'Transactions of the X-Chain that only move assets (BaseTx).',
      'x-chain',
    ),
    xImports: sum('X-Chain imports', 'tx', 'Imports to the X-Chain from the P- and the C-Chain.', 'x-chain'),
    xExports: sum('X-Chain exports', 'tx', 'Exports from the X-Chain to the P- and the C-Chain.', 'x-chain'),
    xAssetTransactions: sum(
      'X-Chain asset transactions',
      'tx',
      'Transactions of the X-Chain that create an asset, mint it or move an NFT.',
      'x-chain',
    ),
    cAtomicTransactions: sum(
      'C-Chain atomic transactions',
      'tx',
      'Imports to the C-Chain and exports from it.',
      'c-chain',
    ),
  }),
  ...inGroup('Fees and UTXOs', {
    pBurnedFees: sum(
      'Burned fees, P-Chain',
      'amount',
      'AVAX that transactions of the P-Chain burned. What L1 validators pay is counted apart.',
    ),
    xBurnedFees: sum(
      'Burned fees, X-Chain',
      'amount',
      'AVAX that transactions of the X-Chain burned.',
      'x-chain',
    ),
    cBurnedFees: sum(
      'Burned fees, C-Chain atomic',
      'amount',
      'AVAX that imports to the C-Chain and exports from it burned. Its other transactions are in the chain’s own fees.',
      'c-chain',
    ),
    pUtxos: level(
      'UTXOs, P-Chain',
      'UTXOs',
      'Unspent outputs on the P-Chain, those at stake and those sent to it and not imported included.',
    ),
    xUtxos: level(
      'UTXOs, X-Chain',
      'UTXOs',
      'Unspent outputs of all assets on the X-Chain, those sent to it and not imported included.',
      'x-chain',
    ),
  }),
  ...inGroup('Subnets and L1s', {
    subnets: level('Subnets', 'subnets', 'Subnets ever created, L1s included, without the primary network.'),
    blockchains: level(
      'Blockchains',
      'blockchains',
      'Blockchains ever created, the X- and the C-Chain included.',
    ),
    l1s: level('L1s', 'L1s', 'Subnets that were converted to L1s.'),
    l1Validators: level(
      'L1 validators',
      'validators',
      'Validators of L1s that have a weight, active or not.',
    ),
    activeL1Validators: level(
      'Active L1 validators',
      'validators',
      'Validators of L1s that have a balance to pay their fee from.',
    ),
    inactiveL1Validators: level(
      'Inactive L1 validators',
      'validators',
      'Validators of L1s that have a weight and no balance left.',
    ),
    l1Balances: {
      ...level(
        'Balances of L1 validators',
        'amount',
        'What active L1 validators have left to pay their fee from.',
      ),
      isGradual: true,
    },
    l1FeesBurned: sum(
      'Fees of L1 validators',
      'amount',
      'AVAX that L1 validators paid from their balances in the period. It is burned.',
    ),
  }),
  ...sampledNetworkMetrics,
} as const satisfies Readonly<Record<string, NetworkMetricEntry>>

export type NetworkMetricName = keyof typeof networkMetricCatalogue
export const networkMetricNames = Object.keys(networkMetricCatalogue) as readonly NetworkMetricName[]

/** The entry of a metric of a network. */
export function networkMetricEntry(metric: NetworkMetricName): NetworkMetricEntry {
  return networkMetricCatalogue[metric]
}

/** Every metric of a network supports every interval. */
export const networkIntervals: readonly TimeInterval[] = timeIntervals
