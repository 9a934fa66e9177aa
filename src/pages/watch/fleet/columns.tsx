import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { column, dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger, formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { plural, safeText } from '../../../lib/text.ts'
import { isoTime, spanText } from '../../../lib/time.ts'
import { memberName } from './member-name.ts'
import { RowMenu } from './row-menu.tsx'
import { isLost, isUnder } from './sentence.ts'
import { UptimeSpark } from './uptime-spark.tsx'

/** The page of a member. */
export const memberPath = (network: string, { kind, memberId, nodeId }: WatchFleetRow): string =>
  kind === 'l1Validator' ? paths.l1Validator(network, memberId) : paths.validator(network, nodeId)

/** The seconds of a balance that are few enough to say so. */
const soon = 7 * 86_400

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

/** What is wrong with a member, in one pill; else whether it is connected. */
function State({ row }: { row: WatchFleetRow }) {
  const open = row.alarms.filter(({ isSilenced }) => !isSilenced)
  const silenced = row.alarms.length - open.length
  const title = row.alarms.map(({ ruleName, severity }) => `${ruleName} (${severity})`).join('\n')
  if (open.length > 0)
    return <Pill state="failed" title={title}>{`${formatInteger(open.length)} firing`}</Pill>
  if (silenced > 0) return <Pill state="ended" title={title}>{`${formatInteger(silenced)} silenced`}</Pill>
  if (row.isConnected === undefined) return <Pill state="stale">unknown</Pill>
  return (
    <Pill state={row.isConnected ? 'ok' : 'lost'}>{row.isConnected ? 'connected' : 'not connected'}</Pill>
  )
}

const connectedText = ({ isConnected }: WatchFleetRow): string | undefined =>
  isConnected === undefined ? undefined : isConnected ? 'connected' : 'not connected'

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
      {formatNumber(uptime, 2)} %{isUnder(row) && <span className="sr-only"> (too little for a reward)</span>}
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
      width: '164px',
      narrow: 'title',
      sortable: true,
      cell: (row) => <Name network={network} row={row} />,
      text: memberName,
    },
    mayWrite && {
      id: 'acts',
      header: 'Actions',
      width: '70px',
      always: true,
      cell: (row) => <RowMenu fleetId={fleetId} row={row} />,
    },
    {
      id: 'id',
      header: 'Id',
      width: '170px',
      hidden: true,
      cell: ({ memberId }) => <span className="font-mono text-mono">{memberId}</span>,
      text: ({ memberId }) => memberId,
    },
    {
      id: 'worst',
      header: 'State',
      width: '120px',
      narrow: 'side',
      sortable: true,
      cell: (row) => <State row={row} />,
      text: ({ alarms }) => alarms.map(({ ruleName }) => ruleName).join('; '),
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
    column<WatchFleetRow, string>(
      'connected',
      'Connected',
      connectedText,
      { show: (text) => text },
      { width: '120px', hidden: true },
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
            {delegatorCount !== undefined && (
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
    column<WatchFleetRow, number>(
      'end',
      'Stake ends',
      ({ endTimestamp }) => endTimestamp,
      {
        show: (seconds) => (
          <>
            <span className="md:hidden">ends </span>
            <TimeAgo at={seconds} />
          </>
        ),
        text: isoTime,
      },
      { align: 'right', width: '98px', narrow: 'belowSide', sortable: true },
    ),
    {
      id: 'earned',
      header: 'Reward, AVAX',
      align: 'right',
      width: '180px',
      sortable: true,
      cell: ({ earnedReward, potentialReward }) =>
        potentialReward === undefined ? (
          dash
        ) : (
          <span title="The share of the potential reward for the time that has passed. It is paid at the end.">
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
      cell: ({ remainingBalance, secondsRemaining, isActive }) => {
        if (remainingBalance === undefined) return dash
        if (isActive === false) return <span className="text-muted">inactive</span>
        const isNear = secondsRemaining !== undefined && secondsRemaining < soon
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
  ]
  return columns.filter((each) => each !== false)
}
