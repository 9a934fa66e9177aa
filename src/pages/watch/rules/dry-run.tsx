import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RuleDefinition } from '../../../../contract/watch/rules.ts'
import { watchKey } from '../../../api/watch/call.ts'
import { dryRun, type DryRun as Run } from '../../../api/watch/rules.ts'
import { useDebounced } from '../../../components/hooks.ts'
import { Skeleton } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { Choice } from '../../shared/choice.tsx'
import { WatchFailed } from '../shared/failed.tsx'
import { Subject } from '../shared/subject.tsx'
import { countText, measuredText } from '../shared/words.ts'
import { spanText } from '../../../lib/time.ts'
import { Button } from '../../../components/controls.tsx'
import { DryChart } from './dry-chart-view.tsx'
import { dryRanges, type DryRange } from './draft.ts'
import { drySentence } from './dry-words.ts'
import { drawnFrom } from './dry-chart.ts'

const labels: Readonly<Record<DryRange, string>> = { '1': '24 h', '7': '7 d', '30': '30 d' }
const shownAlarms = 8

/** The room of the chart, its legend and its sentence. */
const PLACE = 330

function Alarms({ run, network }: { run: Run; network: string | undefined }) {
  const [isWhole, setWhole] = useState(false)
  const { alarms, alarmCount, unit } = run
  if (alarms.length === 0) return null
  const latest = alarms.toReversed()
  return (
    <>
      <ol aria-label="When it would have fired" className="mt-3 border-t border-line">
        {(isWhole ? latest : latest.slice(0, shownAlarms)).map(
          ({ subject, openedTimestamp, resolvedTimestamp, value, notifiedTimestamps }) => (
            <li
              key={`${subject.id} ${openedTimestamp}`}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line py-1"
            >
              <span className="w-24 text-xs text-muted">
                <TimeAgo at={openedTimestamp} />
              </span>
              <Subject subject={subject} network={network} />
              {value !== undefined && <span>{measuredText(value, unit)}</span>}
              <span className="text-xs text-muted">
                {unit === 'events'
                  ? ''
                  : resolvedTimestamp === undefined
                    ? 'still open'
                    : `for ${spanText(resolvedTimestamp - openedTimestamp)}`}
                {notifiedTimestamps.length === 0
                  ? ' · not sent'
                  : notifiedTimestamps.length > 1
                    ? ` · sent ${notifiedTimestamps.length} times`
                    : ''}
              </span>
            </li>
          ),
        )}
      </ol>
      <div className="flex flex-wrap gap-3 pt-2">
        {alarms.length > shownAlarms && (
          <Button small onClick={() => setWhole((now) => !now)}>
            {isWhole ? `Show the latest ${shownAlarms}` : `Show all ${alarms.length}`}
          </Button>
        )}
        {alarmCount > alarms.length && (
          <span className="text-xs text-muted">
            {countText(alarmCount, 'alarm')} in all; the first {countText(alarms.length, 'is', 'are')} listed.
          </span>
        )}
      </div>
    </>
  )
}

type Props = {
  /** The rule as the form has it; undefined while something in it is wrong. */
  rule: RuleDefinition | undefined
  network: string | undefined
  range: DryRange
  onRange: (range: DryRange) => void
  link: string
}

/** When a rule would have fired over the stored rounds; it follows the form, once typing has paused. */
export function DryRun({ rule, network, range, onRange, link }: Props) {
  // What notifies nobody else changes nothing of when it fires.
  const text = useDebounced(
    rule === undefined ? '' : JSON.stringify({ ...rule, channelIds: [], name: 'dry run' }),
    400,
  )
  const { data, error, isPlaceholderData, refetch, isPending } = useQuery({
    queryKey: [watchKey, 'dry-run', text, range],
    // Up to the moment of the request: a new service has few rounds, and the latest may be seconds old.
    queryFn: async ({ signal }) => {
      const to = Math.floor(Date.now() / 1000)
      const from = to - Number(range) * 86_400
      const run = await dryRun(
        { rule: JSON.parse(text) as RuleDefinition, startTimestamp: from, endTimestamp: to },
        signal,
      )
      return { run, from, to }
    },
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  })
  const isWrong = rule === undefined
  return (
    <div className="flex min-w-0 flex-col gap-2" style={{ minHeight: PLACE + 40 }}>
      <Choice
        label="Range of the dry run"
        options={dryRanges.map((id) => ({ id, label: labels[id] }))}
        current={range}
        onChange={onRange}
      />
      {error && !isPlaceholderData ? (
        <WatchFailed title="The dry run failed." error={error} onRetry={refetch} />
      ) : isWrong && !data ? (
        <EmptyState title="Nothing to evaluate yet">
          Once the fields are complete, this shows when the rule would have fired.
        </EmptyState>
      ) : isPending || !data ? (
        <div aria-busy="true">
          <output className="sr-only">Trying the rule</output>
          <Skeleton height={PLACE} />
        </div>
      ) : (
        <div className={isPlaceholderData || isWrong ? 'opacity-60' : ''} aria-busy={isPlaceholderData}>
          <output className="block pb-2">{drySentence(data.run)}</output>
          {data.run.roundCount > 0 && data.run.subjectCount > 0 && (
            <>
              <DryChart
                run={data.run}
                from={drawnFrom(data.run, data.from, data.to)}
                to={data.to}
                threshold={data.run.threshold ?? (data.run.unit === 'samples' ? rule?.samples : undefined)}
                link={link}
              />
              <Alarms run={data.run} network={network} />
            </>
          )}
        </div>
      )}
    </div>
  )
}
