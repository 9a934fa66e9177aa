import { expect, test } from 'vitest'
import { comparePoints } from './hosted-points.ts'

const day = 86_400
const now = 5 * day + 1
const at = (...values: (number | bigint | null)[]) =>
  values.map((value, index) => ({ timestamp: index * day, value }))

test('whole values are compared exactly, also beyond 2^53, and others up to a millionth', () => {
  const ours = at(1, 2n ** 70n, 0.1, 9_007_199_254_740_993n, 5)
  expect(comparePoints(ours, at(1n, 2n ** 70n, 0.100_000_01, 9_007_199_254_740_993n, 5), 'day', now)).toEqual(
    {
      count: 5,
      differences: [],
    },
  )
  expect(comparePoints(ours, at(2, 2n ** 70n + 1n, 0.1001, 9_007_199_254_740_992n, 5.5), 'day', now)).toEqual(
    {
      count: 5,
      differences: [
        { timestamp: 0, ours: 1, theirs: 2 },
        { timestamp: day, ours: 2n ** 70n, theirs: 2n ** 70n + 1n },
        { timestamp: 2 * day, ours: 0.1, theirs: 0.1001 },
        { timestamp: 3 * day, ours: 9_007_199_254_740_993n, theirs: 9_007_199_254_740_992n },
        { timestamp: 4 * day, ours: 5, theirs: 5.5 },
      ],
    },
  )
})

test('a whole value that a service rounded to a double is compared as one', () => {
  expect(comparePoints(at(15n * 10n ** 20n + 7n), at(1.5e21), 'day', now).differences).toEqual([])
  expect(comparePoints(at(15n * 10n ** 20n), at(1.6e21), 'day', now).differences).toHaveLength(1)
})

test('a period that is not over does not count, nor one that we do not know; one that is missing there differs', () => {
  expect(comparePoints(at(1, null, 3, 4, 5, 6), at(1, 2, 3, null), 'day', now)).toEqual({
    count: 4,
    differences: [
      { timestamp: 3 * day, ours: 4, theirs: undefined },
      { timestamp: 4 * day, ours: 5, theirs: undefined },
    ],
  })
})
