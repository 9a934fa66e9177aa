import { describe, expect, test } from 'vitest'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { ApiError } from '../../api/errors.ts'
import { catalogue } from './catalogue.ts'
import { failure, ingredientQuery, tracesOf } from './use-series.ts'

function info(name: string) {
  const found = catalogue.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no series ${name}`)
  return found
}

const standing = (chainId: string, gaps: Pick<ChainStatus, 'untracedBlocks'> = {}): ChainStatus => ({
  chainId,
  chainName: chainId,
  state: 'live',
  traceSource: 'debug',
  ...gaps,
  txCount: '0',
  txCountDay: '0',
  addressCount: '0',
})

const refused = (status: number): ApiError => new ApiError('status', 'refused', { status })

describe('a series without traces', () => {
  test('is distinguished from a service that is not ready', () => {
    expect(failure(info('contracts'), refused(503), 'gaps').state).toBe('untraced')
    expect(failure(info('contracts'), refused(503), 'whole').state).toBe('failed')
    expect(failure(info('contracts'), refused(503), 'unknown').state).toBe('failed')
    expect(failure(info('contracts'), refused(404), 'unknown').state).toBe('untraced')
  })

  test('is distinguished from one that is not indexed yet', () => {
    const error = new ApiError('status', 'not known yet', { status: 503, behind: '43114 5 5000' })
    expect(failure(info('contracts'), error, 'gaps').state).toBe('failed')
  })

  test('is only one that is counted from traces', () => {
    expect(failure(info('txCount'), refused(404), 'gaps').state).toBe('failed')
    expect(failure(info('newDeployers'), refused(503), 'gaps').state).toBe('untraced')
  })

  test('is derived from the chain’s status, and for a group from any of its chains', () => {
    const all = [standing('1'), standing('2', { untracedBlocks: [{ firstBlock: '3', lastBlock: '9' }] })]
    expect(tracesOf(all, '1')).toBe('whole')
    expect(tracesOf(all, '2')).toBe('gaps')
    expect(tracesOf(all, 'total')).toBe('gaps')
    expect(tracesOf(all, '3')).toBe('unknown')
    expect(tracesOf(undefined, '1')).toBe('unknown')
  })
})

test('a metric that the service does not offer is not a failure', () => {
  const error = new ApiError('unsupported', 'Hosted does not offer it.', { status: 501 })
  expect(failure(info('contracts'), error, 'gaps')).toEqual({ state: 'unsupported', error })
})

describe('the query of a series', () => {
  const day = 86_400

  test('includes the first and the last period although both bounds of the API are exclusive', () => {
    const [need] = info('txCount').needs
    if (need === undefined) throw new Error('no ingredient')
    const { queryKey } = ingredientQuery('43113', info('txCount'), need, 'day', {
      from: 10 * day,
      to: 20 * day,
    })
    expect(queryKey).toEqual(['metric', '43113', 'txCount', 'day', 10 * day - 1, 20 * day, null])
  })

  test('requests the previous period for a growth, and the sum over chains for a share', () => {
    const [growth] = info('newAddresses').needs
    const total = info('txShare').needs[1]
    if (growth === undefined || total === undefined) throw new Error('no ingredient')
    const range = { from: 10 * day, to: 20 * day }
    expect(ingredientQuery('1', info('newAddresses'), growth, 'day', range).queryKey[4]).toBe(9 * day - 1)
    expect(ingredientQuery('1', info('txShare'), total, 'day', range).queryKey[1]).toBe('total')
    expect(
      ingredientQuery('1', info('txShare'), total, 'day', { from: null, to: range.to }).queryKey[4],
    ).toBeNull()
  })
})
