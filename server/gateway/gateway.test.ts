import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { nodeMethods } from '../../contract/node/node-methods.ts'
import { call, cChainId, l1Id } from './testing/gateway.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()
const { another } = gateway

describe('paths of the node', () => {
  test.each([
    ['/ext/bc/C/rpc', 'eth_chainId', '/ext/bc/C/rpc'],
    ['/ext/C/rpc', 'eth_chainId', '/ext/bc/C/rpc'],
    ['/ext/bc/43113/rpc', 'eth_chainId', '/ext/bc/C/rpc'],
    [`/ext/bc/${cChainId}/rpc`, 'eth_chainId', '/ext/bc/C/rpc'],
    ['/ext/bc/99/rpc', 'eth_feeConfig', `/ext/bc/${l1Id}/rpc`],
    [`/ext/bc/${l1Id}/validators`, 'validators.getCurrentValidators', `/ext/bc/${l1Id}/validators`],
    ['/ext/bc/99/validators', 'validators.getCurrentValidators', `/ext/bc/${l1Id}/validators`],
    ['/ext/bc/C/avax', 'avax.getUTXOs', '/ext/bc/C/avax'],
    ['/ext/bc/C/svc', 'svc.getUTXOs', '/ext/bc/C/avax'],
    ['/ext/bc/C/admin', 'admin_getVMConfig', '/ext/bc/C/admin'],
    ['/ext/bc/P', 'platform.getHeight', '/ext/bc/P'],
    ['/ext/P', 'platform.getHeight', '/ext/bc/P'],
    ['/ext/bc/X', 'avm.getHeight', '/ext/bc/X'],
    ['/ext/X', 'avm.getHeight', '/ext/bc/X'],
    ['/ext/info', 'info.peers', '/ext/info'],
    ['/ext/health', 'health.health', '/ext/health'],
    ['/ext/index/X/tx', 'index.getLastAccepted', '/ext/index/X/tx'],
    ['/ext/admin', 'admin.getLoggerLevel', '/ext/admin'],
    // Names that the node knows and we do not.
    ['/ext/bc/myChain/rpc', 'eth_chainId', '/ext/bc/myChain/rpc'],
    ['/ext/bc/myXchain', 'avm.getHeight', '/ext/bc/myXchain'],
    ['/ext/myAlias', 'avm.getHeight', '/ext/myAlias'],
    ['/ext/myAlias/rpc', 'eth_chainId', '/ext/myAlias/rpc'],
    [`/ext/${'a'.repeat(512)}`, 'avm.getHeight', `/ext/${'a'.repeat(512)}`],
    ['/ext/network/fuji/bc/P?x=1', 'platform.getHeight', '/ext/bc/P'],
  ])('%s, %s', async (path, method, expected) => {
    const answer = await gateway.post(path, call(method))
    expect(gateway.node.asked.map((asked) => asked.path)).toEqual([expected])
    expect(answer.status).toBe(200)
  })

  test.each([
    '/ext/metrics',
    '/ext/vm/srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
    '/ext/network/mainnet/info',
    '/ext/index/X/nope',
    '/ext/admin/more',
    '/ext/bc/C/nope',
    '/ext/bc/C/rpc/more',
    '/ext/bc/.../rpc',
    '/ext/%61dmin',
    '/ext/bc/C%2frpc',
    '/ext//info',
    '/ext/info/',
    '/ext/',
  ])('%s is not an endpoint', async (path) => {
    const answer = await gateway.post(path, call('eth_chainId'))
    expect(answer.status).toBe(404)
    expect(answer.json).toMatchObject({
      error: { code: -32601, message: expect.stringContaining('not an endpoint') },
    })
    expect(gateway.node.asked).toEqual([])
  })

  test('a chain with its own node is called there, with its own key', async () => {
    const own = await another({}, (node) => ({
      chains: [
        { evmChainId: 7, name: 'Seven', rpcUrl: `${node.url.replace('//', '//user:pass-word@')}/v3/rpc?a=b` },
      ],
      networks: [],
    }))
    await own.post('/ext/bc/7/rpc', call('eth_chainId'))
    expect(own.node.asked).toMatchObject([
      {
        path: '/v3/rpc?a=b',
        headers: { authorization: `Basic ${Buffer.from('user:pass-word').toString('base64')}` },
      },
    ])
    for (const path of ['/ext/bc/7/validators', '/ext/bc/C/rpc', '/ext/info', '/ext/bc/P']) {
      expect((await own.post(path, call('info.peers'))).status).toBe(404)
    }
  })
})

describe('the request to the node', () => {
  test('is the checked text with digits, escapes and order of parameters unchanged', async () => {
    const params = String.raw`{ "amount": 12345678901234567890123, "text": "\u0041\"", "nested": [1.50, {}] }`
    await gateway.post(
      '/ext/bc/P',
      `\n{"id": "x-1" , "params":${params},"method":"platform.getTx","jsonrpc":"2.0"}`,
    )
    expect(gateway.node.asked[0]?.body).toBe(
      `{"jsonrpc":"2.0","id":"x-1","method":"platform.getTx","params":${params}}`,
    )
  })

  test('has no headers of the caller', async () => {
    await gateway.post('/ext/info', call('info.peers'), {
      'avalanche-api-route': 'x',
      authorization: 'Bearer secret',
      cookie: 'a=b',
    })
    expect(Object.keys(gateway.node.asked[0]?.headers ?? {}).sort()).toEqual(
      ['accept', 'connection', 'content-length', 'content-type', 'host'].sort(),
    )
  })

  test.each([
    ['/ext/bc/C/svc', 'svc.issueTx', 'avax.issueTx'],
    ['/ext/bc/C/svc', 'avax.getAtomicTx', 'avax.getAtomicTx'],
    ['/ext/bc/C/avax', 'svc.getAtomicTxStatus', 'avax.getAtomicTxStatus'],
    ['/ext/bc/C/admin', 'admin_setLogLevel', 'admin.setLogLevel'],
    ['/ext/bc/C/admin', 'admin.setLogLevel', 'admin.setLogLevel'],
  ])('%s: %s is sent as %s', async (path, given, sent) => {
    await gateway.post(path, call(given, [{}]))
    expect(JSON.parse(gateway.node.asked[0]?.body ?? '')).toEqual(call(sent, [{}]))
  })

  test('is passed on for every open method of the catalogue at its endpoint', async () => {
    const paths: Record<string, string> = {
      admin: '/ext/admin',
      atomic: '/ext/bc/C/avax',
      chainAdmin: '/ext/bc/C/admin',
      evm: '/ext/bc/C/rpc',
      health: '/ext/health',
      index: '/ext/index/P/block',
      info: '/ext/info',
      p: '/ext/bc/P',
      validators: `/ext/bc/${l1Id}/validators`,
      x: '/ext/bc/X',
    }
    const opened = await another({ namespaces: ['debug', 'txpool', 'personal'] })
    const refused: string[] = []
    for (const { method, endpoint, params, isSocketOnly } of nodeMethods) {
      if (isSocketOnly) continue
      const answer = await opened.post(paths[endpoint] ?? '', call(method, params))
      if (answer.status !== 200 || !('result' in (answer.json as object))) refused.push(method)
    }
    expect(refused).toEqual([])
  })
})

describe('limits and headers of the service', () => {
  test('answer an unknown key with 401 and too many requests with 429, as JSON-RPC errors', async () => {
    const { status, json } = await gateway.post('/ext/info', call('info.peers'), {
      'x-service-api-key': 'guess',
    })
    expect(status).toBe(401)
    expect(json).toMatchObject({ id: 1, error: { message: expect.stringContaining('unknown key') } })
    const slow = await another({}, () => ({ limits: { requestsPerMinute: 1 } }))
    expect((await slow.post('/ext/info', call('info.peers'))).headers['ratelimit-remaining']).toBe('0')
    const second = await slow.post('/ext/info', call('info.peers'))
    expect(second.status).toBe(429)
    expect(second.headers['retry-after']).toMatch(/^\d+$/)
    expect(second.json).toMatchObject({ id: 1, error: { code: -32005 } })
    // Ids keep their digits.
    const wide = await slow.post(
      '/ext/info',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"info.peers","params":[]}',
      { 'content-type': 'application/json' },
    )
    expect(wide.status).toBe(429)
    expect(wide.text).toContain('"id":9007199254740993')
  })

  test('refuse POST from other origins', async () => {
    const answer = await gateway.post('/ext/info', call('info.peers'), {
      origin: 'https://elsewhere.example',
    })
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    const preflight = await gateway.service.app.inject({
      method: 'OPTIONS',
      url: '/ext/info',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('have no paths of the gateway if it is disabled', async () => {
    const off = await another({ enabled: false })
    expect((await off.post('/ext/info', call('info.peers'))).status).toBe(404)
    expect((await off.service.app.inject('/ext/health')).statusCode).toBe(404)
    expect(off.node.asked).toEqual([])
  })

  test('end a body without an end at the deadline', async () => {
    const quick = await another({ deadlineSeconds: 0.5 })
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(quick.url).port) })
    gateway.later(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(
      'POST /ext/info HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    )
    await once(socket, 'close')
  })
})
