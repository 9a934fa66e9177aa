import { expect, test } from 'vitest'
import { listValidators } from '../../../../contract/network/validators.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { filtersOf, validatorsSchema } from './filters.ts'

const filters = (query: string, own = true) =>
  filtersOf(readSearch(validatorsSchema, new URLSearchParams(query)), own)

test('converts input to nAVAX and seconds that the operation accepts', () => {
  const asked = filters(
    'list=pending&subnet=all&node=NodeID-7X,%20NodeID-9&minCapacity=25.5&maxDays=14&minUptime=90.5&sort=delegationFee&order=asc',
  )
  expect(asked).toEqual({
    validationStatus: 'pending',
    nodeIds: 'NodeID-7X,NodeID-9',
    sortBy: 'delegationFee',
    sortOrder: 'asc',
    minDelegationCapacity: '25500000000',
    maxTimeRemaining: 1_209_600,
    minUptimePerformance: 90.5,
  })
  expect(listValidators.query.safeParse(asked).success).toBe(true)
})

test('rounds a part of a second up for a minimum and down for a maximum', () => {
  // 0.00001 days are 0.864 seconds; 0.1 days are 8,640 seconds to the digit.
  expect(filters('minDays=0.00001&maxDays=0.00001')).toMatchObject({
    minTimeRemaining: 1,
    maxTimeRemaining: 0,
  })
  expect(filters('minDays=0.1&maxDays=0.1')).toMatchObject({
    minTimeRemaining: 8_640,
    maxTimeRemaining: 8_640,
  })
  expect(filters('minDays=2.000001&maxDays=2.999999999')).toMatchObject({
    minTimeRemaining: 172_801,
    maxTimeRemaining: 259_199,
  })
})

test('defaults to active validators of the Primary Network and ignores an invalid bound', () => {
  const bare = {
    validationStatus: 'active',
    subnetId: '11111111111111111111111111111111LpoYY',
    sortBy: 'startTimestamp',
    sortOrder: 'desc',
  }
  expect(filters('')).toEqual(bare)
  expect(filters('minFee=-1&maxFee=two&sort=size&list=all')).toEqual(bare)
  expect(filters('maxUptime=200')).toEqual({ ...bare, maxUptimePerformance: 100 })
})

test('sorts only by keys that list and service support', () => {
  expect(filters('', false).sortBy).toBe('blockIndex')
  expect(filters('sort=startTimestamp', false).sortBy).toBe('blockIndex')
  expect(filters('sort=timeRemaining', false).sortBy).toBe('timeRemaining')
  // Older links sort by the start.
  expect(filters('sort=blockIndex').sortBy).toBe('startTimestamp')
  expect(filters('list=completed&sort=delegationFee').sortBy).toBe('blockIndex')
  expect(filters('list=removed').sortBy).toBe('blockIndex')
})
