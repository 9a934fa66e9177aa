import { describe, expect, test } from 'vitest'
import { RetryableError } from '../kernel/errors.ts'
import { databaseTrouble, isConnectionFailure, isOfLostConnection } from './lost-connection.ts'

const withCode = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more })

/** What the driver (src/connection.js, src/errors.js), Node.js (libuv) and PostgreSQL (appendix A) call it. */
const names = [
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTCONN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  '08000',
  '08003',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]

describe.each(names)('a connection lost as %s', (code) => {
  test('passes, also as a cause, and is named to people', () => {
    expect(isConnectionFailure(withCode(code))).toBe(true)
    expect(isConnectionFailure(new Error('a read failed', { cause: withCode(code) }))).toBe(true)
    expect(databaseTrouble(withCode(code))).toBe('the database cannot be reached')
  })

  test('ends no program where the driver has told the statement, and does elsewhere', () => {
    expect(isOfLostConnection(withCode(code, { query: 'copy blocks from stdin' }))).toBe(true)
    expect(isOfLostConnection(withCode(code))).toBe(false)
  })
})

test('other failures are none of a connection', () => {
  for (const error of [
    withCode('23505', { query: 'insert' }),
    new TypeError('x is not a function'),
    'EPIPE',
    undefined,
  ]) {
    expect(isConnectionFailure(error)).toBe(false)
    expect(isOfLostConnection(error)).toBe(false)
    expect(databaseTrouble(error)).toBeUndefined()
  }
})

test('a connection of a node that was lost says nothing about the database', () => {
  const error = new RetryableError('network', 'the node broke off', { cause: withCode('ECONNRESET') })
  expect(isConnectionFailure(error)).toBe(false)
  expect(isConnectionFailure(new RetryableError('store', 'the lock of the chain was lost'))).toBe(true)
})

test.each([
  ['57014', 'the database did not answer in time'],
  ['53300', 'all connections of the database are taken'],
  ['53100', 'the disk of the database is full'],
])('%s is named by its own reason', (code, reason) => {
  expect(databaseTrouble(withCode(code))).toBe(reason)
})
