import type { NetworkMetricName } from '../../contract/metrics/network-catalogue.ts'
import type { sampledNetworkMetrics } from '../../contract/metrics/network-samples.ts'
import { decodeExtraData } from '../../protocol/primary/atomic.ts'
import { decodeXGenesis, type PGenesis } from '../../protocol/primary/genesis.ts'
import { decodePBlock } from '../../protocol/primary/p-blocks.ts'
import { decodeVertex, decodeXBlock } from '../../protocol/primary/x-blocks.ts'
import { operationOutputs, type XTx } from '../../protocol/primary/x-transactions.ts'
import type { Fraction } from '../metrics/definitions.ts'
import { NetworkFacts, type Fact, type FactName, type PStateFact, type Stake } from './network-facts.ts'
import { avaxOfInputs, avaxOfOutputs, hex, PRecount, primary } from './network-p-recount.ts'
import type { PrimaryNodeReader } from './primary-node.ts'

/** Requests for blocks that are under way at once. */
const together = 16

/** Calls `take` for each height in order; the requests run some at once. */
async function inOrder<Value>(
  heights: number,
  fetch: (height: number) => Promise<Value>,
  take: (value: Value) => Promise<void> | void,
): Promise<void> {
  for (let from = 1; from <= heights; from += together) {
    const some = Array.from({ length: Math.min(together, heights - from + 1) }, (_, offset) => from + offset)
    for (const value of await Promise.all(some.map(fetch))) await take(value)
  }
}

/** Reads the blocks of the three chains up to these heights and notes their facts. */
export async function readNetworkFacts(
  node: PrimaryNodeReader,
  genesis: PGenesis,
  heights: { readonly P: number; readonly X: number; readonly C: number },
  hasVertices: boolean,
): Promise<NetworkFacts> {
  const facts = new NetworkFacts()
  const idOf = (name: string): string => {
    const found = genesis.chains.find(
      ({ unsigned }) => unsigned.type === 'CreateChainTx' && unsigned.chainName === name,
    )
    if (!found) throw new Error(`the genesis has no ${name}`)
    return hex(found.id)
  }
  const x = idOf('X-Chain')
  const c = idOf('C-Chain')
  const avax = hex(await node.stakingAsset())
  const terms = { ...(await node.terms()), avax, x, rewards: (id: Uint8Array) => node.rewardUtxos(id) }
  const p = new PRecount(facts, terms, genesis)
  await inOrder(
    heights.P,
    async (height) => decodePBlock((await node.block('P', height)).bytes),
    (block) => p.take(block),
  )

  for (const { id, unsigned } of genesis.chains) {
    if (hex(id) !== x || unsigned.type !== 'CreateChainTx') continue
    for (const { transaction } of decodeXGenesis(unsigned.genesis))
      takeX(facts, transaction, genesis.time, avax, false)
  }
  const seen = new Set<string>()
  for (const { bytes, ts } of hasVertices ? await node.vertices() : []) {
    for (const tx of decodeVertex(bytes).transactions) {
      if (seen.has(hex(tx.id))) continue
      seen.add(hex(tx.id))
      takeX(facts, tx, ts, avax)
    }
  }
  await inOrder(
    heights.X,
    async (height) => decodeXBlock((await node.block('X', height)).bytes),
    (block) => {
      for (const tx of block.transactions) takeX(facts, tx, block.time, avax)
    },
  )
  await inOrder(
    heights.C,
    (height) => node.cBlock(height),
    ({ ts, extraData }) => {
      for (const { unsigned } of decodeExtraData(extraData, Buffer.from(c, 'hex'))) {
        facts.add('cTx', ts)
        const paid =
          unsigned.type === 'ExportTx'
            ? avaxOfEvm(unsigned.evmInputs, avax) - avaxOfOutputs(unsigned.exportedOutputs, avax)
            : avaxOfInputs(unsigned.importedInputs, avax) - avaxOfEvm(unsigned.evmOutputs, avax)
        facts.add('cBurned', ts, paid)
        if (unsigned.type !== 'ExportTx') continue
        const destination = hex(unsigned.destinationChain)
        for (const _ of unsigned.exportedOutputs) facts.add(destination === primary ? 'pUtxo' : 'xUtxo', ts)
      }
    },
  )
  return facts
}

/** The AVAX that accounts of the C-Chain pay or get. */
function avaxOfEvm(
  parts: readonly { readonly assetId: Uint8Array; readonly amount: bigint }[],
  avax: string,
): bigint {
  let sum = 0n
  for (const { assetId, amount } of parts) if (hex(assetId) === avax) sum += amount
  return sum
}

function takeX(facts: NetworkFacts, { unsigned }: XTx, ts: number, avax: string, counts = true): void {
  if (unsigned.type === 'UNKNOWN') throw new Error('the X-Chain has a transaction of an unknown type')
  const { inputs, outputs } = unsigned.base
  const imported = unsigned.type === 'ImportTx' ? unsigned.importedInputs : []
  const exported = unsigned.type === 'ExportTx' ? unsigned.exportedOutputs : []
  const operations = unsigned.type === 'OperationTx' ? unsigned.operations : []
  const made =
    outputs.length +
    (unsigned.type === 'CreateAssetTx' ? unsigned.states.flatMap((state) => state.outputs).length : 0) +
    operations.flatMap(({ operation }) => operationOutputs(operation)).length
  const references = operations.flatMap((each) => each.references)
  const spent = facts.spent('X', [...inputs, ...imported, ...references])
  facts.add('xUtxo', ts, BigInt(made - spent))
  if (unsigned.type === 'ExportTx' && hex(unsigned.destinationChain) === primary)
    facts.add('pUtxo', ts, BigInt(exported.length))
  if (!counts) return
  facts.add('xTx', ts)
  facts.add(`xTx ${unsigned.type}`, ts)
  facts.add(
    'xBurned',
    ts,
    avaxOfInputs([...inputs, ...imported], avax) - avaxOfOutputs([...outputs, ...exported], avax),
  )
}

/** The value of each period between the boundaries, all in Unix seconds: from each boundary to the next. */
type Count = (facts: NetworkFacts, boundaries: readonly number[]) => Fraction[]

const whole = (amount: bigint): Fraction => ({ amount, per: 1n })

/** The facts before each boundary, added up. */
function totals(list: readonly Fact[], boundaries: readonly number[]): bigint[] {
  const sorted = list.toSorted((a, b) => a.ts - b.ts)
  let next = 0
  let sum = 0n
  return boundaries.map((end) => {
    for (let fact = sorted[next]; fact && fact.ts < end; fact = sorted[next]) {
      sum += fact.amount
      next += 1
    }
    return sum
  })
}

/** How much the facts of each period between the boundaries come to. */
export function countsOf(list: readonly Fact[], boundaries: readonly number[]): bigint[] {
  const sums = totals(list, boundaries)
  return sums.slice(1).map((sum, index) => sum - (sums[index] ?? 0n))
}

/** The facts of each period, added up. */
const during =
  (list: (facts: NetworkFacts) => readonly Fact[]): Count =>
  (facts, boundaries) =>
    countsOf(list(facts), boundaries).map(whole)

/** All facts before the end of each period, added up. */
const until =
  (list: (facts: NetworkFacts) => readonly Fact[]): Count =>
  (facts, boundaries) =>
    totals(list(facts), boundaries).slice(1).map(whole)

/**
 * Like `until`, to the end of the hour of each boundary: the store counts UTXOs by whole hours, so that one that another
 * chain sent after this chain's last block is in the open hour, too.
 */
const untilHour =
  (list: (facts: NetworkFacts) => readonly Fact[]): Count =>
  (facts, boundaries) =>
    until(list)(
      facts,
      boundaries.map((end) => Math.ceil(end / 3_600) * 3_600),
    )

const named = (...names: readonly (FactName | `${'p' | 'x'}Tx ${string}`)[]) => {
  return (facts: NetworkFacts): readonly Fact[] => facts.of(...names)
}

const runs = (stake: Stake, end: number): boolean =>
  stake.start < end && (stake.ended === undefined || stake.ended >= end)

type Held = (stakes: readonly Stake[]) => Fraction

/** A figure over the stakes that run at the end of each period. */
const running =
  (figure: Held): Count =>
  ({ stakes }, boundaries) => {
    let last: { readonly key: string; readonly value: Fraction } | undefined
    return boundaries.slice(1).map((end) => {
      const list: Stake[] = []
      const key: number[] = []
      for (const [index, stake] of stakes.entries()) {
        if (!runs(stake, end)) continue
        list.push(stake)
        key.push(index)
      }
      if (last?.key !== key.join()) last = { key: key.join(), value: figure(list) }
      return last.value
    })
  }

const sumOf =
  (amount: (stake: Stake) => bigint): Held =>
  (stakes) =>
    whole(stakes.reduce((sum, stake) => sum + amount(stake), 0n))

/** The weights of the nodes, largest first. */
function weightsOf(stakes: readonly Stake[]): bigint[] {
  const byNode = new Map<string, bigint>()
  for (const { node, weight } of stakes) byNode.set(node, (byNode.get(node) ?? 0n) + weight)
  return [...byNode.values()].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
}

const added = (list: readonly bigint[]): bigint => list.reduce((sum, each) => sum + each, 0n)

const largest =
  (percent: number): Held =>
  (stakes) => {
    const weights = weightsOf(stakes)
    let count = 0
    while (count * 100 < weights.length * percent) count += 1
    return { amount: 100n * added(weights.slice(0, count)), per: added(weights) }
  }

const nakamoto =
  (permille: bigint): Held =>
  (stakes) => {
    const weights = weightsOf(stakes)
    let count = 0
    while (added(weights.slice(0, count)) * 1000n < added(weights) * permille) count += 1
    // Without validators there is nothing to measure, as for the shares.
    return { amount: BigInt(count), per: weights.length === 0 ? 0n : 1n }
  }

/** By the definition: the mean difference between all pairs over twice the mean. */
const gini: Held = (stakes) => {
  const weights = weightsOf(stakes)
  let differences = 0n
  for (const a of weights) for (const b of weights) differences += a > b ? a - b : b - a
  return { amount: differences, per: 2n * BigInt(weights.length) * added(weights) }
}

/** The state of the P-Chain at the end of each period. */
const state =
  (figure: (state: PStateFact) => Fraction): Count =>
  ({ states }, boundaries) => {
    let next = 0
    return boundaries.slice(1).map((end) => {
      while ((states[next]?.ts ?? Infinity) < end) next += 1
      const found = states[next - 1]
      return found ? figure(found) : { amount: 0n, per: 0n }
    })
  }

const begun =
  (isDelegator: boolean) =>
  ({ stakes }: NetworkFacts): Fact[] =>
    stakes
      .filter((stake) => stake.isDelegator === isDelegator && !stake.continues)
      .map(({ start }) => ({ ts: start, amount: 1n }))
const ended =
  (isDelegator: boolean) =>
  ({ stakes }: NetworkFacts): Fact[] =>
    stakes.flatMap((stake) =>
      stake.isDelegator === isDelegator && stake.ended !== undefined && !stake.isContinued
        ? [{ ts: stake.ended, amount: 1n }]
        : [],
    )

const types = (...list: readonly string[]) => during(named(...list.map((type) => `pTx ${type}` as const)))

/** The metrics of a network that its blocks tell. */
type CountedMetricName = Exclude<NetworkMetricName, keyof typeof sampledNetworkMetrics>

/** How each metric is counted. */
export const networkCounts: Readonly<Record<CountedMetricName, Count>> = {
  totalStake: running(sumOf(({ weight }) => weight)),
  ownStake: running(sumOf(({ weight, isDelegator }) => (isDelegator ? 0n : weight))),
  delegatedStake: running(sumOf(({ weight, isDelegator }) => (isDelegator ? weight : 0n))),
  expiringStake: during(({ stakes }) =>
    stakes.map(({ ended: at, end, weight }) => ({ ts: at ?? end, amount: weight })),
  ),
  validators: running(sumOf(({ isDelegator }) => (isDelegator ? 0n : 1n))),
  validatorsEntered: during(begun(false)),
  validatorsLeft: during(ended(false)),
  delegations: running(sumOf(({ isDelegator }) => (isDelegator ? 1n : 0n))),
  delegationsEntered: during(begun(true)),
  delegationsLeft: during(ended(true)),
  largestPercentShare: running(largest(1)),
  largestTenthShare: running(largest(10)),
  largestThirdShare: running(largest(33)),
  stakeGini: running(gini),
  nakamotoLiveness: running(nakamoto(334n)),
  nakamotoSafety: running(nakamoto(667n)),
  currentSupply: state(({ supply }) => whole(supply)),
  // 12 % of what may still be minted, over the supply.
  rewardRate: state(({ supply }) => ({ amount: 12n * (720_000_000_000_000_000n - supply), per: supply })),
  rewardsPending: running(sumOf(({ potential }) => potential)),
  rewardsPaid: during(named('ownReward', 'delegatorReward', 'feeReward')),
  validatorRewardsPaid: during(named('ownReward')),
  delegatorRewardsPaid: during(named('delegatorReward')),
  delegationFeesPaid: during(named('feeReward')),
  pTransactions: during(named('pTx')),
  pTransfers: types('BaseTx'),
  pImports: types('ImportTx'),
  pExports: types('ExportTx'),
  pStakingTransactions: types(
    'AddValidatorTx',
    'AddSubnetValidatorTx',
    'AddDelegatorTx',
    'RemoveSubnetValidatorTx',
    'AddPermissionlessValidatorTx',
    'AddPermissionlessDelegatorTx',
    'AddAutoRenewedValidatorTx',
    'SetAutoRenewedValidatorConfigTx',
  ),
  pRewardTransactions: types('RewardValidatorTx', 'RewardAutoRenewedValidatorTx'),
  pSubnetTransactions: types(
    'CreateSubnetTx',
    'CreateChainTx',
    'TransferSubnetOwnershipTx',
    'TransformSubnetTx',
  ),
  pL1Transactions: types(
    'ConvertSubnetToL1Tx',
    'RegisterL1ValidatorTx',
    'SetL1ValidatorWeightTx',
    'IncreaseL1ValidatorBalanceTx',
    'DisableL1ValidatorTx',
  ),
  l1Messages: types('RegisterL1ValidatorTx', 'SetL1ValidatorWeightTx'),
  xTransactions: during(named('xTx')),
  xTransfers: during(named('xTx BaseTx')),
  xImports: during(named('xTx ImportTx')),
  xExports: during(named('xTx ExportTx')),
  xAssetTransactions: during(named('xTx CreateAssetTx', 'xTx OperationTx')),
  cAtomicTransactions: during(named('cTx')),
  pBurnedFees: during(named('pBurned')),
  xBurnedFees: during(named('xBurned')),
  cBurnedFees: during(named('cBurned')),
  pUtxos: untilHour(named('pUtxo')),
  xUtxos: untilHour(named('xUtxo')),
  subnets: until(named('subnet')),
  blockchains: until(named('blockchain')),
  l1s: until(named('l1')),
  l1Validators: state(({ l1Validators }) => whole(l1Validators)),
  activeL1Validators: state(({ activeL1Validators }) => whole(activeL1Validators)),
  inactiveL1Validators: state(({ l1Validators, activeL1Validators }) =>
    whole(l1Validators - activeL1Validators),
  ),
  l1Balances: state(({ l1Balances }) => whole(l1Balances)),
  l1FeesBurned: during(named('l1Fee')),
}
