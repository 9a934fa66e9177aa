import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call, failed } from './testing/gateway.ts'
import { echo } from './testing/scripted-node.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()

const unknown = (method: string): string => `the method ${method} does not exist/is not available`

describe('requests that do not reach the node', () => {
  afterEach(() => expect(gateway.node.asked).toEqual([]))

  test.each([
    ['/ext/bc/C/rpc', 'debug_traceTransaction', 'debug'],
    ['/ext/bc/C/rpc', 'txpool_content', 'txpool'],
    ['/ext/bc/C/rpc', 'personal_listAccounts', 'personal'],
    ['/ext/bc/C/rpc', 'eth_sendTransaction', 'personal'],
    ['/ext/bc/C/rpc', 'eth_sign', 'personal'],
  ])('%s: %s, until the operator opens %s', async (path, method, opening) => {
    const { status, json } = await gateway.post(path, call(method))
    expect(status).toBe(200)
    expect(json).toEqual(
      failed(-32601, `${unknown(method)}: the operator opens it with "${opening}" in gateway.namespaces`),
    )
  })

  test.each([
    ['/ext/bc/C/rpc', 'eth_nope'],
    ['/ext/bc/C/rpc', 'ETH_chainId'],
    ['/ext/bc/C/rpc', 'eth_chainid'],
    ['/ext/bc/C/rpc', ' eth_chainId'],
    ['/ext/bc/C/rpc', 'eth_chainId\u0000'],
    ['/ext/bc/C/rpc', 'debug_setHead'],
    ['/ext/bc/C/rpc', 'admin_startCPUProfiler'],
    ['/ext/bc/C/rpc', 'admin.startCPUProfiler'],
    ['/ext/bc/C/rpc', 'platform.getHeight'],
    ['/ext/bc/C/rpc', 'anvil_setBalance'],
    ['/ext/bc/C/rpc', 'evm_mine'],
    ['/ext/bc/C/rpc', 'toString'],
    ['/ext/bc/C/rpc', '__proto__'],
    ['/ext/bc/C/rpc', 'constructor'],
    ['/ext/bc/P', 'platform.GetHeight'],
    ['/ext/bc/P', 'avm.getHeight'],
    ['/ext/admin', 'admin.dbGet'],
    ['/ext/info', 'admin.alias'],
  ])('%s: %j', async (path, method) => {
    const { status, json } = await gateway.post(path, call(method))
    expect(status).toBe(200)
    expect(json).toEqual(failed(-32601, unknown(method)))
  })

  test('a subscription without a socket, with a node’s message', async () => {
    const { json } = await gateway.post('/ext/bc/C/rpc', call('eth_subscribe', ['newHeads']))
    expect(json).toEqual(failed(-32601, 'notifications not supported'))
  })

  const good = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  test.each([
    [
      'a method twice',
      '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"debug_getBadBlocks"}',
      -32600,
    ],
    [
      'a method twice, once escaped',
      String.raw`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","\u006dethod":"x"}`,
      -32600,
    ],
    [
      'a key twice in the parameters',
      '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"toBlock":"0x1","toBlock":"0x9"}]}',
      -32600,
    ],
    ['a list in a list', `[[${good}]]`, -32600],
    ['nothing in a batch', '[]', -32600],
    ['null', 'null', -32600],
    ['a text', '"eth_chainId"', -32600],
    ['no version', '{"id":1,"method":"eth_chainId"}', -32600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', -32600],
    ['a list for a method', '{"jsonrpc":"2.0","id":1,"method":["eth_chainId"]}', -32600],
    ['an object for an ID', '{"jsonrpc":"2.0","id":{"a":1},"method":"eth_chainId"}', -32600],
    ['an endless ID', `{"jsonrpc":"2.0","id":"${'x'.repeat(300)}","method":"eth_chainId"}`, -32600],
    ['a text for the parameters', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"x"}', -32602],
    [
      'members inherited from a prototype',
      '{"__proto__":{"jsonrpc":"2.0","method":"eth_chainId"},"id":1}',
      -32600,
    ],
    [
      'too deep a nest',
      `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${'['.repeat(70)}${']'.repeat(70)}}`,
      -32600,
    ],
    ['the beginning of a text', '{"jsonrpc":', -32700],
    ['two texts', `${good}${good}`, -32700],
    ['a byte order mark', `\ufeff${good}`, -32700],
    ['nothing', '', -32700],
  ])('%s', async (_name, body, code) => {
    const { status, json } = await gateway.post('/ext/bc/C/rpc', body)
    expect(status).toBe(200)
    expect([json].flat()).toMatchObject([{ jsonrpc: '2.0', error: { code } }])
  })

  describe.each([
    ['beyond 2^53', '9007199254740993'],
    ['with a fraction', '-1.50e2'],
    ['as a text', String.raw`"a\u00e9\""`],
    ['that is null', 'null'],
  ])('carry the ID %s as it was written:', (_, id) => {
    const body = (method: string, params = '[]'): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`
    test.each([
      ['an unknown method', '/ext/bc/C/rpc', body('eth_nope'), 200],
      ['parameters that are none', '/ext/bc/C/rpc', body('eth_chainId', '1'), 200],
      ['a filter that cannot be read', '/ext/bc/C/rpc', body('eth_getLogs', '[1]'), 200],
      [
        'a method twice',
        '/ext/bc/C/rpc',
        `{"jsonrpc":"2.0","method":"eth_chainId","method":"eth_call","id":${id},"params":[]}`,
        200,
      ],
      ['too deep a nest', '/ext/bc/C/rpc', body('eth_call', `${'['.repeat(70)}${']'.repeat(70)}`), 200],
      ['no endpoint', '/ext/keystore', body('eth_chainId'), 404],
      ['no local token', '/ext/admin', body('admin.getLoggerLevel', '{}'), 401],
    ])('%s', async (_reason, path, text, status) => {
      const answer = await gateway.post(path, text, { 'x-ridgeline-token': 'another' })
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"id":${id},`)])
    })

    test('a gateway that is off', async () => {
      const off = await gateway.another({ enabled: false })
      const answer = await off.post('/ext/bc/C/rpc', body('eth_chainId'))
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining(`"id":${id},`)])
    })
  })

  test('an endless id is not passed on, but answered as it was written', async () => {
    const id = `"${'x'.repeat(3_000)}"`
    const { status, text } = await gateway.post(
      '/ext/bc/C/rpc',
      `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`,
    )
    expect([status, text]).toEqual([200, expect.stringContaining(`"id":${id},"error":{"code":-32600`)])
  })

  test('bytes that are not UTF-8', async () => {
    const { body } = await gateway.service.app.inject({
      method: 'POST',
      url: '/ext/bc/C/rpc',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.concat([Buffer.from(good.slice(0, -3)), Buffer.from([0xff]), Buffer.from('"}')]),
    })
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32700 } })
  })

  test('other content types, which pages of other sites can send without a preflight', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status } = await gateway.post('/ext/bc/C/rpc', good, { 'content-type': type })
      expect(status).toBe(415)
    }
  })

  test('a body above the limit', async () => {
    const { status, json } = await gateway.post('/ext/bc/C/rpc', call('eth_call', ['x'.repeat(1_100_000)]))
    expect(status).toBe(413)
    expect(json).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test('a GET', async () => {
    const { statusCode, headers } = await gateway.service.app.inject('/ext/bc/C/rpc')
    expect(statusCode).toBe(405)
    expect(headers['allow']).toBe('POST')
  })

  test.each(['PUT', 'DELETE'] as const)('a %s', async (method) => {
    const { statusCode, headers } = await gateway.service.app.inject({ method, url: '/ext/bc/C/rpc' })
    expect(statusCode).toBe(405)
    expect(headers['allow']).toContain('POST')
  })
})

describe('a batch', () => {
  const many = (count: number): unknown[] =>
    Array.from({ length: count }, (_, id) => call('eth_chainId', [], id))

  test('of 40 is passed on as one batch, and one of one call as a batch', async () => {
    const { json } = await gateway.post('/ext/bc/C/rpc', many(40))
    expect(json).toHaveLength(40)
    expect((await gateway.post('/ext/bc/C/rpc', many(1))).json).toHaveLength(1)
    expect(gateway.node.asked.map(({ body }) => JSON.parse(body))).toEqual([many(40), many(1)])
  })

  test('of 41 is refused with the first id', async () => {
    const { status, json } = await gateway.post('/ext/bc/C/rpc', many(41))
    expect(status).toBe(400)
    expect(json).toEqual([failed(-32600, 'batch too large: at most 40 calls', 0)])
    expect(gateway.node.asked).toEqual([])
  })

  test.each(['/ext/bc/P', '/ext/bc/X', '/ext/info', '/ext/admin', '/ext/bc/C/avax', '/ext/index/P/block'])(
    'is refused at %s, as nodes do',
    async (path) => {
      const { json } = await gateway.post(path, [call('platform.getHeight')])
      expect(json).toMatchObject({
        id: null,
        error: { code: -32700, message: expect.stringContaining('unmarshal array') },
      })
      expect(gateway.node.asked).toEqual([])
    },
  )
})

describe('ranges of logs', () => {
  const range = (fromBlock?: unknown, toBlock?: unknown): unknown => [{ fromBlock, toBlock }]
  const head = 100_000
  beforeEach(() => {
    gateway.node.script = (asked) =>
      asked.body.includes('eth_blockNumber')
        ? `{"jsonrpc":"2.0","id":1,"result":"0x${head.toString(16)}"}`
        : echo(asked)
  })
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    const { json } = await gateway.post('/ext/bc/C/rpc', call(method, params))
    return (json as { error?: { message: string } }).error?.message ?? 'passed'
  }

  test.each([
    [range('0x0', '0x270f'), 'passed'],
    [range('0x0', '0x2710'), 'requested too many blocks from 0 to 10000, maximum is set to 10000'],
    [range('earliest', 'latest'), 'requested too many blocks from 0 to 100000, maximum is set to 10000'],
    [range('0x0'), 'requested too many blocks from 0 to 100000, maximum is set to 10000'],
    [range('latest', 'latest'), 'passed'],
    [range(), 'passed'],
    [range('0x15ff0', '0xffffffff'), 'passed'],
    [range('0x0', 'pending'), 'requested too many blocks from 0 to 100000, maximum is set to 10000'],
    [[{ blockHash: `0x${'1'.repeat(64)}` }], 'passed'],
    [
      [{ blockHash: `0x${'1'.repeat(64)}`, fromBlock: 'earliest' }],
      'requested too many blocks from 0 to 100000, maximum is set to 10000',
    ],
    [[{ FromBlock: '0x0', toBlock: '0x1' }], 'invalid argument 0: unknown field FromBlock of the filter'],
    [[{ fromBlocK: 'earliest' }], 'invalid argument 0: unknown field fromBloc\u212a of the filter'],
    [range(5, 6), 'invalid argument 0: fromBlock must be a block number in hex or a tag'],
    [[[]], 'invalid argument 0: the first parameter must be a filter'],
    [{ fromBlock: '0x0' }, 'invalid argument 0: the first parameter must be a filter'],
  ])('%j: %s', async (params, expected) => {
    expect(await ask('eth_getLogs', params)).toBe(expected)
  })

  test('apply to filters', async () => {
    expect(await ask('eth_newFilter', range('0x0'))).toMatch(/too many blocks/)
    expect(gateway.node.asked.filter(({ body }) => !body.includes('eth_blockNumber'))).toEqual([])
  })
})
