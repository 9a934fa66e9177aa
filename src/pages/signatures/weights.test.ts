import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { byWeight, linked, reachedPercentage, requiredWeight } from './weights.ts'

const weights = fc.bigInt({ min: 0n, max: 2n ** 64n })
const percentages = fc.integer({ min: 0, max: 100 })

test('computes the least weight that the chain’s arithmetic accepts', () => {
  fc.assert(
    fc.property(weights, percentages, (total, quorum) => {
      const least = requiredWeight(total, quorum)
      expect(BigInt(quorum) * total <= 100n * least).toBe(true)
      if (least > 0n) expect(BigInt(quorum) * total <= 100n * (least - 1n)).toBe(false)
    }),
  )
})

test('computes the highest quorum that would have been reached', () => {
  fc.assert(
    fc.property(weights, weights, (one, other) => {
      const [signed, total] = one < other ? [one, other] : [other, one]
      if (total === 0n) return
      const reached = reachedPercentage(signed, total)
      expect(requiredWeight(total, reached) <= signed).toBe(true)
      if (reached < 100) expect(requiredWeight(total, reached + 1) <= signed).toBe(false)
    }),
  )
})

test('keeps two percentages within one scale, with the moved one where it was put', () => {
  const state = fc
    .tuple(percentages, percentages)
    .map(([a, b]) => ({ quorum: a, buffer: Math.min(b, 100 - a) }))
  fc.assert(
    fc.property(state, percentages, (now, to) => {
      const lower = linked(now, { quorum: to })
      expect(lower.quorum).toBe(to)
      const upper = linked(now, { reach: to })
      expect(upper.quorum).toBe(now.quorum)
      expect(upper.quorum + upper.buffer).toBe(Math.max(to, now.quorum))
      for (const { quorum, buffer } of [lower, upper]) {
        expect(quorum + buffer).toBeLessThanOrEqual(100)
        expect(Math.min(quorum, buffer)).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('orders by weight, also above 2^53', () => {
  const all = [
    { index: 0, weight: '9007199254740992' },
    { index: 1, weight: '9007199254740993' },
    { index: 2, weight: '9007199254740993' },
    { index: 3, weight: '10' },
  ]
  expect(byWeight(all).map(({ index }) => index)).toEqual([1, 2, 0, 3])
})
