import { expect, test } from 'vitest'
import type { L1Validator } from '../../../../contract/network/validators.ts'
import { firstRunOut, runOutOf } from './run-out.ts'

const now = 1_700_000_000
const day = 86_400
const one = (patch: Partial<L1Validator>): L1Validator => ({
  validationId: 'v',
  nodeId: 'NodeID-a',
  subnetId: 's',
  weight: 10n,
  remainingBalance: 2_000_000_000n,
  creationTimestamp: 1,
  isActive: true,
  emptyTimestamp: BigInt(now + 20 * day),
  ...patch,
})

test('a validator says when its balance runs out, and what 30 days cost', () => {
  expect(runOutOf(one({}), now, 'utc')).toEqual({
    state: 'ok',
    word: 'funded',
    text: 'Runs out in 20 d, on 2023-12-04, at the present fee. Another 30 days cost 3 AVAX.',
  })
  expect(runOutOf(one({ emptyTimestamp: BigInt(now + day) }), now, 'utc')?.word).toBe('runs out soon')
  expect(runOutOf(one({ remainingBalance: 0n, isActive: false }), now, 'utc')?.state).toBe('failed')
  expect(runOutOf(one({ weight: 0n }), now, 'utc')?.word).toBe('removed')
  // The fee may be so small that a balance lasts longer than a date can say.
  expect(runOutOf(one({ emptyTimestamp: 9_000_000_000_000n }), now, 'utc')).toBeUndefined()
})

test('an L1 says when the first of its validators runs out', () => {
  const several = [
    one({}),
    one({ emptyTimestamp: BigInt(now + day) }),
    one({ weight: 0n }),
    one({ isActive: false }),
  ]
  expect(firstRunOut(several, true, now, 'utc')).toEqual({
    state: 'stale',
    word: 'runs out soon',
    text: '2 active validators, 1 without a balance. The first one runs out in 1 d, on 2023-11-15.',
  })
  expect(firstRunOut([one({})], false, now, 'utc').text).toMatch(/^at least 1 active validator\. /)
  expect(firstRunOut([one({})], true, now, 'utc').state).toBe('ok')
  expect(firstRunOut([one({ isActive: false })], true, now, 'utc')).toMatchObject({ state: 'failed' })
})
