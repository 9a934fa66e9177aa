import { expect, test } from 'vitest'
import type { DryRun } from '../../../api/watch/rules.ts'
import { drawnFrom, dryPlot, pointAt } from './dry-chart.ts'
import { dryCsv, drySentence, readingAt } from './dry-words.ts'

const subject = { kind: 'node', id: 'NodeID-a', name: 'gamma' }
const other = { kind: 'node', id: 'NodeID-b', name: 'delta' }

const run: DryRun = {
  unit: 'percentagePoints',
  threshold: 5,
  firstRoundTimestamp: 0,
  lastRoundTimestamp: 1_000,
  roundCount: 100,
  subjectCount: 2,
  alarmCount: 1,
  alarms: [
    { subject, openedTimestamp: 400, resolvedTimestamp: 600, value: 4, notifiedTimestamps: [400, 500] },
  ],
  series: [
    {
      subject,
      points: [
        { timestamp: 0, state: 'ok', value: 10 },
        { timestamp: 400, state: 'firing', value: 4 },
        { timestamp: 600, state: 'ok', value: 12 },
        { timestamp: 800, state: 'unknown' },
      ],
    },
    { subject: other, points: [{ timestamp: 0, state: 'ok', value: 20 }] },
  ],
  unknownSpans: [{ fromTimestamp: 800, toTimestamp: 1_000 }],
}

const options = { width: 1_000, height: 200, from: 0, to: 1_000, threshold: 5, unit: 'percentagePoints' }

test('a level is drawn as steps that end where it is unknown, and hold to the last round else', () => {
  const { geometry, shapes } = dryPlot(run, options)
  const lines = shapes.filter((shape) => shape.kind === 'path' && shape.stroke?.includes('series') === true)
  const [first, second] = lines.map((shape) => (shape.kind === 'path' ? shape.d : ''))
  const x = (time: number): string => geometry.x(time).toFixed(1)
  expect(first?.startsWith(`M${x(0)} `)).toBe(true)
  expect(first).toContain(`H${x(400)}V`)
  expect(first?.endsWith(`H${x(800)}`)).toBe(true)
  expect(second?.endsWith(`H${x(1_000)}`)).toBe(true)
})

test('the threshold, the time that it fires, every message and the unknown span are marked', () => {
  const { geometry, shapes } = dryPlot(run, options)
  const fills = (fill: string, opacity?: number) =>
    shapes.flatMap((shape) =>
      shape.kind === 'path' && shape.fill === fill && shape.fillOpacity === opacity ? [shape.d] : [],
    )
  const width = (from: number, to: number): string => (geometry.x(to) - geometry.x(from)).toFixed(1)
  expect(fills('var(--color-bad)', 0.14)).toEqual([
    expect.stringMatching(`^M${geometry.x(400).toFixed(1)} .*h${width(400, 600)}v`),
  ])
  expect(fills('var(--color-bad)')).toHaveLength(2)
  expect(fills('var(--color-line-strong)', 0.25)).toEqual([expect.stringContaining(`h${width(800, 1_000)}v`)])
  expect(shapes.filter((shape) => shape.kind === 'line' && shape.dash !== undefined)).toHaveLength(1)
})

test('an alarm that is still open reaches the end, and an event is a mark of two pixels', () => {
  const alarm = { subject, openedTimestamp: 900, notifiedTimestamps: [] }
  const widths = (unit: string) =>
    dryPlot(
      { ...run, alarms: [alarm], series: [] },
      { ...options, unit, threshold: undefined },
    ).shapes.flatMap((shape) =>
      shape.kind === 'path' && shape.fillOpacity === 0.14 ? [Number(/h([\d.]+)v/.exec(shape.d)?.[1])] : [],
    )
  expect(widths('percent')[0]).toBeGreaterThan(90)
  expect(widths('events')).toEqual([2])
})

test('a chart begins with the first round, and is never shorter than ten minutes', () => {
  expect(drawnFrom({ ...run, firstRoundTimestamp: 50_000 }, 0, 100_000)).toBe(50_000)
  expect(drawnFrom({ ...run, firstRoundTimestamp: 0 }, 10_000, 100_000)).toBe(10_000)
  expect(drawnFrom({ ...run, firstRoundTimestamp: 99_900 }, 0, 100_000)).toBe(99_400)
})

test('a time axis has small numbers', () => {
  const of = (value: number) =>
    dryPlot(
      { ...run, series: [{ subject, points: [{ timestamp: 0, state: 'ok', value }] }] },
      { ...options, unit: 'seconds', threshold: 60 },
    ).axisUnit
  expect([90, 600, 10_000, 500_000].map(of)).toEqual(['seconds', 'minutes', 'hours', 'days'])
})

test('the outcome is told with the time without data', () => {
  expect(drySentence(run)).toBe(
    'It would have fired once for 1 of 2 subjects, and sent 2 messages. For 3 min 20 s there was no data.',
  )
  expect(drySentence({ ...run, alarms: [], alarmCount: 0, unknownSpans: [] })).toBe(
    'It would not have fired in 100 rounds over 2 subjects.',
  )
  const { resolvedTimestamp: _, ...open } = run.alarms[0] ?? {
    subject,
    openedTimestamp: 1,
    notifiedTimestamps: [],
  }
  expect(drySentence({ ...run, alarms: [open], unknownSpans: [] })).toContain('; 1 would still be open.')
  expect(drySentence({ ...run, roundCount: 0 })).toBe('Nothing was measured in this time.')
  expect(drySentence({ ...run, subjectCount: 0 })).toContain('applies to none')
})

test('a moment is read out with those that fire first', () => {
  expect(readingAt(run, 450)).toBe('gamma 4 points, firing · delta 20 points, ok')
  expect(readingAt(run, 850)).toBe('no data')
  expect(readingAt({ ...run, unknownSpans: [] }, 850)).toBe('gamma unknown · delta 20 points, ok')
  expect(readingAt(run, -5)).toBe('nothing measured')
  expect(pointAt(run.series[0]?.points ?? [], 399)?.value).toBe(10)
})

test('the changes can be saved', () => {
  expect(dryCsv(run).split('\r\n').slice(0, 3)).toEqual([
    'subject,id,time,state,value (percentagePoints)',
    'gamma,NodeID-a,1970-01-01T00:00:00.000Z,ok,10',
    'gamma,NodeID-a,1970-01-01T00:06:40.000Z,firing,4',
  ])
})
