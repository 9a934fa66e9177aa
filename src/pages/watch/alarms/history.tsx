import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { WatchAlarm } from '../../../../contract/watch/alarms.ts'
import { severities } from '../../../../contract/watch/severities.ts'
import { alarmsQuery } from '../../../api/watch/alarms.ts'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { useNow } from '../../../components/hooks.ts'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { column, dash, timeColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SeverityPill } from '../shared/severity.tsx'
import { Subject, subjectName, subjectPath } from '../shared/subject.tsx'
import { measuredText } from '../shared/words.ts'
import { Select } from '../../../components/controls.tsx'
import { alarmEnd, rangeAround } from './words.ts'

const schema = z.object({
  fleet: z.catch(z.string().check(z.maxLength(64)), ''),
  severity: z.catch(z.enum([...severities, '']), ''),
})

const rowKey = ({ alarmId }: WatchAlarm): string => alarmId

/** The columns of the history; `now` ends the range of alarms that are still open. */
const columnsOf = (now: number): readonly Column<WatchAlarm>[] => [
  timeColumn<WatchAlarm>('opened', 'Opened', ({ openedTimestamp }) => openedTimestamp, {
    width: '120px',
    narrow: 'below',
    always: true,
  }),
  {
    id: 'alarm',
    header: 'Alarm',
    narrow: 'title',
    cell: ({ title, text, isSilenced }) => (
      <span title={safeText(text, 300)}>
        {safeText(title, 120)}
        {isSilenced && <span className="text-xs text-muted"> silenced</span>}
      </span>
    ),
    text: ({ title }) => title,
  },
  {
    id: 'lasted',
    header: 'Lasted',
    width: '150px',
    narrow: 'side',
    cell: (alarm) =>
      alarmEnd(alarm) === 'open' ? (
        <Pill state="failed">open</Pill>
      ) : (
        <span title={alarmEnd(alarm)}>{alarmEnd(alarm)}</span>
      ),
    text: alarmEnd,
  },
  {
    id: 'subject',
    header: 'Subject',
    width: '180px',
    cell: ({ subject, network }) => <Subject subject={subject} network={network} />,
    text: ({ subject }) => subject.id,
  },
  {
    id: 'severity',
    header: 'Severity',
    width: '110px',
    cell: ({ severity }) => <SeverityPill severity={severity} />,
    text: ({ severity }) => severity,
  },
  column<WatchAlarm, string>(
    'measured',
    'Measured',
    ({ value, unit }) => (value === undefined || unit === 'events' ? undefined : measuredText(value, unit)),
    { show: (text) => text },
    { width: '130px', align: 'right' },
  ),
  {
    id: 'rule',
    header: 'Rule',
    width: '200px',
    hidden: true,
    narrow: 'belowSide',
    cell: ({ ruleId, ruleName, endReason }) =>
      endReason === 'ruleDeleted' ? (
        <span className="text-muted">{safeText(ruleName)}</span>
      ) : (
        <Link to={paths.rule(ruleId)} className="link">
          {safeText(ruleName)}
        </Link>
      ),
    text: ({ ruleName }) => ruleName,
  },
  {
    id: 'sent',
    header: 'Sent',
    width: '70px',
    align: 'right',
    hidden: true,
    cell: ({ notificationCount }) => notificationCount,
    text: ({ notificationCount }) => String(notificationCount),
  },
  {
    id: 'chart',
    header: 'Moment',
    width: '90px',
    cell: (alarm) => {
      const to =
        alarm.network === undefined
          ? undefined
          : subjectPath(alarm.subject, alarm.network, rangeAround(alarm, now))
      return to === undefined ? (
        dash
      ) : (
        <Link to={to} className="link" aria-label={`Chart of ${subjectName(alarm.subject)} at that time`}>
          Chart
        </Link>
      )
    },
  },
]

/** Every alarm that there was, latest first, narrowed by fleet and severity. */
export function History() {
  const [{ fleet, severity }, setSearch] = useSearchState(schema)
  const fleets = useQuery(fleetsQuery()).data ?? []
  const now = useNow(3_600)
  const list = alarmsQuery({
    ...(fleet !== '' && { fleetId: fleet }),
    ...(severity !== '' && { severity }),
  })
  const columns = useMemo(() => columnsOf(now), [now])
  return (
    <PagedTable
      id="watch-alarms"
      label="Alarms"
      noun="alarm"
      list={{
        ...list,
        refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? 15_000 : false),
      }}
      columns={columns}
      rowKey={rowKey}
      tools={
        <>
          <Select
            aria-label="Fleet"
            value={fleet}
            className="h-7"
            options={[
              { id: '', label: 'Every fleet' },
              ...fleets.map(({ fleetId, name }) => ({ id: fleetId, label: safeText(name) })),
            ]}
            onChange={(id) => setSearch({ fleet: id })}
          />
          <Select
            aria-label="Severity"
            value={severity}
            className="h-7"
            options={[{ id: '', label: 'Every severity' }, ...severities]}
            onChange={(chosen) => setSearch({ severity: chosen })}
          />
        </>
      }
      file="alarms"
      empty={
        <EmptyState title={fleet === '' && severity === '' ? 'No alarms yet' : 'No such alarms'}>
          {fleet === '' && severity === ''
            ? 'Every alarm is kept here with the measured value, also after it has ended.'
            : 'Clear the filters to see the others.'}
        </EmptyState>
      }
    />
  )
}
