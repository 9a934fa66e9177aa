import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { column, dash, textColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger, formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { plural, safeText } from '../../../lib/text.ts'
import { isoTime, spanText } from '../../../lib/time.ts'
import { memberName } from './member-name.ts'
import { RowMenu } from './row-menu.tsx'
import { accrued, isLost, isRunningOut, isUnder } from './sentence.ts'
import { connectedText, stateOf } from './state.ts'
import { UptimeSpark } from './uptime-spark.tsx'

/** The page of a member. */
export const memberPath = (network: string, { kind, memberId, nodeId }: WatchFleetRow): string =>
  kind === 'l1Validator' ? paths.l1Validator(network, memberId) : paths.validator(network, nodeId)

function Name({ network, row }: { network: string; row: WatchFleetRow }) {
  const hasLabel = row.label !== undefined && row.label !== ''
  return (
    <span className="inline-flex max-w-full min-w-0 items-baseline gap-2">
      <Link
        to={memberPath(network, row)}
        className={`link min-w-0 truncate ${hasLabel ? '' : 'font-mono text-mono'}`}
        title={row.memberId}
        data-value={row.memberId.toLowerCase()}
      >
        {memberName(row)}
      </Link>
      {row.kind === 'l1Validator' && <span className="shrink-0 text-xs text-muted">L1</span>}
    </span>
  )
}

function Uptime({ row }: { row: WatchFleetRow }) {
  const { uptimePerformance: uptime, uptimeRequirement: required, neededUptime } = row
  if (uptime === undefined) return dash
  const needs =
    required === undefined
      ? ''
      : isLost(row)
        ? `It can no longer reach the ${required} % that its reward needs`
        : neededUptime === undefined
          ? `Its reward needs ${required} %`
          : `Needs ${formatNumber(neededUptime, 2)} % from here to reach ${required} %`
  return (
    <span className={isUnder(row) ? 'text-bad' : ''} title={needs}>
      <span className="md:hidden">uptime </span>
      {uptime.toFixed(2)} %{isUnder(row) && <span className="sr-only"> (too little for a reward)</span>}
    </span>
  )
}

/**
 * The columns of the members of a fleet; ids of sortable ones are the sorts of `sort.ts`. Validators of L1s (`hasL1`) have
 * a balance and no delegations: by default only one of both columns is shown, for which a page has room.
 */
export function memberColumns(
  network: string,
  fleetId: string,
  majorityVersion: string | undefined,
  mayWrite: boolean,
  hasL1: boolean,
): readonly Column<WatchFleetRow>[] {
  const columns: (Column<WatchFleetRow> | false)[] = [
    {
      id: 'name',
      header: 'Member',
      always: true,
      width: '166px',
      narrow: 'title',
      sortable: true,
      cell: (row) => <Name network={network} row={row} />,
      text: memberName,
    },
    {
      id: 'id',
      header: 'ID',
      width: '170px',
      hidden: true,
      cell: ({ memberId }) => <span className="font-mono text-mono">{memberId}</span>,
      text: ({ memberId }) => memberId,
    },
    {
      id: 'worst',
      header: 'State',
      width: '147px',
      narrow: 'side',
      sortable: true,
      cell: (row) => {
        const { state, text, title } = stateOf(row)
        return (
          <Pill state={state} title={title}>
            {text}
          </Pill>
        )
      },
      text: (row) => stateOf(row).text,
    },
    {
      id: 'uptime',
      header: 'Uptime',
      align: 'right',
      width: '168px',
      narrow: 'below',
      sortable: true,
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          <span className="max-md:hidden">
            <UptimeSpark values={row.uptimeByDay} requirement={row.uptimeRequirement} />
          </span>
          <span className="min-w-16 md:text-right">
            <Uptime row={row} />
          </span>
        </span>
      ),
      text: ({ uptimePerformance }) => (uptimePerformance === undefined ? '' : String(uptimePerformance)),
    },
    textColumn<WatchFleetRow>('connected', 'Connected', connectedText, { width: '120px', hidden: true }),
    textColumn<WatchFleetRow>(
      'alarms',
      'Alarms',
      ({ alarms }) => alarms.map(({ ruleName }) => safeText(ruleName)).join('; '),
      { width: '160px', hidden: true },
    ),
    column<WatchFleetRow, string>(
      'stake',
      'Stake, AVAX',
      ({ amountStaked }) => amountStaked,
      {
        show: (value) => <Avax value={value} max={2} bare />,
        text: (value) => plainAmount(value, avaxDecimals),
      },
      { width: '112px', align: 'right', sortable: true },
    ),
    {
      id: 'delegated',
      header: 'Delegated, AVAX',
      align: 'right',
      hidden: hasL1,
      width: '136px',
      sortable: true,
      cell: ({ amountDelegated, delegatorCount }) =>
        amountDelegated === undefined ? (
          dash
        ) : (
          <span
            title={
              delegatorCount === undefined
                ? undefined
                : `${formatInteger(delegatorCount)} ${plural(delegatorCount, 'delegation')}`
            }
          >
            <Avax value={amountDelegated} max={2} bare />
            {delegatorCount !== undefined && delegatorCount > 0 && (
              <span className="text-xs text-muted"> by {formatInteger(delegatorCount)}</span>
            )}
          </span>
        ),
      text: ({ amountDelegated }) =>
        amountDelegated === undefined ? '' : plainAmount(amountDelegated, avaxDecimals),
    },
    column<WatchFleetRow, string>(
      'version',
      'Version',
      ({ clientVersion }) => clientVersion,
      {
        show: (version) => {
          const text = safeText(version.split('/').at(-1) ?? '', 24)
          const isBehind = majorityVersion !== undefined && version !== majorityVersion
          return (
            <span title={isBehind ? `At least half of the peers run ${majorityVersion} or newer` : version}>
              {text}
            </span>
          )
        },
      },
      { width: '86px', sortable: true },
    ),
    {
      id: 'end',
      header: 'Stake ends',
      align: 'right',
      width: '98px',
      narrow: 'belowSide',
      sortable: true,
      // On a phone, which has no column for it, an L1 validator's balance ends here.
      cell: ({ endTimestamp, secondsRemaining }) =>
        endTimestamp !== undefined ? (
          <>
            <span className="md:hidden">ends </span>
            <TimeAgo at={endTimestamp} />
          </>
        ) : (
          <>
            {secondsRemaining !== undefined && (
              <span className="md:hidden">balance lasts {spanText(secondsRemaining)}</span>
            )}
            <span className="max-md:hidden">{dash}</span>
          </>
        ),
      text: ({ endTimestamp }) => (endTimestamp === undefined ? '' : isoTime(endTimestamp)),
    },
    {
      id: 'earned',
      header: 'Reward, AVAX',
      align: 'right',
      width: '166px',
      sortable: true,
      cell: ({ earnedReward, potentialReward }) =>
        potentialReward === undefined ? (
          dash
        ) : (
          <span title={accrued}>
            {earnedReward !== undefined && <Avax value={earnedReward} max={2} bare />}
            <span className="text-muted">
              {' of '}
              <Avax value={potentialReward} max={2} bare />
            </span>
          </span>
        ),
      text: ({ earnedReward }) => (earnedReward === undefined ? '' : plainAmount(earnedReward, avaxDecimals)),
    },
    column<WatchFleetRow, string>(
      'potential',
      'Expected reward, AVAX',
      ({ potentialReward }) => potentialReward,
      { show: (value) => <Avax value={value} bare />, text: (value) => plainAmount(value, avaxDecimals) },
      { width: '170px', align: 'right', hidden: true },
    ),
    {
      id: 'balance',
      header: 'L1 balance lasts',
      align: 'right',
      hidden: !hasL1,
      width: '130px',
      sortable: true,
      cell: (row) => {
        const { remainingBalance, secondsRemaining, isActive } = row
        if (remainingBalance === undefined) return dash
        if (isActive === false) return <span className="text-muted">inactive</span>
        const isNear = isRunningOut(row)
        return (
          <span
            className={isNear ? 'text-warn' : ''}
            title={`${plainAmount(remainingBalance, avaxDecimals)} AVAX left`}
          >
            {secondsRemaining === undefined ? 'not known' : spanText(secondsRemaining)}
            {isNear && <span className="sr-only"> (within a week)</span>}
          </span>
        )
      },
      text: ({ secondsRemaining }) => (secondsRemaining === undefined ? '' : String(secondsRemaining)),
    },
    mayWrite && {
      id: 'acts',
      header: 'Actions',
      align: 'right',
      width: '58px',
      always: true,
      cell: (row) => <RowMenu fleetId={fleetId} row={row} />,
    },
  ]
  return columns.filter((each) => each !== false)
}
