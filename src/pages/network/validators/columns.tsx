import type { Validator } from '../../../../contract/network/validators.ts'
import type { NetworkName } from '../../../api/current.ts'
import { Decimal, RowUnit } from '../../../components/amount.tsx'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { SubnetLink } from '../../../components/primary-link.tsx'
import { dash, timeColumn } from '../../../components/table/column-kinds.tsx'
import { nodeColumn, primaryTxColumn, subnetColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger, formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { isPrimaryNetwork } from '../../../lib/primary-chains.ts'
import { safeText } from '../../../lib/text.ts'
import { isoTime } from '../../../lib/time.ts'
import { StatusPill } from './status-pill.tsx'

/** Stakes of a subnet are in its own token, whose decimals no operation returns: they are shown unconverted. */
const isPrimary = (row: Validator): boolean => isPrimaryNetwork(row.subnetId)

function Stake({ row, value }: { row: Validator; value: string | undefined }) {
  if (value === undefined) return dash
  if (isPrimary(row)) return <Avax value={value} max={2} bare />
  return (
    <span
      className={value === '0' ? 'text-muted' : ''}
      title="Weight, or the smallest unit of the subnet’s token"
    >
      <Decimal text={formatInteger(value)} />
    </span>
  )
}

const stakeText = (row: Validator, value: string | undefined): string =>
  value === undefined ? '' : isPrimary(row) ? plainAmount(value, avaxDecimals) : value

/** Whether a validator continues at the end of its period, if it is rewarded. */
const goesOn = ({ validationStatus, autoRenewal }: Validator): boolean =>
  validationStatus === 'active' && autoRenewal !== undefined && autoRenewal.nextPeriodSeconds > 0

/** A validator's uptime in percent of its validation so far; a poor one is marked with a word. */
export function Uptime({
  percent,
  required = 80,
  bare = false,
}: {
  percent: number | undefined
  required?: number | undefined
  /** Without the unit, which the heading of the column has. */
  bare?: boolean
}) {
  if (percent === undefined) return dash
  const poor = percent < required
  return (
    <span
      className={poor ? 'text-warn' : ''}
      title={poor ? `Below ${required} %: no reward is paid at the end` : 'Of the validation so far'}
    >
      <Decimal text={bare ? percent.toFixed(2) : formatNumber(percent, 2)} />
      {!bare && ' %'}
      {bare && (
        // The figures of a column end below each other, with a requirement behind them or not.
        <span className="max-md:hidden">
          <span className="inline-block w-10 pl-1 text-left text-xs">
            {poor && `of ${formatNumber(required, 2)}`}
          </span>
        </span>
      )}
      {poor && (
        <span className={bare ? 'text-xs md:hidden' : 'text-xs'}> of {formatNumber(required, 2)}</span>
      )}
      {poor && <span className="sr-only"> (too low for a reward)</span>}
    </span>
  )
}

/**
 * The common columns of all lists of validations. Ids of sortable ones are the operation's sort keys. `unit` is that
 * of all stakes; empty if subnets with tokens of their own are included. `names` are those of subnets.
 */
export function validatorColumns(
  network: NetworkName,
  unit: string,
  names?: ReadonlyMap<string, string>,
): Column<Validator>[] {
  const inUnit = (header: string): string => (unit === '' ? header : `${header}, ${unit}`)
  const amountWidth = unit === '' ? '112px' : '140px'
  return [
    nodeColumn('node', 'Node', ({ nodeId }) => nodeId, network, {
      always: true,
      width: '164px',
      narrow: 'title',
    }),
    {
      id: 'status',
      header: 'Status',
      width: '110px',
      hidden: true,
      cell: ({ validationStatus }) => <StatusPill status={validationStatus} />,
      text: ({ validationStatus }) => validationStatus,
    },
    subnetColumn('subnet', 'Subnet', ({ subnetId }) => subnetId, network, {
      width: '142px',
      hidden: true,
      names,
    }),
    {
      id: 'staked',
      header: inUnit('Own stake'),
      width: amountWidth,
      align: 'right',
      narrow: 'side',
      cell: (row) => (
        <>
          {!isPrimary(row) && <span className="md:hidden">weight </span>}
          <Stake row={row} value={row.amountStaked} />
          {isPrimary(row) && <RowUnit>AVAX</RowUnit>}
        </>
      ),
      text: (row) => stakeText(row, row.amountStaked),
    },
    {
      id: 'delegated',
      header: inUnit('Delegated'),
      width: amountWidth,
      align: 'right',
      cell: (row) => <Stake row={row} value={row.amountDelegated} />,
      text: (row) => stakeText(row, row.amountDelegated),
    },
    {
      id: 'delegators',
      header: 'Delegators',
      align: 'right',
      width: '92px',
      cell: ({ delegatorCount }) => (delegatorCount === undefined ? dash : formatInteger(delegatorCount)),
      text: ({ delegatorCount }) => (delegatorCount === undefined ? '' : String(delegatorCount)),
    },
    {
      id: 'delegationCapacity',
      header: inUnit('Capacity left'),
      width: amountWidth,
      align: 'right',
      cell: (row) => <Stake row={row} value={row.delegationCapacity} />,
      text: (row) => stakeText(row, row.delegationCapacity),
    },
    {
      id: 'delegationFee',
      header: 'Fee, %',
      align: 'right',
      width: '72px',
      cell: ({ delegationFee }) =>
        delegationFee === undefined ? dash : <Decimal text={formatNumber(Number(delegationFee), 2)} />,
      text: ({ delegationFee }) => delegationFee ?? '',
    },
    {
      id: 'uptimePerformance',
      header: 'Uptime, %',
      align: 'right',
      width: '116px',
      narrow: 'below',
      cell: (row) => (
        <>
          {!isPrimary(row) && (
            <span className="mr-2 md:hidden">
              <SubnetLink subnetId={row.subnetId} network={network} name={names?.get(row.subnetId)} />
            </span>
          )}
          {row.uptimePerformance === undefined ? (
            dash
          ) : (
            <>
              <span className="md:hidden">uptime </span>
              <Uptime percent={row.uptimePerformance} required={row.uptimeRequirement} bare />
              <span className="md:hidden"> %</span>
            </>
          )}
        </>
      ),
      text: ({ uptimePerformance }) => (uptimePerformance === undefined ? '' : String(uptimePerformance)),
    },
    {
      id: 'share',
      header: 'Of all stake, %',
      align: 'right',
      width: '124px',
      hidden: true,
      cell: ({ stakePercentage }) =>
        stakePercentage === undefined ? dash : <Decimal text={formatNumber(stakePercentage, 4)} />,
      text: ({ stakePercentage }) => (stakePercentage === undefined ? '' : String(stakePercentage)),
    },
    timeColumn('startTimestamp', 'Begins', ({ startTimestamp }) => startTimestamp, {
      align: 'right',
      width: '104px',
    }),
    {
      id: 'timeRemaining',
      header: 'Ends',
      align: 'right',
      width: '108px',
      narrow: 'belowSide',
      cell: (row) => (
        <>
          <TimeAgo at={row.removeTimestamp ?? row.endTimestamp} />
          {goesOn(row) && (
            <span className="ml-1 text-muted" title="It renews itself at the end of this period">
              <span aria-hidden>↻</span>
              <span className="sr-only">and renews itself</span>
            </span>
          )}
        </>
      ),
      text: ({ endTimestamp, removeTimestamp }) => isoTime(removeTimestamp ?? endTimestamp),
    },
    {
      id: 'version',
      header: 'Version',
      width: '150px',
      hidden: true,
      cell: ({ avalancheGoVersion }) =>
        avalancheGoVersion === undefined ? dash : safeText(avalancheGoVersion, 40),
      text: ({ avalancheGoVersion }) => avalancheGoVersion ?? '',
    },
    {
      id: 'place',
      header: 'Place',
      width: '150px',
      hidden: true,
      cell: ({ geolocation }) =>
        geolocation == null ? dash : safeText(`${geolocation.city}, ${geolocation.country}`, 60),
      text: ({ geolocation }) => (geolocation == null ? '' : `${geolocation.city}, ${geolocation.country}`),
    },
    primaryTxColumn('transaction', 'Transaction', ({ txHash }) => txHash, network, 'p-chain', {
      width: '170px',
      hidden: true,
    }),
  ]
}
