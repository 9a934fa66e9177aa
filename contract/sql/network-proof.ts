import { networkMetricEntry, type NetworkMetricName } from '../metrics/network-catalogue.ts'
import { isSampled, type SampledNetworkMetricName } from '../metrics/network-samples.ts'
import { primaryNetworkId } from '../primary/chains.ts'
import { statementOf, type Statement } from './metric-proof.ts'

/** The period that is counted: from its start to before its end, or to the second after the head. */
type ProvenPeriod = {
  readonly network: string
  readonly start: number
  readonly end: number
  /** The id of AVAX there. */
  readonly avax: string
}

type ProvableMetric = Exclude<NetworkMetricName, SampledNetworkMetricName>
type Counting = Parameters<typeof statementOf>[0]
type Rows = (period: ProvenPeriod) => Counting

/**
 * Staking periods of the primary network: of a validator that renews itself, `stakers` has the last one, and the
 * finished ones are rows of their own.
 */
const periods = (network: string): string => `(
    select tx_id, node_id, is_delegator, false as is_renewed, weight, coalesce(potential_reward, 0) as potential_reward,
      epoch(start_time)::bigint as start_ts, epoch(end_time)::bigint as end_ts, epoch(ended_time)::bigint as ended_ts
    from stakers where network = '${network}' and subnet_id = '${primaryNetworkId}'
    union all
    select staking_tx_id, node_id, false, true, weight, potential_reward, epoch(start_time)::bigint, epoch(end_time)::bigint,
      epoch(end_time)::bigint
    from staking_cycles where network = '${network}' and outcome = 'renewed')`

type Staked = 'all' | 'validators' | 'delegators'
const stakedBy = { all: 'true', validators: 'not is_delegator', delegators: 'is_delegator' } as const

/** Staking periods that meet a condition, with one of their columns. */
const staked =
  (amount: string, by: Staked, when: (period: ProvenPeriod) => string, value = 'weight'): Rows =>
  (period) => ({
    rows: `select row(tx_id, start_ts) as place, tx_id, start_ts, node_id, ${value} from ${periods(period.network)}
  where ${stakedBy[by]} and ${when(period)}`,
    form: ['tx_id', 'start_ts', 'node_id', value],
    amount,
  })

const running = ({ end }: ProvenPeriod): string =>
  `start_ts < ${end} and (ended_ts is null or ended_ts >= ${end})`
const within =
  (column: string, more = '') =>
  ({ start, end }: ProvenPeriod): string =>
    `${column} >= ${start} and ${column} < ${end}${more}`
/** A period that continues another one is neither an entry nor an exit. */
const entered: Rows = ({ network, start, end }) => ({
  rows: `select tx_id as place, tx_id, min(start_ts) as start_ts from ${periods(network)}
  where not is_delegator group by tx_id having min(start_ts) >= ${start} and min(start_ts) < ${end}`,
  form: ['tx_id', 'start_ts'],
  amount: 'count(*)',
})

/** A figure over the stakes of nodes, by descending weight: `n` is the place, `held` the sum up to it. */
const spread =
  (amount: string, per?: string): Rows =>
  (period) => ({
    ...staked('', 'all', running)(period),
    amount: `(select ${amount} from (
    select weight, row_number() over w as n, count(*) over () as nodes, sum(weight) over () as total,
      sum(weight) over (w rows unbounded preceding) as held
    from (select sum(weight) as weight from counted group by node_id) window w as (order by weight desc)))`,
    ...(per !== undefined && { per }),
  })
const largestShare = (percent: number): Rows =>
  spread(`100 * sum(weight) filter (where n <= ceil(nodes * ${percent} / 100))`, 'sum(weight)')
const fewestWith = (permille: number): Rows =>
  spread(`min(n) filter (where held * 1000 >= total * ${permille})`)

const rewards =
  (...types: string[]): Rows =>
  ({ network, start, end }) => ({
    rows: `select row(height, staking_tx_id, type) as place, height, staking_tx_id, type, amount
  from rewards join (select network, tx_id as staking_tx_id from stakers where subnet_id = '${primaryNetworkId}')
    using (network, staking_tx_id)
  where network = '${network}' and type in (${listOf(types)}) and ts >= ${start} and ts < ${end}`,
    form: ['height', 'staking_tx_id', 'type', 'amount'],
    amount: 'sum(amount)',
  })

const listOf = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ')

/** The last block of the P-Chain before the end, with one of its columns. */
const lastBlock =
  (value: string, amount: string, per?: string): Rows =>
  ({ network, end }) => ({
    rows: `select height as place, height, ${value} from p_blocks
  where network = '${network}' and ts < ${end} order by ts desc, height desc limit 1`,
    form: ['height', value],
    amount,
    ...(per !== undefined && { per }),
  })

/** How the tables of a chain begin. */
type TablePrefix = 'p' | 'x' | 'c'

/** Transactions of some types, all of them if none is given, whose time is between two. */
const transactionsOf =
  (chain: TablePrefix, span: 'period' | 'all before', types: readonly string[], genesis = false): Rows =>
  ({ network, start, end }) => ({
    rows: `select row(height, "index") as place, height, "index", id from ${chain}_transactions
  where network = '${network}' and ts < ${end}${span === 'period' ? ` and ts >= ${start}` : ''}${genesis ? '' : ' and height <> 0'}${
    types.length > 0
      ? `
    and type in (${listOf(types)})`
      : ''
  }`,
    form: ['height', '"index"', 'id'],
    amount: 'count(*)',
  })
const transactions = (chain: TablePrefix, ...types: string[]): Rows => transactionsOf(chain, 'period', types)
/** All that were ever made by transactions of a type, those of the genesis included. */
const everMade = (type: string): Rows => transactionsOf('p', 'all before', [type], true)

/** The UTXOs of all chains that are spent on one. */
const utxosAt = (network: string, home: string, columns: string): string =>
  ['p', 'x', 'c']
    .map((chain) => `select ${columns} from ${chain}_utxos where network = '${network}' and home = '${home}'`)
    .join('\n    union all ')

const unspent =
  (home: 'P' | 'X'): Rows =>
  ({ network, end }) => ({
    rows: `select utxo_id as place, utxo_id, amount from (
    ${utxosAt(network, home, 'utxo_id, amount, ts, spent_ts')}
  ) where ts < ${end} and (spent_ts is null or spent_ts >= ${end})`,
    form: ['utxo_id', 'amount'],
    amount: 'count(*)',
  })

/** What transactions spent in AVAX, less what they made, and less what went into balances of L1 validators. */
const burned =
  (home: 'P' | 'X'): Rows =>
  ({ network, start, end, avax }) => ({
    rows: `select row(part, id, amount) as place, part, id, amount from (
    select 'spent' as part, utxo_id as id, amount from (
      ${utxosAt(network, home, 'utxo_id, asset_id, amount, spent_ts')}
    ) where asset_id = '${avax}' and spent_ts >= ${start} and spent_ts < ${end}
    union all
    select 'made', utxo_id, -amount from ${home.toLowerCase()}_utxos
    where network = '${network}' and asset_id = '${avax}' and height <> 0 and height > -2
      and reward_type is null and ts >= ${start} and ts < ${end}${
        home === 'P'
          ? `
    union all
    select 'paid in', validation_id, -balance_change from l1_validator_changes
    where network = '${network}' and ts >= ${start} and ts < ${end}`
          : ''
      })`,
    form: ['part', 'id', 'amount'],
    amount: 'sum(amount)',
  })

/** L1 validators as their last changes before a time left them. */
const l1Before = (network: string, time: number): string => `(
    select validation_id, weight, end_fee from l1_validator_changes where network = '${network}' and ts < ${time}
    qualify row_number() over (partition by validation_id order by height desc, "index" desc) = 1)`

const l1Validators =
  (condition: string): Rows =>
  ({ network, end }) => ({
    rows: `select validation_id as place, validation_id, weight from ${l1Before(network, end)} where ${condition}`,
    form: ['validation_id', 'weight'],
    amount: 'count(*)',
  })

/** What is left of the balances of L1 validators: what they can pay until used up, less what each has paid. */
const l1BalancesBefore = (network: string, time: number): string =>
  `select validation_id, end_fee - (select accrued_fees from p_blocks where network = '${network}' and ts < ${time}
      order by ts desc, height desc limit 1) as amount
    from ${l1Before(network, time)} where end_fee is not null`

/** How each series is counted from rows of the tables of docs/sql.md. */
const provable: Readonly<Record<ProvableMetric, Rows>> = {
  totalStake: staked('sum(weight)', 'all', running),
  ownStake: staked('sum(weight)', 'validators', running),
  delegatedStake: staked('sum(weight)', 'delegators', running),
  expiringStake: staked('sum(weight)', 'all', within('coalesce(ended_ts, end_ts)')),
  validators: staked('count(*)', 'validators', running),
  validatorsEntered: entered,
  validatorsLeft: staked('count(*)', 'validators', within('ended_ts', ' and not is_renewed')),
  delegations: staked('count(*)', 'delegators', running),
  delegationsEntered: staked('count(*)', 'delegators', within('start_ts')),
  delegationsLeft: staked('count(*)', 'delegators', within('ended_ts')),
  largestPercentShare: largestShare(1),
  largestTenthShare: largestShare(10),
  largestThirdShare: largestShare(33),
  // Places are in descending order here, so that the weight at place n of m counts m + 1 - n times.
  stakeGini: spread(
    'sum((2 * (nodes + 1 - n) - nodes - 1) * weight)',
    'count(distinct node_id) * sum(weight)',
  ),
  nakamotoLiveness: fewestWith(334),
  nakamotoSafety: fewestWith(667),
  currentSupply: lastBlock('supply', 'sum(supply)'),
  // 12 % of what is not minted yet, of 720 million AVAX, over the supply.
  rewardRate: lastBlock('supply', '12 * (720000000000000000 - sum(supply))', 'sum(supply)'),
  rewardsPending: staked('sum(potential_reward)', 'all', running, 'potential_reward'),
  rewardsPaid: rewards('VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE'),
  validatorRewardsPaid: rewards('VALIDATOR'),
  delegatorRewardsPaid: rewards('DELEGATOR'),
  delegationFeesPaid: rewards('VALIDATOR_FEE'),
  pTransactions: transactions('p'),
  pTransfers: transactions('p', 'BaseTx'),
  pImports: transactions('p', 'ImportTx'),
  pExports: transactions('p', 'ExportTx'),
  pStakingTransactions: transactions(
    'p',
    'AddValidatorTx',
    'AddSubnetValidatorTx',
    'AddDelegatorTx',
    'RemoveSubnetValidatorTx',
    'AddPermissionlessValidatorTx',
    'AddPermissionlessDelegatorTx',
    'AddAutoRenewedValidatorTx',
    'SetAutoRenewedValidatorConfigTx',
  ),
  pRewardTransactions: transactions('p', 'RewardValidatorTx', 'RewardAutoRenewedValidatorTx'),
  pSubnetTransactions: transactions(
    'p',
    'CreateSubnetTx',
    'CreateChainTx',
    'TransferSubnetOwnershipTx',
    'TransformSubnetTx',
  ),
  pL1Transactions: transactions(
    'p',
    'ConvertSubnetToL1Tx',
    'RegisterL1ValidatorTx',
    'SetL1ValidatorWeightTx',
    'IncreaseL1ValidatorBalanceTx',
    'DisableL1ValidatorTx',
  ),
  l1Messages: transactions('p', 'RegisterL1ValidatorTx', 'SetL1ValidatorWeightTx'),
  xTransactions: transactions('x'),
  xTransfers: transactions('x', 'BaseTx'),
  xImports: transactions('x', 'ImportTx'),
  xExports: transactions('x', 'ExportTx'),
  xAssetTransactions: transactions('x', 'CreateAssetTx', 'OperationTx'),
  cAtomicTransactions: transactions('c'),
  pBurnedFees: burned('P'),
  xBurnedFees: burned('X'),
  cBurnedFees: ({ network, start, end }) => ({
    rows: `select row(height, "index") as place, height, "index", id, consumed, produced from c_transactions
  where network = '${network}' and ts >= ${start} and ts < ${end}`,
    form: ['height', '"index"', 'id', 'consumed', 'produced'],
    amount: 'sum(consumed - produced)',
  }),
  pUtxos: unspent('P'),
  xUtxos: unspent('X'),
  subnets: everMade('CreateSubnetTx'),
  blockchains: everMade('CreateChainTx'),
  l1s: everMade('ConvertSubnetToL1Tx'),
  l1Validators: l1Validators('weight > 0'),
  activeL1Validators: l1Validators('end_fee is not null'),
  inactiveL1Validators: l1Validators('weight > 0 and end_fee is null'),
  l1Balances: ({ network, end }) => ({
    rows: `select validation_id as place, validation_id, amount from (${l1BalancesBefore(network, end)})`,
    form: ['validation_id', 'amount'],
    amount: 'sum(amount)',
  }),
  l1FeesBurned: ({ network, start, end }) => ({
    rows: `select row(part, validation_id, amount) as place, part, validation_id, amount from (
    select 'at the start' as part, * from (${l1BalancesBefore(network, start)})
    union all
    select 'at the end', validation_id, -amount from (${l1BalancesBefore(network, end)})
    union all
    select 'paid in', validation_id, balance_change from l1_validator_changes
    where network = '${network}' and ts >= ${start} and ts < ${end})`,
    form: ['part', 'validation_id', 'amount'],
    amount: 'sum(amount)',
  }),
}

/** The table of a chain's blocks; that of the C-Chain's transactions, because its blocks are those of an EVM chain. */
const blocksOf = { 'p-chain': 'p_blocks', 'x-chain': 'x_blocks', 'c-chain': 'c_transactions' } as const

/** The statement that counts a period of a network's metric again; undefined of samples, which are in no block. */
export function networkProofOf(metric: NetworkMetricName, period: ProvenPeriod): Statement | undefined {
  if (isSampled(metric)) return undefined
  const { kind, chain } = networkMetricEntry(metric)
  const { network, start, end } = period
  const span = `from ${blocksOf[chain]} where network = '${network}' and ts < ${end}${kind === 'sum' ? ` and ts >= ${start}` : ''}`
  return statementOf(provable[metric](period), [
    `(select min(height) ${span}) as first_block`,
    `(select max(height) ${span}) as last_block`,
  ])
}
