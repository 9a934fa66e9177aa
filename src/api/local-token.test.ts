import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localTokenHeader } from '../../contract/base/local-token.ts'
import { localToken, readToken, tokenOfFragment } from './local-token.ts'
import { callNode, exchange } from './node/node-client.ts'
import type { NodeTarget } from './node/node-targets.ts'

const token = 'wYJm7tTzqkG3-4u_8vB2nQ5xR1sL0pD9fH6aKcEeMgI'

test('accepts a pasted token or the link that contains it', () => {
  expect(readToken(`  ${token}\n`)).toBe(token)
  expect(readToken(`http://127.0.0.1:4400/node#token=${token}`)).toBe(token)
  for (const text of ['', 'short', `${token} ${token}`, `http://127.0.0.1:4400/node?token=${token}`])
    expect(readToken(text), text).toBeUndefined()
  expect(tokenOfFragment(`#token=${token}`)).toBe(token)
  for (const hash of ['', '#', '#token=', `#x#token=${token}`, token])
    expect(tokenOfFragment(hash)).toBeUndefined()
})

describe('the token is sent', () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers[localTokenHeader] as string | undefined)
    request.resume().on('end', () => response.end('{"jsonrpc":"2.0","id":1,"result":{}}'))
  })
  let base = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    localToken.set(token)
  })
  afterAll(() => {
    localToken.set('')
    server.close()
  })
  const target = (kind: NodeTarget['kind']): NodeTarget => ({
    id: base,
    name: base,
    base,
    kind,
    names: 'node',
    isOfProfile: true,
    keyOf: undefined,
    problem: undefined,
  })
  const sent = async (kind: NodeTarget['kind'], methods: readonly string[]): Promise<string | undefined> => {
    await exchange(target(kind), '/ext', '{}', methods)
    return seen.at(-1)
  }

  test('to the gateway, with calls that only the operator may make', async () => {
    for (const method of ['admin.alias', 'admin_getVMConfig', 'debug_traceCall', 'txpool_status', 'eth_sign'])
      expect([method, await sent('gateway', ['eth_chainId', method])]).toEqual([method, token])
    await callNode(target('gateway'), '/ext/admin', 'admin.getLoggerLevel', {})
    expect(seen.at(-1)).toBe(token)
  })

  test('with nothing else, and to no other node', async () => {
    expect(await sent('gateway', ['eth_chainId', 'info.peers', 'eth_ofTomorrow'])).toBeUndefined()
    for (const kind of ['hosted', 'added', 'linked'] as const)
      expect(await sent(kind, ['admin.alias', 'personal_sign'])).toBeUndefined()
  })
})
