import { describe, expect, test } from 'vitest'
import type { SeriesDefinition } from './catalogue/definition.ts'
import { networkSeries } from './catalogue/network.ts'
import { chainSeries } from './catalogue/chain.ts'
import { viewSeries } from './catalogue/view-series.ts'
import { levelAt, seriesAt, type ChartSeries } from './chart-series.ts'
import { markShapes } from './marks.ts'
import { plotOf } from './plot.ts'

const day = 86_400
const from = Date.UTC(2026, 8, 1) / 1000
const points = [3, 5, 4, 6].map((value, place) => ({ timestamp: from + place * day, value }))

/** The paths of a chart of lines whose last day has not ended. */
const pathsOf = (series: readonly ChartSeries[]): string[] =>
  markShapes(
    plotOf(
      { series, interval: 'day', now: from + 3.5 * day, from, to: from + 4 * day, sum: false, zero: false },
      800,
      300,
    ),
  ).map(({ d }) => d)

const slopes = /L/
const steps = /^M[\d.,]+([HV][\d.]+)+$/

describe('a level is drawn as steps, the open period too', () => {
  test('by its place', () => {
    const unit = { symbol: 'AVAX', decimals: 0 }
    const level = pathsOf([levelAt(0, 'Own stake', unit, points)])
    expect(level).toHaveLength(2)
    for (const path of level) expect(path).toMatch(steps)
    for (const path of pathsOf([seriesAt(0, 'Uptime', unit, points)])) expect(path).toMatch(slopes)
  })

  const owner = { chainId: 'one', name: 'One', symbol: 'AVAX', decimals: 0, index: 0 }
  const drawn = (info: SeriesDefinition, second?: SeriesDefinition): string[] =>
    pathsOf(
      viewSeries({
        info,
        second: second && { facts: owner, info: second },
        chains: [owner],
        points: [points, points],
        mode: 'plain',
      }),
    )
  const find = (list: readonly SeriesDefinition[], name: string): SeriesDefinition => {
    const found = list.find((one) => one.name === name)
    if (!found) throw new Error(`there is no ${name}`)
    return found
  }

  test.each(['totalStake', 'validators', 'delegations', 'currentSupply', 'xUtxos', 'l1Validators'])(
    'of a network: %s',
    (name) => {
      for (const path of drawn(find(networkSeries, name))) expect(path).toMatch(steps)
    },
  )

  test.each(['pTransactions', 'l1Balances', 'uptimeP50'])(
    'what changes all the time is a slope: %s',
    (name) => {
      for (const path of drawn(find(networkSeries, name))) expect(path).toMatch(slopes)
    },
  )

  test('on the second axis', () => {
    const paths = drawn(find(chainSeries, 'avgTps'), find(networkSeries, 'totalStake'))
    expect(paths.filter((path) => slopes.test(path))).toHaveLength(2)
    expect(paths.filter((path) => steps.test(path))).toHaveLength(2)
  })
})
