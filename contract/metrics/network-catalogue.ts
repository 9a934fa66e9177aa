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
}

/** All metrics of a network, in the order in which a group of the page shows them. */
export const networkMetricCatalogue = {
  totalStake: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Total stake',
    group: 'Stake',
    about: 'AVAX staked by validators of the primary network and delegated to them.',
    unit: 'amount',
  },
  ownStake: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Own stake',
    group: 'Stake',
    about: 'AVAX staked by validators of the primary network themselves, restaked rewards included.',
    unit: 'amount',
  },
  delegatedStake: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Delegated stake',
    group: 'Stake',
    about: 'AVAX delegated to validators of the primary network.',
    unit: 'amount',
  },
  expiringStake: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Expiring stake',
    group: 'Stake',
    about:
      'Stakes and delegations whose staking period ends in the period; after the head, those that run now by their planned end.',
    unit: 'amount',
    isPlanned: true,
  },
  validators: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Validators',
    group: 'Validators and delegations',
    about: 'Active validators of the primary network.',
    unit: 'validators',
  },
  validatorsEntered: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Validators entering',
    group: 'Validators and delegations',
    about: 'Validations of the primary network that began in the period. A renewal is none.',
    unit: 'validators',
  },
  validatorsLeft: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Validators leaving',
    group: 'Validators and delegations',
    about: 'Validations of the primary network that ended in the period. A renewal is none.',
    unit: 'validators',
  },
  delegations: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Delegations',
    group: 'Validators and delegations',
    about: 'Active delegations to validators of the primary network.',
    unit: 'delegations',
  },
  delegationsEntered: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Delegations entering',
    group: 'Validators and delegations',
    about: 'Delegations to validators of the primary network that began in the period.',
    unit: 'delegations',
  },
  delegationsLeft: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Delegations leaving',
    group: 'Validators and delegations',
    about: 'Delegations to validators of the primary network that ended in the period.',
    unit: 'delegations',
  },
  largestPercentShare: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Share of the largest 1 %',
    group: 'Concentration',
    about:
      'The part of the total stake held by the largest 1 % of validators, rounded up to whole validators; delegations count for their validator.',
    unit: '%',
  },
  largestTenthShare: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Share of the largest 10 %',
    group: 'Concentration',
    about:
      'The part of the total stake held by the largest 10 % of validators, rounded up to whole validators; delegations count for their validator.',
    unit: '%',
  },
  largestThirdShare: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Share of the largest 33 %',
    group: 'Concentration',
    about:
      'The part of the total stake held by the largest 33 % of validators, rounded up to whole validators; delegations count for their validator.',
    unit: '%',
  },
  stakeGini: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Gini coefficient of stake',
    group: 'Concentration',
    about:
      'How unequally the stake is spread over validators, with delegations: 0 if all have the same, close to 1 if one has all.',
    unit: 'index',
  },
  nakamotoLiveness: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Nakamoto coefficient, liveness',
    group: 'Concentration',
    about:
      'The smallest number of validators that together hold at least 33.4 % of the stake, with delegations.',
    unit: 'validators',
  },
  nakamotoSafety: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Nakamoto coefficient, safety',
    group: 'Concentration',
    about:
      'The smallest number of validators that together hold at least 66.7 % of the stake, with delegations.',
    unit: 'validators',
  },
  currentSupply: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Current supply',
    group: 'Rewards and supply',
    about: 'The supply by the P-chain, which includes the rewards of running stakes and no burned fees.',
    unit: 'amount',
  },
  rewardRate: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Reward rate',
    group: 'Rewards and supply',
    about:
      'The reward of a stake of 365 days that begins at the end of the period, in percent of the stake, before a delegation fee.',
    unit: '%',
  },
  rewardsPending: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Pending rewards',
    group: 'Rewards and supply',
    about: 'The rewards of all active stakes of the primary network if each of them is rewarded.',
    unit: 'amount',
  },
  rewardsPaid: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Rewards paid',
    group: 'Rewards and supply',
    about: 'Rewards of the primary network paid in the period. Restaked rewards count once they are paid.',
    unit: 'amount',
  },
  validatorRewardsPaid: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Rewards of validators',
    group: 'Rewards and supply',
    about: 'Rewards paid in the period to validators of the primary network for their own stake.',
    unit: 'amount',
  },
  delegatorRewardsPaid: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Rewards of delegators',
    group: 'Rewards and supply',
    about: 'Rewards paid in the period to delegators of the primary network, after the delegation fee.',
    unit: 'amount',
  },
  delegationFeesPaid: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Delegation fees',
    group: 'Rewards and supply',
    about: 'Validators’ shares of the rewards of their delegators, paid in the period.',
    unit: 'amount',
  },
  pTransactions: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'P-chain transactions',
    group: 'Transactions',
    about: 'All transactions of the P-chain, those that the chain makes itself to pay rewards included.',
    unit: 'tx',
  },
  pTransfers: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'P-chain transfers',
    group: 'Transactions',
    about: 'Transactions of the P-chain that only move AVAX (BaseTx).',
    unit: 'tx',
  },
  pImports: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'P-chain imports',
    group: 'Transactions',
    about: 'Imports to the P-chain from the X- and the C-chain.',
    unit: 'tx',
  },
  pExports: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'P-chain exports',
    group: 'Transactions',
    about: 'Exports from the P-chain to the X- and the C-chain.',
    unit: 'tx',
  },
  pStakingTransactions: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Staking transactions',
    group: 'Transactions',
    about: 'Transactions that add, configure or remove validators and delegators of any subnet, L1s apart.',
    unit: 'tx',
  },
  pRewardTransactions: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Reward transactions',
    group: 'Transactions',
    about: 'Transactions by which the P-chain ends a staking period.',
    unit: 'tx',
  },
  pSubnetTransactions: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Subnet transactions',
    group: 'Transactions',
    about: 'Transactions that create subnets and blockchains, change a subnet’s owner or make it elastic.',
    unit: 'tx',
  },
  pL1Transactions: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'L1 transactions',
    group: 'Transactions',
    about: 'Conversions of subnets to L1s and all transactions about L1 validators.',
    unit: 'tx',
  },
  l1Messages: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'L1 messages delivered',
    group: 'Transactions',
    about:
      'Messages of L1s delivered to the P-chain, each signed by the L1: registrations of validators and new weights.',
    unit: 'tx',
  },
  xTransactions: {
    kind: 'sum',
    chain: 'x-chain',
    title: 'X-chain transactions',
    group: 'Transactions',
    about: 'All transactions of the X-chain, those in vertices included.',
    unit: 'tx',
  },
  xTransfers: {
    kind: 'sum',
    chain: 'x-chain',
    title: 'X-chain transfers',
    group: 'Transactions',
    about: 'Transactions of the X-chain that only move assets (BaseTx).',
    unit: 'tx',
  },
  xImports: {
    kind: 'sum',
    chain: 'x-chain',
    title: 'X-chain imports',
    group: 'Transactions',
    about: 'Imports to the X-chain from the P- and the C-chain.',
    unit: 'tx',
  },
  xExports: {
    kind: 'sum',
    chain: 'x-chain',
    title: 'X-chain exports',
    group: 'Transactions',
    about: 'Exports from the X-chain to the P- and the C-chain.',
    unit: 'tx',
  },
  xAssetTransactions: {
    kind: 'sum',
    chain: 'x-chain',
    title: 'X-chain asset transactions',
    group: 'Transactions',
    about: 'Transactions of the X-chain that create an asset, mint it or move an NFT.',
    unit: 'tx',
  },
  cAtomicTransactions: {
    kind: 'sum',
    chain: 'c-chain',
    title: 'C-chain atomic transactions',
    group: 'Transactions',
    about: 'Imports to the C-chain and exports from it.',
    unit: 'tx',
  },
  pBurnedFees: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Burned fees, P-chain',
    group: 'Fees and UTXOs',
    about: 'AVAX that transactions of the P-chain burned. What L1 validators pay is counted apart.',
    unit: 'amount',
  },
  xBurnedFees: {
    kind: 'sum',
    chain: 'x-chain',
    title: 'Burned fees, X-chain',
    group: 'Fees and UTXOs',
    about: 'AVAX that transactions of the X-chain burned.',
    unit: 'amount',
  },
  cBurnedFees: {
    kind: 'sum',
    chain: 'c-chain',
    title: 'Burned fees, C-chain atomic',
    group: 'Fees and UTXOs',
    about:
      'AVAX that imports to the C-chain and exports from it burned. Its other transactions are in the chain’s own fees.',
    unit: 'amount',
  },
  pUtxos: {
    kind: 'level',
    chain: 'p-chain',
    title: 'UTXOs, P-chain',
    group: 'Fees and UTXOs',
    about: 'Unspent outputs on the P-chain, those at stake and those sent to it and not imported included.',
    unit: 'UTXOs',
  },
  xUtxos: {
    kind: 'level',
    chain: 'x-chain',
    title: 'UTXOs, X-chain',
    group: 'Fees and UTXOs',
    about: 'Unspent outputs of all assets on the X-chain, those sent to it and not imported included.',
    unit: 'UTXOs',
  },
  subnets: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Subnets',
    group: 'Subnets and L1s',
    about: 'Subnets ever created, L1s included, without the primary network.',
    unit: 'subnets',
  },
  blockchains: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Blockchains',
    group: 'Subnets and L1s',
    about: 'Blockchains ever created, the X- and the C-chain included.',
    unit: 'blockchains',
  },
  l1s: {
    kind: 'level',
    chain: 'p-chain',
    title: 'L1s',
    group: 'Subnets and L1s',
    about: 'Subnets that were converted to L1s.',
    unit: 'L1s',
  },
  l1Validators: {
    kind: 'level',
    chain: 'p-chain',
    title: 'L1 validators',
    group: 'Subnets and L1s',
    about: 'Validators of L1s that have a weight, active or not.',
    unit: 'validators',
  },
  activeL1Validators: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Active L1 validators',
    group: 'Subnets and L1s',
    about: 'Validators of L1s that have a balance to pay their fee from.',
    unit: 'validators',
  },
  inactiveL1Validators: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Inactive L1 validators',
    group: 'Subnets and L1s',
    about: 'Validators of L1s that have a weight and no balance left.',
    unit: 'validators',
  },
  l1Balances: {
    kind: 'level',
    chain: 'p-chain',
    title: 'Balances of L1 validators',
    group: 'Subnets and L1s',
    about: 'What active L1 validators have left to pay their fee from.',
    unit: 'amount',
  },
  l1FeesBurned: {
    kind: 'sum',
    chain: 'p-chain',
    title: 'Fees of L1 validators',
    group: 'Subnets and L1s',
    about: 'AVAX that L1 validators paid from their balances in the period. It is burned.',
    unit: 'amount',
  },
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
