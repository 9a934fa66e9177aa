import { expect, test } from 'vitest'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { cellAt, cellText, daysShown, heatPaths, heatRows, layOutHeat, levelOf } from './heat.ts'

const member = (memberId: string, connectedByDay: (number | null)[], more: Partial<WatchFleetRow> = {}) => ({
  memberId,
  kind: 'node',
  nodeId: memberId,
  uptimeRequirement: 80,
  uptimeByDay: connectedByDay.map((value) => (value === null ? null : value / 2)),
  connectedByDay,
  alarms: [],
  states: { pending: 0, firing: 0, unknown: 0 },
  ...more,
})
const nameOf = ({ memberId }: WatchFleetRow): string => memberId

test('a day is full only when all of it was connected, low below the requirement, and unknown without samples', () => {
  expect(
    [100, 99.95, 99.9, 95, 94.9, 80, 79.9, 0, null, undefined].map((value) => levelOf(value, 80)),
  ).toEqual(['full', 'full', 'high', 'high', 'middle', 'middle', 'low', 'low', 'none', 'none'])
  expect(levelOf(85, 90)).toBe('low')
  // An L1 validator needs no uptime for a reward.
  expect(levelOf(10)).toBe('middle')
})

test('the worst rows come first, rows without samples last, and days without samples are not a fault', () => {
  const members = [
    member('good', [100, 100]),
    member('silent', [null, null]),
    member('bad', [0, 100]),
    member('young', [null, 99]),
  ]
  expect(heatRows(members, 'connected', nameOf).map(({ memberId }) => memberId)).toEqual([
    'bad',
    'young',
    'good',
    'silent',
  ])
  expect(heatRows(members, 'uptime', nameOf)[0]?.values).toEqual([0, 50])
})

test('every cell is drawn once, at its level and at its place', () => {
  const rows = heatRows([member('a', [100, 50, null]), member('b', [96, 100, 90])], 'connected', nameOf)
  const layout = layOutHeat(470, rows.length, 3)
  const paths = heatPaths(rows, layout)
  const count = (path: string): number => path.split('M').length - 1
  expect(Object.values(paths).map(count)).toEqual([2, 1, 1, 1, 1])
  expect(layout).toMatchObject({ left: 132, row: 18, height: 18 + 36 })
  expect(cellAt(layout, 2, 3, layout.left + 1, 19)).toEqual({ row: 0, day: 0 })
  expect(cellAt(layout, 2, 3, layout.left + 3 * layout.column - 1, 53)).toEqual({ row: 1, day: 2 })
  expect(cellAt(layout, 2, 3, layout.left - 1, 19)).toBeUndefined()
  expect(cellAt(layout, 2, 3, 300, 5)).toBeUndefined()
  expect(cellAt(layout, 2, 3, 300, 54)).toBeUndefined()
})

test('five hundred nodes fit without names', () => {
  expect(layOutHeat(900, 500, 30)).toMatchObject({ left: 0, row: 6, column: 30, height: 18 + 3_000 })
})

test('a cell is read out with its node, its day and what it lacks', () => {
  const [row] = heatRows([member('gamma', [79.5])], 'connected', nameOf)
  if (!row) throw new Error('no row')
  expect(cellText(row, 79.5, '21 Nov', 'connected')).toBe(
    'gamma, 21 Nov: 79.5 % of the sampled time connected, below the 80 % of its reward',
  )
  expect(cellText(row, 99, '21 Nov', 'uptime')).toBe('gamma, 21 Nov: 99 % uptime by the end of the day')
  expect(cellText(row, null, '21 Nov', 'uptime')).toBe('gamma, 21 Nov: no samples')
})

test('days before the first sample are left out, but a week is always shown, in cells that are never wide', () => {
  const none = Array.from({ length: 30 }, () => null)
  const since = (days: number) => none.map((_, index) => (index < 30 - days ? null : 100))
  expect(daysShown([member('new', since(1)), member('newer', none)])).toBe(7)
  const members = [member('old', since(12)), member('new', since(1))]
  expect(daysShown(members)).toBe(12)
  expect(heatRows(members, 'connected', nameOf).map(({ values }) => values.length)).toEqual([12, 12])
  expect(daysShown([member('short', [100, 100])])).toBe(2)
  expect(daysShown([])).toBe(0)
  expect(layOutHeat(1100, 2, 7).column).toBe(48)
  expect(layOutHeat(1100, 2, 30).column).toBe(31)
})
