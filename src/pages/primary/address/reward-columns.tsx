import type { HistoricalReward, PendingReward } from '../../../../contract/network/rewards.ts'
import type { NetworkName } from '../../../api/current.ts'
import type { RewardYear } from '../../../api/network/rewards.ts'
import { AssetAmount } from '../../../components/asset-amount.tsx'
import { dash, timeColumn } from '../../../components/table/column-kinds.tsx'
import {
  assetColumn,
  avaxColumn,
  nodeColumn,
  primaryTxColumn,
} from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { Fiat } from '../../../components/tokens/token-amount-fiat.tsx'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { formatInteger, formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { moneyText, rewardValue } from './reward-value.ts'

const kinds: Readonly<Record<string, string>> = {
  VALIDATOR: 'validation',
  DELEGATOR: 'delegation',
  VALIDATOR_FEE: 'delegation fee',
}
const kindOf = (type: string): string => kinds[type] ?? type

/** Room for an amount of seven digits beside one of five decimals, with the points below each other (`useAlignedDecimals`). */
const amountWidth = '200px'

type Staking = Pick<
  HistoricalReward,
  'addresses' | 'amountStaked' | 'nodeId' | 'startTimestamp' | 'endTimestamp' | 'rewardType' | 'txHash'
>

/**
 * The common columns of paid and pending rewards: node, stake and receivers. `isOfNode`: in a list of one node, which
 * shows the receivers instead of the node.
 */
function stakingColumns<Row extends Staking>(
  network: NetworkName,
  isOfNode: boolean,
): Record<string, Column<Row>> {
  return {
    kind: {
      id: 'kind',
      header: 'For',
      width: '120px',
      narrow: 'below',
      cell: ({ rewardType }) => kindOf(rewardType),
      text: ({ rewardType }) => rewardType,
    },
    node: nodeColumn('node', 'Node', ({ nodeId }) => nodeId, network, {
      width: '168px',
      hidden: isOfNode,
    }),
    staked: avaxColumn('staked', 'Staked, AVAX', ({ amountStaked }) => amountStaked, { width: '140px' }),
    start: timeColumn('start', 'Staked from', ({ startTimestamp }) => startTimestamp, {
      hidden: true,
      width: '120px',
    }),
    addresses: {
      id: 'addresses',
      header: 'To',
      hidden: !isOfNode,
      width: '188px',
      cell: ({ addresses }) => {
        const [first] = addresses
        if (first === undefined) return dash
        return addresses.length === 1 ? (
          <WalletAddress address={first} network={network} />
        ) : (
          <span title={addresses.join('\n')}>{addresses.length} addresses</span>
        )
      },
      text: ({ addresses }) => addresses.join(' '),
    },
    transaction: primaryTxColumn(
      'transaction',
      'Staking transaction',
      ({ txHash }) => txHash,
      network,
      'p-chain',
      { hidden: true, width: '170px' },
    ),
  }
}

const present = <Row,>(columns: readonly (Column<Row> | undefined)[]): Column<Row>[] =>
  columns.filter((column) => column !== undefined)

/** The columns of paid rewards. */
export function rewardColumns(
  network: NetworkName,
  currency: string,
  isOfNode: boolean,
): Column<HistoricalReward>[] {
  const { kind, node, staked, start, addresses, transaction } = stakingColumns<HistoricalReward>(
    network,
    isOfNode,
  )
  const code = currency.toUpperCase()
  return present([
    timeColumn('end', 'Staking ended', ({ endTimestamp }) => endTimestamp, {
      always: true,
      width: '108px',
      narrow: 'title',
    }),
    kind,
    node,
    addresses,
    staked,
    start,
    {
      id: 'reward',
      header: 'Reward',
      align: 'right',
      width: '176px',
      narrow: 'side',
      cell: ({ reward }) => <AssetAmount asset={reward} />,
      text: ({ reward }) => plainAmount(reward.amount, reward.denomination),
    },
    {
      id: 'price',
      header: `Price then, ${code}`,
      align: 'right',
      width: '124px',
      cell: ({ reward: { historicalPrice } }) => (historicalPrice ? <Fiat money={historicalPrice} /> : dash),
      text: ({ reward: { historicalPrice } }) => historicalPrice?.value ?? '',
    },
    {
      id: 'value',
      header: `Worth then, ${code}`,
      align: 'right',
      width: '130px',
      narrow: 'belowSide',
      cell: (row) => {
        const value = rewardValue(row)
        return value ? <Fiat money={value} /> : dash
      },
      text: (row) => {
        const value = rewardValue(row)
        return value ? moneyText(value) : ''
      },
    },
    transaction,
    primaryTxColumn(
      'rewardTransaction',
      'Reward transaction',
      ({ rewardTxHash }) => rewardTxHash,
      network,
      'p-chain',
      { width: '150px' },
    ),
  ])
}

/** The progress of a stake, as bar and text. */
function Progress({ percent }: { percent: number }) {
  return (
    <span className="inline-flex items-center justify-end gap-2">
      <span className="h-1.5 w-16 overflow-hidden rounded-full bg-hover max-md:hidden" aria-hidden="true">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
        />
      </span>
      <span className="min-w-14 text-right">
        {formatNumber(percent, 1)} %<span className="md:hidden"> done</span>
      </span>
    </span>
  )
}

/** The columns of pending rewards. */
export function pendingColumns(network: NetworkName, isOfNode: boolean): Column<PendingReward>[] {
  const { kind, node, staked, start, addresses, transaction } = stakingColumns<PendingReward>(
    network,
    isOfNode,
  )
  return present([
    timeColumn('end', 'Staking ends', ({ endTimestamp }) => endTimestamp, {
      always: true,
      width: '130px',
      narrow: 'title',
    }),
    kind,
    node,
    addresses,
    staked,
    start,
    {
      id: 'progress',
      header: 'Done',
      align: 'right',
      // Wide enough for the bar and a share of three decimals.
      width: '176px',
      narrow: 'belowSide',
      cell: ({ progress }) => <Progress percent={progress} />,
      text: ({ progress }) => String(progress),
    },
    assetColumn('reward', 'Estimated reward', ({ estimatedReward }) => estimatedReward, {
      width: amountWidth,
      narrow: 'side',
    }),
    transaction,
  ])
}

/** The columns of rewards by year. */
export function yearColumns(currency: string): Column<RewardYear>[] {
  return [
    {
      id: 'year',
      header: 'Year (UTC)',
      always: true,
      width: '120px',
      narrow: 'title',
      cell: ({ year }) => <span className="font-strong">{year}</span>,
      text: ({ year }) => String(year),
    },
    {
      id: 'count',
      header: 'Rewards',
      align: 'right',
      width: '110px',
      narrow: 'below',
      cell: ({ rewardCount }) => (
        <>
          {formatInteger(rewardCount)}
          <span className="md:hidden"> rewards</span>
        </>
      ),
      text: ({ rewardCount }) => String(rewardCount),
    },
    {
      id: 'reward',
      header: 'Total',
      align: 'right',
      width: amountWidth,
      narrow: 'side',
      cell: ({ reward }) => <AssetAmount asset={reward} />,
      text: ({ reward }) => plainAmount(reward.amount, reward.denomination),
    },
    {
      id: 'value',
      header: `Worth, ${currency.toUpperCase()}`,
      align: 'right',
      width: '220px',
      narrow: 'belowSide',
      cell: ({ value }) =>
        value ? (
          <Fiat money={value} />
        ) : (
          <span className="text-muted" title="A price is missing for one of its days">
            not known
          </span>
        ),
      text: ({ value }) => value?.value ?? '',
    },
    timeColumn('first', 'First', ({ firstTimestamp }) => firstTimestamp, { align: 'right', width: '140px' }),
    timeColumn('last', 'Last', ({ lastTimestamp }) => lastTimestamp, { align: 'right', width: '140px' }),
  ]
}
