import { networkMetricEntry, type NetworkMetricName } from '../../contract/metrics/network-catalogue.ts'
import { isSampled } from '../../contract/metrics/network-samples.ts'
import { decodeAtomicTx } from '../../protocol/primary/atomic.ts'
import { pTxTypeIds, xTxTypeIds } from '../../protocol/primary/transaction-types.ts'
import { primaryRewards } from '../../protocol/primary/rewards.ts'
import type { Queryable } from '../store/database.ts'
import {
  networkEvents,
  networkTypedEvents,
  readEventSums,
  readNetworkBounds,
  readNetworkEdges,
  readSampledRange,
  readSamples,
  readStakingPeriods,
  readTransactionBytes,
  type Boundaries,
  type EventStatement,
  type NetworkEdge,
  type SampleColumn,
} from '../store/metrics/read-network-metrics.ts'
import { burnedByAtomic } from './atomic-fees.ts'
import { concentrationAt, fewestWith, gini, largestShare, type Concentration } from './concentration.ts'
import { nothing, type Fraction } from './definitions.ts'

/** The value of each period between the boundaries, null where it is not known. `chain` is the store's key of the metric's chain. */
type Reader = (database: Queryable, chain: number, boundaries: Boundaries) => Promise<(Fraction | null)[]>

const whole = (amount: bigint): Fraction => ({ amount, per: 1n })

/** What happened in each period. */
const sumOf =
  (statement: EventStatement): Reader =>
  async (database, chain, boundaries) =>
    (await readEventSums(database, statement, chain, boundaries, 'first boundary')).slice(1).map(whole)

/** Everything up to each boundary. */
async function totals(
  database: Queryable,
  statement: EventStatement,
  chain: number,
  boundaries: Boundaries,
): Promise<bigint[]> {
  const sums = await readEventSums(database, statement, chain, boundaries, 'genesis')
  let total = 0n
  return sums.map((sum) => (total += sum))
}

/** Everything up to the end of each period. */
const levelOf =
  (statement: EventStatement): Reader =>
  async (database, chain, boundaries) =>
    (await totals(database, statement, chain, boundaries)).slice(1).map(whole)

/** The state of the P-Chain at the end of each period. */
const edgeOf =
  (value: (edge: NetworkEdge) => Fraction): Reader =>
  async (database, chain, boundaries) =>
    (await readNetworkEdges(database, chain, boundaries.slice(1))).map(value)

const concentrationOf =
  (figure: Concentration): Reader =>
  async (database, chain, boundaries) => {
    const rows = await readStakingPeriods(database, chain, boundaries[0] ?? 0, boundaries.at(-1) ?? 0)
    return concentrationAt(rows, boundaries.slice(1), figure)
  }

const transactionsOf = (types?: readonly number[]): Reader => sumOf(networkTypedEvents.transactions(types))
const rewardsOf = (types: readonly number[]): Reader => sumOf(networkTypedEvents.rewards(types))

const supplyOf = ({ supply }: NetworkEdge): Fraction => whole(BigInt(supply ?? 0))

/**
 * The percentage that a stake of 365 days earns: the formula of protocol/primary/rewards.ts for the whole minting
 * period, in which only the upper rate counts, without the roundings of a single stake.
 */
function rewardRateOf({ supply }: NetworkEdge): Fraction {
  if (supply === null || supply === '0') return nothing
  const { cap, maxRate } = primaryRewards
  return { amount: 100n * (cap - BigInt(supply)) * maxRate, per: BigInt(supply) * 1_000_000n }
}

/** Balances of L1 validators at each boundary: the fees at which they are used up less those accrued so far. */
async function l1Balances(database: Queryable, chain: number, boundaries: Boundaries): Promise<bigint[]> {
  const [endFees, edges] = await Promise.all([
    totals(database, networkEvents.l1EndFees, chain, boundaries),
    readNetworkEdges(database, chain, boundaries),
  ])
  return endFees.map((endFee, index) => {
    const { active_l1_validators: active, accrued_fees: accrued } = edges[index] ?? {}
    return endFee - BigInt(active ?? 0) * BigInt(accrued ?? 0)
  })
}

async function l1Fees(database: Queryable, chain: number, boundaries: Boundaries): Promise<Fraction[]> {
  const [deposits, balances] = await Promise.all([
    readEventSums(database, networkEvents.l1Deposits, chain, boundaries, 'first boundary'),
    l1Balances(database, chain, boundaries),
  ])
  return deposits
    .slice(1)
    .map((deposit, index) => whole(deposit + (balances[index] ?? 0n) - (balances[index + 1] ?? 0n)))
}

async function inactiveL1Validators(
  database: Queryable,
  chain: number,
  boundaries: Boundaries,
): Promise<Fraction[]> {
  const [all, edges] = await Promise.all([
    totals(database, networkEvents.l1Validators, chain, boundaries),
    readNetworkEdges(database, chain, boundaries),
  ])
  return all.map((count, index) => whole(count - BigInt(edges[index]?.active_l1_validators ?? 0))).slice(1)
}

/** The AVAX that atomic transactions of the C-Chain burned: the amounts are in their own bytes. */
const atomicFees: Reader = async (database, chain, boundaries) => {
  const rows = await readTransactionBytes(database, chain, boundaries[0] ?? 0, boundaries.at(-1) ?? 0)
  const sums = boundaries.slice(1).map(() => 0n)
  let period = 0
  for (const { ts, bytes, avax } of rows) {
    while (Number(ts) >= (boundaries[period + 1] ?? Infinity)) period += 1
    sums[period] = (sums[period] ?? 0n) + burnedByAtomic(decodeAtomicTx(bytes).unsigned, avax)
  }
  return sums.map(whole)
}

/** The last sample of each period, which is kept in parts of `per`. */
const sampleOf =
  (column: SampleColumn, per = 1n): Reader =>
  async (database, chain, boundaries) =>
    (await readSamples(database, column, chain, boundaries)).map((value) =>
      value === null ? null : { amount: BigInt(value), per },
    )

/** Percentiles are kept in 1/10,000 of a percent. */
const uptimeOf = (column: SampleColumn): Reader => sampleOf(column, 10_000n)

const newestVersionShare: Reader = async (database, chain, boundaries) => {
  const [peers, newest] = await Promise.all([
    readSamples(database, 'connectedPeers', chain, boundaries),
    readSamples(database, 'newestPeers', chain, boundaries),
  ])
  return peers.map((count, index) =>
    count === null || count === 0 ? null : { amount: 100n * BigInt(newest[index] ?? 0), per: BigInt(count) },
  )
}

const p = pTxTypeIds
const x = xTxTypeIds

const readers: Readonly<Record<NetworkMetricName, Reader>> = {
  totalStake: levelOf(networkEvents.stake),
  ownStake: levelOf(networkEvents.ownStake),
  delegatedStake: levelOf(networkEvents.delegatedStake),
  expiringStake: sumOf(networkEvents.expiring),
  validators: levelOf(networkEvents.validators),
  validatorsEntered: sumOf(networkEvents.validatorsBegun),
  validatorsLeft: sumOf(networkEvents.validatorsEnded),
  delegations: levelOf(networkEvents.delegations),
  delegationsEntered: sumOf(networkEvents.delegationsBegun),
  delegationsLeft: sumOf(networkEvents.delegationsEnded),
  largestPercentShare: concentrationOf(largestShare(1)),
  largestTenthShare: concentrationOf(largestShare(10)),
  largestThirdShare: concentrationOf(largestShare(33)),
  stakeGini: concentrationOf(gini),
  nakamotoLiveness: concentrationOf(fewestWith(334n)),
  nakamotoSafety: concentrationOf(fewestWith(667n)),
  currentSupply: edgeOf(supplyOf),
  rewardRate: edgeOf(rewardRateOf),
  rewardsPending: levelOf(networkEvents.pendingRewards),
  rewardsPaid: rewardsOf([1, 2, 3]),
  validatorRewardsPaid: rewardsOf([1]),
  delegatorRewardsPaid: rewardsOf([2]),
  delegationFeesPaid: rewardsOf([3]),
  pTransactions: transactionsOf(),
  pTransfers: transactionsOf([p.BaseTx]),
  pImports: transactionsOf([p.ImportTx]),
  pExports: transactionsOf([p.ExportTx]),
  pStakingTransactions: transactionsOf([
    p.AddValidatorTx,
    p.AddSubnetValidatorTx,
    p.AddDelegatorTx,
    p.RemoveSubnetValidatorTx,
    p.AddPermissionlessValidatorTx,
    p.AddPermissionlessDelegatorTx,
    p.AddAutoRenewedValidatorTx,
    p.SetAutoRenewedValidatorConfigTx,
  ]),
  pRewardTransactions: transactionsOf([p.RewardValidatorTx, p.RewardAutoRenewedValidatorTx]),
  pSubnetTransactions: transactionsOf([
    p.CreateSubnetTx,
    p.CreateChainTx,
    p.TransferSubnetOwnershipTx,
    p.TransformSubnetTx,
  ]),
  pL1Transactions: transactionsOf([
    p.ConvertSubnetToL1Tx,
    p.RegisterL1ValidatorTx,
    p.SetL1ValidatorWeightTx,
    p.IncreaseL1ValidatorBalanceTx,
    p.DisableL1ValidatorTx,
  ]),
  l1Messages: transactionsOf([p.RegisterL1ValidatorTx, p.SetL1ValidatorWeightTx]),
  xTransactions: transactionsOf(),
  xTransfers: transactionsOf([x.BaseTx]),
  xImports: transactionsOf([x.ImportTx]),
  xExports: transactionsOf([x.ExportTx]),
  xAssetTransactions: transactionsOf([x.CreateAssetTx, x.OperationTx]),
  cAtomicTransactions: transactionsOf(),
  pBurnedFees: sumOf(networkEvents.burned),
  xBurnedFees: sumOf(networkEvents.burned),
  cBurnedFees: atomicFees,
  pUtxos: levelOf(networkEvents.utxos),
  xUtxos: levelOf(networkEvents.utxos),
  subnets: levelOf(networkEvents.subnets),
  blockchains: levelOf(networkEvents.blockchains),
  l1s: levelOf(networkEvents.l1s),
  l1Validators: levelOf(networkEvents.l1Validators),
  activeL1Validators: edgeOf(({ active_l1_validators: active }) => whole(BigInt(active ?? 0))),
  inactiveL1Validators,
  l1Balances: async (...asked) => (await l1Balances(...asked)).slice(1).map(whole),
  l1FeesBurned: l1Fees,
  uptimeP5: uptimeOf('uptimeP5'),
  uptimeP25: uptimeOf('uptimeP25'),
  uptimeP50: uptimeOf('uptimeP50'),
  uptimeP75: uptimeOf('uptimeP75'),
  uptimeP95: uptimeOf('uptimeP95'),
  newestVersionShare,
  connectedPeers: sampleOf('connectedPeers'),
}

/** The column whose first and last sample bound a series of samples. */
const sampledBy = (metric: NetworkMetricName): SampleColumn =>
  metric === 'connectedPeers' || metric === 'newestVersionShare' ? 'connectedPeers' : 'uptimeP50'

/**
 * The first and the last second of a metric's series: up to the chain's head, or the last planned end after it.
 * Undefined if the chain has no blocks, or of samples if there is none.
 */
export async function readNetworkRange(
  database: Queryable,
  chain: number,
  metric: NetworkMetricName,
): Promise<{ readonly first: number; readonly last: number } | undefined> {
  if (isSampled(metric)) {
    const { first_ts: first, last_ts: last } = await readSampledRange(database, sampledBy(metric), chain)
    return first === null || last === null ? undefined : { first: Number(first), last: Number(last) }
  }
  const { first_ts: first, last_ts: head, planned_ts: planned } = await readNetworkBounds(database, chain)
  if (first === null || head === null) return undefined
  const last = networkMetricEntry(metric).isPlanned && planned !== null && planned > head ? planned : head
  return { first: Number(first), last: Number(last) }
}

/**
 * The values of a metric in consecutive periods, ascending, null for a period without a sample, in one consistent state of the store if `database` is
 * a transaction. `boundaries` are the periods' starts, then the end of the last one, which must not be after the
 * second that follows the chain's head unless the metric is planned.
 */
export function readNetworkSeries(
  database: Queryable,
  chain: number,
  metric: NetworkMetricName,
  boundaries: Boundaries,
): Promise<(Fraction | null)[]> {
  return readers[metric](database, chain, boundaries)
}
