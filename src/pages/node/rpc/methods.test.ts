import { expect, test } from 'vitest'
import { bodyOf, parseCalls } from '../../../api/node/node-request.ts'
import { isSecret, keepRequest, rpcHistory } from './history.ts'
import { matches } from './methods.ts'

test('finds methods by the beginning of their name, by any part of it, and by their other name', () => {
  expect(matches('eth_bl', 'interface', 8)[0]?.method).toBe('eth_blockNumber')
  expect(matches('issueTx', 'interface', 8).map(({ method }) => method)).toContain('svc.issueTx')
  expect(matches('avax.iss', 'node', 8)[0]?.method).toBe('svc.issueTx')
})

test('keeps fifty different requests in the history, and none with passwords or keys', () => {
  const entry = { node: 'gateway', path: '/ext', status: 200, milliseconds: 1 }
  for (let index = 0; index < 60; index += 1) keepRequest({ ...entry, text: `{"method":"m${index}"}` }, [])
  keepRequest({ ...entry, text: '{"method":"m30"}' }, [])
  expect(rpcHistory.get()).toHaveLength(50)
  expect(rpcHistory.get()[0]?.text).toBe('{"method":"m30"}')
  expect(rpcHistory.get().filter(({ text }) => text.includes('m30'))).toHaveLength(1)
  const secret = parseCalls('{"method":"personal_unlockAccount","params":["0x","password"]}')
  if ('wrong' in secret) throw new Error(secret.wrong)
  expect(isSecret(secret.calls)).toBe(true)
  keepRequest({ ...entry, text: bodyOf(secret) }, secret.calls)
  keepRequest({ ...entry, text: 'x'.repeat(9_000) }, [])
  expect(rpcHistory.get()[0]?.text).toBe('{"method":"m30"}')
})
