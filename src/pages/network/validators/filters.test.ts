import { expect, test } from 'vitest'
import { listValidators } from '../../../../contract/network/validators.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { filtersOf, validatorsSchema } from './filters.ts'

const filters = (query: string, own = true) =>
  filtersOf(readSearch(validatorsSchema, new URLSearchParams(query)), own)

test('what people write becomes nAVAX and seconds, and the operation takes it', () => {
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

test('a bare page asks for the active ones of the Primary Network, and a broken bound narrows nothing', () => {
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

test('a list is sorted by what it and the service can sort by', () => {
  expect(filters('', false).sortBy).toBe('blockIndex')
  expect(filters('sort=startTimestamp', false).sortBy).toBe('blockIndex')
  expect(filters('sort=timeRemaining', false).sortBy).toBe('timeRemaining')
  // Links from before the page sorted by the start.
  expect(filters('sort=blockIndex').sortBy).toBe('startTimestamp')
  expect(filters('list=completed&sort=delegationFee').sortBy).toBe('blockIndex')
  expect(filters('list=removed').sortBy).toBe('blockIndex')
})
