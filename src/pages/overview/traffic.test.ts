import { expect, test } from 'vitest'
import { defaultRange } from '../../../charts/series/range.ts'
import { boundsOf } from '../../../charts/catalogue/view.ts'
import { ingredientQuery } from '../metrics/use-series.ts'
import { queriesOf } from './traffic.ts'
import { transactions } from './transactions-chart.tsx'

test('the chart has the days that the figures are counted from, without a request of its own', () => {
  for (const now of ['2026-11-23T00:00:00Z', '2026-11-23T09:30:00Z', '2026-11-23T23:59:59Z'].map(
    (text) => Date.parse(text) / 1000,
  )) {
    const [, days] = queriesOf('43113', now)
    const [ingredient] = transactions.needs
    if (ingredient === undefined) throw new Error('the metric needs nothing')
    const bounds = boundsOf(transactions, defaultRange, 'day', now)
    expect(days?.queryKey).toEqual(ingredientQuery('43113', transactions, ingredient, 'day', bounds).queryKey)
  }
})
