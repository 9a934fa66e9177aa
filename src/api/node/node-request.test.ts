import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as viem from 'viem'
import { describe, expect, test } from 'vitest'
import { nodeMethods } from '../../../contract/node/node-methods.ts'
import {
  bodyOf,
  curlOf,
  exampleText,
  methodOf,
  parseCalls,
  routeOf,
  viemOf,
  withCall,
  type Call,
} from './node-request.ts'

const wish = { endpoint: 'auto', chain: 'C', index: 'P/block' } as const

function read(text: string): { calls: readonly Call[]; isBatch: boolean } {
  const written = parseCalls(text)
  if ('wrong' in written) throw new Error(written.wrong)
  return written
}
const path = (text: string, names: 'interface' | 'node' = 'interface', more = {}): string => {
  const route = routeOf(read(text), names, { ...wish, ...more })
  return 'wrong' in route ? route.wrong : route.path
}

describe('the contents of the editor', () => {
  test('get a missing id or params and keep every digit', () => {
    expect(bodyOf(read('{"method": "eth_chainId"}'))).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    )
    expect(
      bodyOf(read('[{"method":"a","id":"x","params":[18446744073709551615]},{"method":"info.peers"}]')),
    ).toBe(
      '[{"jsonrpc":"2.0","id":"x","method":"a","params":[18446744073709551615]},{"jsonrpc":"2.0","id":2,"method":"info.peers","params":{}}]',
    )
  })

  test('are refused with an explanation when they are not a call or more than forty calls', () => {
    const many = (count: number): string =>
      JSON.stringify(Array.from({ length: count }, () => ({ method: 'm' })))
    expect(parseCalls(many(40))).toMatchObject({ isBatch: true })
    expect(parseCalls(many(41))).toEqual({ wrong: '41 calls are too many: a batch holds 40 at most.' })
    for (const text of ['', '{', '[]', '7', '[7]', '{"params":[]}', '{"method":""}'])
      expect(parseCalls(text), text).toHaveProperty('wrong')
  })
})

describe('the endpoint of a call', () => {
  test('is that of the catalogue for each of its examples', () => {
    for (const names of ['interface', 'node'] as const)
      for (const method of nodeMethods) {
        const route = routeOf(read(exampleText(method, names)), names, wish)
        // Released nodes use the same names for both administrations: by default the node's own is meant.
        const expected =
          names === 'node' && method.endpoint === 'chainAdmin' ? /^(admin|chainAdmin)$/ : method.endpoint
        expect('endpoint' in route ? route.endpoint : route.wrong, method.method).toMatch(expected)
      }
  })

  test('uses the names of the node, the chain and the index', () => {
    expect(path('{"method":"svc.issueTx"}')).toBe('/ext/bc/C/svc')
    expect(path('{"method":"avax.issueTx"}', 'node')).toBe('/ext/bc/C/avax')
    expect(path('{"method":"admin_lockProfile"}', 'interface', { chain: 'a/b' })).toBe('/ext/bc/a%2Fb/admin')
    expect(path('{"method":"admin.lockProfile"}')).toBe('/ext/admin')
    expect(path('{"method":"index.getIndex"}', 'node', { index: 'X/tx' })).toBe('/ext/index/X/tx')
    expect(path('{"method":"index.getIndex"}', 'node', { index: '../admin' })).toBe('/ext/index/P/block')
    expect(path('{"method":"eth_ofTomorrow"}')).toBe('/ext/bc/C/rpc')
    expect(path('{"method":"admin.lockProfile"}', 'node', { endpoint: 'chainAdmin' })).toBe('/ext/bc/C/admin')
  })

  test('is a single one that accepts batches', () => {
    expect(path('[{"method":"eth_chainId"},{"method":"info.peers"}]')).toContain('different endpoints')
    expect(path('[{"method":"info.peers"}]')).toContain('one call at a time')
    expect(path('{"method":"foo"}')).toContain('choose one')
  })
})

test('adding an example to a single call makes a batch', () => {
  const method = methodOf('eth_chainId')
  if (!method) throw new Error('eth_chainId is not in the catalogue')
  const batch = withCall('{"method":"eth_baseFee"}', method, 'interface')
  expect(read(batch).calls.map((call) => call.method)).toEqual(['eth_baseFee', 'eth_chainId'])
})

test('the curl command passes the exact body to a shell, whatever its quotes', () => {
  const body = bodyOf(read(`{"method":"web3_sha3","params":["it's $HOME \`x\` \\\\ \\" end"]}`))
  const show = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n`
  const { stdout } = spawnSync('sh', ['-c', show + curlOf("http://h/it's", body)], { encoding: 'utf8' })
  expect(stdout.split('\0')).toEqual([
    "http://h/it's",
    '-H',
    'content-type: application/json',
    '--data',
    body,
    '',
  ])
})

test('the viem code sends the editor’s calls, alone and as one batch', async () => {
  const bodies: unknown[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as { id: number } | { id: number }[]
      bodies.push(body)
      const answer = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: `0x${id}` })
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ext/bc/C/rpc`
  const run = async (text: string): Promise<void> => {
    const code = viemOf(url, read(text))
      .replace(/^import .*$/m, '')
      .replaceAll(/request<[^>]*>/g, 'request')
    const made = new Function('createClient', 'http', `return (async () => {${code}})()`) as (
      ...args: unknown[]
    ) => Promise<void>
    await made(viem.createClient, viem.http)
  }
  await run(`{"method":"eth_baseFee","params":["it's","\\n"]}`)
  await run('[{"method":"eth_chainId"},{"method":"eth_feeConfig","params":["latest"]}]')
  server.close()
  expect(bodies).toMatchObject([
    { method: 'eth_baseFee', params: ["it's", '\n'] },
    [{ method: 'eth_chainId' }, { method: 'eth_feeConfig', params: ['latest'] }],
  ])
})
