import { expect, test } from 'vitest'
import { hasInner, shownCalls, type InternalCall } from './call-tree.ts'

/** Calls of these depths, in execution order. */
const callsOf = (depths: readonly number[]): InternalCall[] =>
  depths.map((depth) => ({
    from: { address: '0x1' },
    to: { address: '0x2' },
    internalTxType: 'CALL',
    value: '0',
    isReverted: false,
    gasUsed: '1',
    gasLimit: '2',
    depth,
  }))

const calls = callsOf([1, 2, 3, 2, 1, 2])
const shown = (...folded: number[]): number[] => shownCalls(calls, new Set(folded)).map(({ index }) => index)

test('a call that made calls can be folded', () => {
  expect(calls.map((_, index) => hasInner(calls, index))).toEqual([true, true, false, false, true, false])
})

test('a folded call hides only the calls below it', () => {
  expect(shown()).toEqual([0, 1, 2, 3, 4, 5])
  expect(shown(1)).toEqual([0, 1, 3, 4, 5])
  expect(shown(0)).toEqual([0, 4, 5])
  expect(shown(0, 1, 4)).toEqual([0, 4])
})
