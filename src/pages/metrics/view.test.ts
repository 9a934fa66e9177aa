import { largestChains } from '../../../charts/catalogue/largest.ts'
import { secondColour } from '../../../charts/catalogue/view-series.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import {
  chainLines,
  comparedChains,
  comparisonReasons,
  effectiveMode,
  isFitted,
  sharedInterval,
  startsAtZero,
} from '../../../charts/catalogue/view.ts'
import { describe, expect, test } from 'vitest'
import { metricNames, intervalsOf, type MetricName } from '../../../contract/metrics/catalogue.ts'
import type { ChainFacts } from '../../api/current.ts'
import { catalogue } from './catalogue.ts'
import { openGroups, readMetrics, toggleGroup } from './state.ts'
import { chartSeries } from './view.ts'

const chain = (chainId: string, symbol: string, index: number): ChainFacts => ({
  chainId,
  name: `Chain ${chainId}`,
  symbol,
  decimals: 18,
  index,
})
const c = chain('43113', 'AVAX', 0)
const other = chain('99', 'TOK', 1)

function info(name: string) {
  const found = catalogue.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no series ${name}`)
  return found
}

test('a stack of many chains has the eight largest, in the order of the list, and the others as one', () => {
  const owner = (index: number): ChainFacts => chain(String(index), 'TOK', index)
  const lines = Array.from({ length: 11 }, (_, index) => ({
    chain: owner(index),
    points: [
      { timestamp: 0, value: index },
      { timestamp: 86_400, value: index === 0 ? null : 1 },
    ],
  }))
  const layers = largestChains(info('txCount'), lines)
  expect(layers.map(({ label }) => label)).toEqual([
    ...Array.from({ length: 8 }, (_, index) => `Chain ${index + 3}`),
    'Other (3)',
  ])
  expect(layers.at(-1)?.points).toEqual([
    { timestamp: 0, value: 3n },
    { timestamp: 86_400, value: 2n },
  ])
  // Chains beyond the colours take those of chains that are not shown.
  expect(layers.map(({ colour }) => colour)).toEqual([
    ...[4, 5, 6, 7, 8, 1, 2, 3].map((place) => `var(--color-series-${place})`),
    'var(--color-line-strong)',
  ])
  const quiet = lines.map((line, index) => (index < 8 ? line : { ...line, points: [] }))
  expect(largestChains(info('txCount'), quiet)).toHaveLength(8)
  expect(largestChains(info('txCount'), lines.slice(0, 2)).map(({ label }) => label)).toEqual([
    'Chain 0',
    'Chain 1',
  ])
})

describe('the catalogue', () => {
  test('has every metric of the API once, with its own intervals', () => {
    const own = catalogue.filter((one) => !one.derived)
    expect(own.map((one) => one.name).toSorted()).toEqual([...metricNames].toSorted())
    for (const name of metricNames) expect(info(name).intervals).toEqual(intervalsOf(name))
  })

  test('derives only what its ingredients allow', () => {
    for (const one of catalogue)
      for (const interval of one.intervals)
        for (const need of one.needs) expect(intervalsOf(need.metric as MetricName)).toContain(interval)
  })

  test('falls back to the day if an interval is not supported', () => {
    expect(supportedInterval(info('txCount'), 'hour')).toBe('hour')
    expect(supportedInterval(info('feesPaid'), 'hour')).toBe('day')
    expect(sharedInterval(info('txCount'), info('feesPaid'), 'week')).toBe('day')
    expect(sharedInterval(info('txCount'), info('gasUsed'), 'week')).toBe('week')
  })

  test('derives the fee per transaction in whole wei and new addresses from the growth', () => {
    const at = (value: number | bigint, day: number) => ({ timestamp: day * 86400, value })
    expect(info('feePerTx').make([[at(10n ** 18n, 0)], [at(3, 0)]], 'day')[0]?.value).toBe(
      333333333333333333n,
    )
    expect(info('newAddresses').make([[at(5, 0), at(9, 1)]], 'day')).toEqual([at(4n, 1)])
  })
})

describe('the URL of a metrics page', () => {
  test('reads valid values and ignores the rest', () => {
    const state = readMetrics(new URLSearchParams('interval=year&scale=zero&range=7d&mode=pie'))
    expect(state).toMatchObject({ interval: undefined, scale: 'zero', mode: 'plain', wanted: 'hour' })
    expect(readMetrics(new URLSearchParams('interval=week')).wanted).toBe('week')
    expect(readMetrics(new URLSearchParams('')).wanted).toBe('day')
  })

  test('reads each compared chain once, without the page’s own and invalid ids', () => {
    expect(comparedChains('99~99~43113~a%2Fb~<x>', '43113')).toEqual(['99'])
    expect(comparedChains('', '43113')).toEqual([])
  })

  test('starts sums at zero and fits levels unless asked', () => {
    expect(startsAtZero('auto', true)).toBe(true)
    expect(startsAtZero('auto', false)).toBe(false)
    expect(startsAtZero('zero', false)).toBe(true)
    expect(startsAtZero('fit', true)).toBe(false)
  })
})

describe('a comparison', () => {
  test('says why it cannot stack', () => {
    expect(comparisonReasons(info('txCount'), [c]).noStack).toBeDefined()
    expect(comparisonReasons(info('txCount'), [c, other]).noStack).toBeUndefined()
    expect(comparisonReasons(info('avgTps'), [c, other]).noStack).toContain('do not add up')
    expect(comparisonReasons(info('feesPaid'), [c, other]).noStack).toContain('different tokens')
    expect(effectiveMode('stacked', comparisonReasons(info('avgTps'), [c, other]))).toBe('plain')
    expect(effectiveMode('indexed', comparisonReasons(info('avgTps'), [c, other]))).toBe('indexed')
  })

  test('never puts two units on one axis', () => {
    const third = { ...other, chainId: '100', symbol: 'THIRD', index: 2 }
    const ready = { state: 'ready', points: [{ timestamp: 0, value: 1 }] } as const
    for (const { name } of catalogue)
      for (const chains of [[c], [c, other], [c, other, third]])
        for (const second of [undefined, { facts: c, info: info('avgTps') }])
          for (const wanted of ['plain', 'stacked', 'indexed'] as const) {
            const mode = effectiveMode(wanted, comparisonReasons(info(name), chains, second !== undefined))
            const series = chartSeries({
              info: info(name),
              second,
              chains,
              loaded: [...chains.map(() => ready), ...(second ? [ready] : [])],
              mode,
            })
            for (const side of ['left', 'right']) {
              const mine = series.filter((one) => (one.side ?? 'left') === side)
              const symbols = new Set(mine.map(({ unit }) => unit.symbol))
              expect(symbols.size, `${name}, ${chains.length} chains, ${mode}: ${side}`).toBeLessThanOrEqual(
                1,
              )
            }
          }
    const two = [c, other].map((chain) => ({ chain, points: ready.points }))
    expect(chainLines(info('feesPaid'), two, 'plain').map(({ side }) => side)).toEqual([undefined, 'right'])
    expect(effectiveMode('plain', comparisonReasons(info('feesPaid'), [c, other, third]))).toBe('indexed')
    expect(effectiveMode('plain', comparisonReasons(info('txCount'), [c, other, third]))).toBe('plain')
  })

  test('names two metrics of one chain by metric, and several chains by chain', () => {
    const ready = { state: 'ready', points: [{ timestamp: 0, value: 1 }] } as const
    const labels = (chains: ChainFacts[]) =>
      chartSeries({
        info: info('txCount'),
        second: { facts: c, info: info('avgTps') },
        chains,
        loaded: [...chains.map(() => ready), ready],
        mode: 'plain',
      }).map((one) => `${one.label} ${one.side ?? 'left'}`)
    expect(labels([c])).toEqual(['Transactions left', 'Average TPS right'])
    expect(labels([c, other])).toEqual(['Chain 43113 left', 'Chain 99 left', 'Average TPS right'])
  })

  test('keeps the colour of each chain and finds a free one for the second axis', () => {
    const lines = chainLines(
      info('txCount'),
      [{ chain: other, points: [{ timestamp: 0, value: 50 }] }],
      'indexed',
    )
    expect(lines[0]).toMatchObject({
      colour: 'var(--color-series-2)',
      points: [{ timestamp: 0, value: 100 }],
    })
    expect(secondColour([c, other])).toBe('var(--color-series-4)')
  })
})

describe('the groups that are open on a phone', () => {
  test('are opened and closed by their places', () => {
    expect(toggleGroup('0', 2)).toBe('0~2')
    expect(toggleGroup('0~2', 0)).toBe('2')
    expect(openGroups(toggleGroup('2', 2))).toEqual([])
    expect(openGroups('x~3~400')).toEqual([3])
  })
})

describe('a fitted axis', () => {
  test('is one whose values are all above zero', () => {
    const line = (...values: (number | bigint | null)[]) => ({ points: values.map((value) => ({ value })) })
    expect(isFitted(false, [line(3, null, 4n)])).toBe(true)
    expect(isFitted(false, [line(3), line(0n)])).toBe(false)
    expect(isFitted(true, [line(3)])).toBe(false)
  })
})

test('only series whose periods share nothing are added up over the range', () => {
  const added = catalogue.filter(({ addsUp }) => addsUp).map(({ name }) => name)
  expect(added).toEqual(expect.arrayContaining(['txCount', 'burnedFees', 'newTokens', 'newAddresses']))
  for (const distinct of ['activeAddresses', 'activeSenders', 'deployers'])
    expect(added).not.toContain(distinct)
})
