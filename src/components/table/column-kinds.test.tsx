import { isValidElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { paths } from '../../lib/paths.ts'
import {
  column,
  countColumn,
  dash,
  hashColumn,
  percentColumn,
  textColumn,
  timeColumn,
} from './column-kinds.tsx'
import type { Column } from './columns.ts'
import { addressColumn, blockColumn } from './evm-kinds.tsx'
import {
  assetColumn,
  avaxColumn,
  nodeColumn,
  primaryBlockColumn,
  primaryTxColumn,
  subnetColumn,
} from './primary-kinds.tsx'

type Row = { value: string }
const words = (shown: Column<Row>, value: string): string =>
  renderToStaticMarkup(shown.cell({ value })).replaceAll(/<[^>]*>/g, '')
const valueOf = ({ value }: Row): string => value
const numberOf = ({ value }: Row): number => Number(value)
const id = '1234567'

test('a cell shows a readable value, an export the exact one', () => {
  const count = countColumn('c', 'C', valueOf)
  expect([words(count, '12345678901234567890'), count.text?.({ value: '12345678901234567890' })]).toEqual([
    '12,345,678,901,234,567,890',
    '12345678901234567890',
  ])
  const percent = percentColumn('p', 'P', numberOf, 2)
  expect([words(percent, '12.3456'), percent.text?.({ value: '12.3456' })]).toEqual(['12.35 %', '12.3456'])
  const time = timeColumn('t', 'T', numberOf)
  expect(time.text?.({ value: '1760000000' })).toBe('2025-10-09T08:53:20Z')
  expect(time.cell({ value: '1760000000' })).toMatchObject({ props: { at: 1_760_000_000 } })
  const avax = avaxColumn('a', 'A, AVAX', valueOf)
  expect([words(avax, '2000000000000000001'), avax.text?.({ value: '2000000000000000001' })]).toEqual([
    expect.stringMatching(/^2,000,000,000/),
    '2000000000.000000001',
  ])
  expect(textColumn('x', 'X', valueOf).text?.({ value: 'as it is' })).toBe('as it is')
})

test('a count has its noun in singular or plural', () => {
  const count = countColumn('c', 'C', valueOf, { noun: 'block' })
  expect([words(count, '1'), words(count, '2')]).toEqual(['1 block', '2 blocks'])
})

test('figures are aligned right unless a column sets another alignment', () => {
  expect(countColumn('c', 'C', valueOf).align).toBe('right')
  expect(avaxColumn('c', 'C', valueOf).align).toBe('right')
  expect(percentColumn('c', 'C', numberOf, 1).align).toBe('right')
  expect(timeColumn('c', 'C', numberOf).align).toBeUndefined()
  expect(hashColumn('c', 'C', valueOf, 'hash', { width: '9px', hidden: true })).toMatchObject({
    id: 'c',
    header: 'C',
    width: '9px',
    hidden: true,
  })
})

test('an absent value is a dash on the page and empty in an export', () => {
  const none = (): undefined => undefined
  const kinds: Column<Row>[] = [
    column<Row, number>('a', 'A', none, { show: () => 'never' }),
    textColumn('a', 'A', none),
    timeColumn('a', 'A', none),
    countColumn('a', 'A', none, { noun: 'block' }),
    percentColumn('a', 'A', none, 1),
    hashColumn('a', 'A', none, 'hash'),
    addressColumn('a', 'A', () => '', '43113'),
    blockColumn('a', 'A', none, '43113'),
    nodeColumn('a', 'A', none, 'fuji'),
    subnetColumn('a', 'A', none, 'fuji'),
    primaryTxColumn('a', 'A', none, 'fuji', 'p-chain'),
    primaryBlockColumn('a', 'A', none, 'fuji', 'p-chain'),
    avaxColumn('a', 'A', none),
    assetColumn('a', 'A', none),
  ]
  for (const kind of kinds) {
    const shown = kind.cell({ value: '' })
    expect(isValidElement(shown) && shown).toBe(dash)
    expect(kind.text?.({ value: '' })).toBe('')
  }
})

test('ids are rendered by the component of their kind and exported in full', () => {
  const places: [Column<Row>, object][] = [
    [
      hashColumn('h', 'H', valueOf, 'id', { to: ({ value }) => `/of/${value}` }),
      { value: id, name: 'id', to: `/of/${id}` },
    ],
    [addressColumn('a', 'A', valueOf, '43113'), { address: id, chainId: '43113' }],
    [blockColumn('b', 'B', valueOf, '43113'), { to: paths.block('43113', id) }],
    [subnetColumn('s', 'S', valueOf, 'fuji'), { subnetId: id, network: 'fuji' }],
    [
      primaryTxColumn('t', 'T', valueOf, 'fuji', 'x-chain'),
      { txHash: id, network: 'fuji', chain: 'x-chain' },
    ],
    [
      primaryBlockColumn('b', 'B', valueOf, 'fuji', 'p-chain'),
      { height: id, network: 'fuji', chain: 'p-chain' },
    ],
    [nodeColumn('n', 'N', valueOf, 'fuji'), { nodeId: id, network: 'fuji' }],
  ]
  for (const [kind, props] of places) {
    expect(kind.cell({ value: id })).toMatchObject({ props })
    expect(kind.text?.({ value: id })).toBe(id)
  }
})
