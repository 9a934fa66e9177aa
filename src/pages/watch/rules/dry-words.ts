import type { DryRun } from '../../../api/watch/rules.ts'
import { csvCell } from '../../../lib/export.ts'
import { subjectName } from '../shared/subject.tsx'
import { countText, measuredText } from '../shared/words.ts'
import { spanText } from '../../../lib/time.ts'
import { pointAt } from './dry-chart.ts'

/** How long there was no data of any subject, in seconds. */
const unknownSeconds = ({ unknownSpans }: DryRun): number =>
  unknownSpans.reduce((sum, { fromTimestamp, toTimestamp }) => sum + (toTimestamp - fromTimestamp), 0)

const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

/** A dry run in a sentence or two: how often it would have fired and been sent, and how long there was no data. */
export function drySentence(run: DryRun): string {
  const { alarms, alarmCount, roundCount, subjectCount } = run
  if (roundCount === 0) return 'Nothing was measured in this time.'
  if (subjectCount === 0) return 'The rule applies to none of the members.'
  const fired = new Set(alarms.map(({ subject }) => subject.id)).size
  const sent = alarms.reduce((sum, { notifiedTimestamps }) => sum + notifiedTimestamps.length, 0)
  const open = alarms.filter(({ resolvedTimestamp }) => resolvedTimestamp === undefined).length
  const unknown = unknownSeconds(run)
  const evaluated = `${countText(roundCount, 'round')} over ${countText(subjectCount, 'subject')}`
  const main =
    alarmCount === 0
      ? `It would not have fired in ${evaluated}.`
      : `It would have fired ${times(alarmCount)} for ${fired} of ${countText(subjectCount, 'subject')}, and sent ${countText(sent, 'message')}${open > 0 ? `; ${open} would still be open` : ''}.`
  return unknown === 0 ? main : `${main} For ${spanText(unknown)} there was no data.`
}

/** What the rule would have seen at a time: the worst three subjects, those that fire first. */
export function readingAt(run: DryRun, time: number): string {
  const isUnknown = run.unknownSpans.some(
    ({ fromTimestamp, toTimestamp }) => time >= fromTimestamp && time < toTimestamp,
  )
  if (isUnknown) return 'no data'
  const rank: Readonly<Record<string, number>> = { firing: 0, pending: 1, unknown: 2 }
  const found = run.series
    .flatMap(({ subject, points }) => {
      const point = pointAt(points, time)
      return point === undefined ? [] : [{ subject, point }]
    })
    .toSorted((left, right) => (rank[left.point.state] ?? 3) - (rank[right.point.state] ?? 3))
  if (found.length === 0) return 'nothing measured'
  return found
    .slice(0, 3)
    .map(({ subject, point }) =>
      point.value === undefined
        ? `${subjectName(subject)} ${point.state}`
        : `${subjectName(subject)} ${measuredText(point.value, run.unit)}, ${point.state}`,
    )
    .join(' · ')
}

/** The series of a dry run as CSV: one row a change. */
export function dryCsv(run: DryRun): string {
  const rows = run.series.flatMap(({ subject, points }) =>
    points.map(({ timestamp, state, value }) =>
      [
        csvCell(subjectName(subject)),
        subject.id,
        new Date(timestamp * 1000).toISOString(),
        state,
        value ?? '',
      ].join(','),
    ),
  )
  return [`subject,id,time,state,value (${run.unit})`, ...rows].map((line) => `${line}\r\n`).join('')
}
