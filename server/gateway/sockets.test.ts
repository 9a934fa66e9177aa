import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { call, failed, l1Id } from './testing/gateway.ts'
import { idOf, subscribe, useSockets } from './testing/sockets.ts'
import { useGateway } from './testing/use-gateway.ts'

/** For what another process or thread decides: long, because it costs nothing when all is well. */

const gateway = useGateway()
const { another } = gateway
const { open, refused } = useSockets(gateway)

const news = (subscription: string, result: unknown) => ({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription, result },
})

describe('plain calls', () => {
  test('are handled like POST, alone and in a batch, as text and as bytes', async () => {
    const { ask } = await open()
    expect(await ask(call('eth_chainId', [], 5))).toEqual({ jsonrpc: '2.0', id: 5, result: 'eth_chainId' })
    expect(await ask(Buffer.from(JSON.stringify(call('eth_chainId'))))).toMatchObject({ id: 1 })
    expect(await ask([call('eth_chainId'), call('net_version', [], 2)])).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(gateway.node.asked.map(({ path }) => path)).toEqual(Array(3).fill('/ext/bc/C/rpc'))
    expect(gateway.node.sockets).toEqual([])
  })

  test.each([
    [call('debug_getBadBlocks'), -32601],
    [call('admin.alias', {}), -32601],
    [call('platform.getHeight', {}), -32601],
    [[call('eth_sign'), call('personal_listAccounts')], -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":"debug_getBadBlocks"}', -32600],
    ['{"jsonrpc":', -32700],
    [[], -32600],
    [Array.from({ length: 41 }, (_, id) => call('eth_chainId', [], id)), -32600],
    [call('eth_getLogs', [{ fromBlock: 'x' }]), -32602],
  ])('%j is refused, and the socket stays', async (message, code) => {
    const { ask } = await open()
    const answers = [await ask(message)].flat() as { error: { code: number } }[]
    expect(answers.at(-1)?.error.code).toBe(code)
    expect(gateway.node.asked).toEqual([])
    expect(await ask(call('eth_chainId'))).toMatchObject({ result: 'eth_chainId' })
  })

  test('report an answer that is too large for a socket', async () => {
    const { ask } = await open()
    gateway.node.script = () => JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(1_100_000) })
    expect(await ask(call('eth_chainId'))).toEqual(
      failed(-32005, 'the answer is larger than 1048576 bytes: ask for it over HTTP'),
    )
  })
})

describe('subscriptions', () => {
  test('of one kind share one at the node, each with its own id', async () => {
    const [first, second] = [await open(), await open()]
    const ids = [idOf(await first.ask(subscribe('newHeads'))), idOf(await second.ask(subscribe('newHeads')))]
    expect(ids[0]).toMatch(/^0x[0-9a-f]{32}$/)
    expect(ids[1]).not.toBe(ids[0])
    const [node] = gateway.node.sockets
    expect(gateway.node.sockets).toHaveLength(1)
    expect(node?.path).toBe('/ext/bc/C/ws')
    expect(node?.received).toMatchObject([{ method: 'eth_subscribe', params: ['newHeads'] }])
    expect(gateway.node.announce(['newHeads'], { number: '0x1', weight: 0.1 })).toBe(1)
    expect(await first.next()).toEqual(news(ids[0] ?? '', { number: '0x1', weight: 0.1 }))
    expect(await second.next()).toEqual(news(ids[1] ?? '', { number: '0x1', weight: 0.1 }))
  })

  test('with different parameters are separate and deliver their own events', async () => {
    const { ask, next } = await open()
    const kinds = [
      ['logs', { address: `0x${'1'.repeat(40)}`, topics: [] }],
      ['newPendingTransactions'],
      ['newPendingTransactions', true],
      ['newAcceptedTransactions', true],
    ]
    const ids: string[] = []
    for (const params of kinds) ids.push(idOf(await ask(call('eth_subscribe', params))))
    for (const [place, params] of kinds.entries()) {
      expect(gateway.node.announce(params, place)).toBe(1)
      expect(await next()).toEqual(news(ids[place] ?? '', place))
    }
  })

  test('end at the node with their last reader, and the socket ends with the last of all', async () => {
    const [first, second] = [await open(), await open()]
    const heads = idOf(await first.ask(subscribe('newHeads')))
    await second.ask(subscribe('newHeads'))
    await second.ask(subscribe('newAcceptedTransactions'))
    expect(await first.ask(call('eth_unsubscribe', [heads], 2))).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: true,
    })
    expect(await first.ask(call('eth_unsubscribe', [heads], 3))).toEqual(
      failed(-32000, 'subscription not found', 3),
    )
    expect(gateway.node.announce(['newHeads'], 1)).toBe(1)
    expect(await second.next()).toMatchObject({ method: 'eth_subscription' })
    second.socket.close()
    await expect.poll(() => gateway.node.sockets[0]?.isClosed()).toBe(true)
    expect(gateway.node.sockets).toHaveLength(1)
  })

  test('deliver events from the answer’s packet after the answer', async () => {
    const { ask, next } = await open()
    const script = gateway.node.socketScript
    gateway.later(() => (gateway.node.socketScript = script))
    gateway.node.socketScript = (message, socket) => {
      const answer = script(message, socket)
      socket.send(answer)
      gateway.node.announce(['newHeads'], 'early')
      return undefined
    }
    const id = idOf(await ask(subscribe('newHeads')))
    expect(await next()).toEqual(news(id, 'early'))
  })

  test('deliver events from before a batch’s answer after it', async () => {
    const [witness, { socket, next }] = [await open(), await open()]
    await witness.ask(subscribe('newHeads'))
    const held: (() => void)[] = []
    gateway.node.script = (asked) => (response) => {
      held.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(asked.body))
    }
    socket.send(JSON.stringify([call('eth_chainId'), subscribe('newHeads', 2)]))
    await expect.poll(() => held.length).toBe(1)
    gateway.node.announce(['newHeads'], 'early')
    expect(await witness.next()).toMatchObject({ params: { result: 'early' } })
    held[0]?.()
    const [, second] = (await next()) as unknown[]
    expect(await next()).toEqual(news(idOf(second), 'early'))
  })

  test('have a node’s messages for unknown kinds, a missing kind and its own refusals', async () => {
    const { ask } = await open()
    // captures/evm/C.ws.frames.json
    expect(await ask(subscribe('nope'))).toEqual(failed(-32601, 'no "nope" subscription in eth namespace'))
    expect(await ask(subscribe('syncing'))).toEqual(
      failed(-32601, 'no "syncing" subscription in eth namespace'),
    )
    expect(await ask(call('eth_subscribe', []))).toEqual(
      failed(-32602, 'expected subscription name as first argument'),
    )
    expect(gateway.node.sockets).toEqual([])
    const script = gateway.node.socketScript
    gateway.later(() => (gateway.node.socketScript = script))
    gateway.node.socketScript = ({ id }) => failed(-32602, 'invalid argument 1: invalid hex', id)
    expect(await ask(call('eth_subscribe', ['logs', { address: 'x' }]))).toEqual(
      failed(-32602, 'invalid argument 1: invalid hex'),
    )
  })

  test('end when the node closes, and a new socket connects again', async () => {
    const { ask, closed } = await open()
    await ask(subscribe('newHeads'))
    gateway.node.sockets[0]?.close()
    expect(await closed).toEqual([1012, 'the node closed the connection'])
    expect(await (await open()).ask(subscribe('newHeads'))).toHaveProperty('result')
    expect(gateway.node.sockets).toHaveLength(2)
  })

  test('fail if the node is unreachable or silent, and the socket stays open', async () => {
    const lost = await another({ deadlineSeconds: 0.5 }, (node) => ({
      chains: [{ evmChainId: 7, name: 'Seven', rpcUrl: node.url, wsUrl: 'ws://127.0.0.1:9/canary-key-123' }],
    }))
    const { ask } = await open('/ext/bc/7/ws', { of: lost })
    expect(await ask(subscribe('newHeads'))).toEqual(
      failed(-32000, 'the socket of the node cannot be reached'),
    )
    const silent = await another({ deadlineSeconds: 0.5 })
    silent.node.socketScript = () => undefined
    const waiting = await open('/ext/bc/C/ws', { of: silent })
    expect(await waiting.ask(subscribe('newHeads'))).toEqual(
      failed(-32000, 'the node did not answer in time'),
    )
    expect(await waiting.ask(call('eth_chainId'))).toHaveProperty('result')
  })
})

describe('a handshake', () => {
  test.each(['/ext/bc/43113/ws', '/ext/C/ws', '/ext/network/fuji/bc/C/ws', '/ext/bc/myChain/ws'])(
    'at %s opens a socket',
    async (path) => {
      const { ask } = await open(path)
      await ask(subscribe('newHeads'))
      const expected = path.includes('myChain') ? '/ext/bc/myChain/ws' : '/ext/bc/C/ws'
      expect(gateway.node.sockets.map((socket) => socket.path)).toEqual([expected])
    },
  )

  test('is refused elsewhere', async () => {
    expect(await refused('/ext/info')).toBe(404)
    expect(await refused('/ext/bc/C/nope/ws')).toBe(404)
    expect(await refused('/ext/metrics/ws')).toBe(404)
    expect(await refused('/ws')).toBe(404)
    // Routes that exist, but take no sockets.
    for (const path of ['/events', '/v1/chains', '/health', '/metrics', '/config.json', '/openapi.json'])
      expect([path, await refused(path)]).toEqual([path, 400])
  })

  test('is refused to pages of other hosts', async () => {
    const { port } = new URL(gateway.url)
    expect(await refused('/ext/bc/C/ws', { origin: 'https://evil.example' })).toBe(403)
    expect(await refused('/ext/bc/C/ws', { origin: 'null' })).toBe(403)
    expect(await refused('/ext/bc/C/ws', { origin: 'http://127.0.0.1.evil.example' })).toBe(403)
    const { ask } = await open('/ext/bc/C/ws', { headers: { origin: `http://127.0.0.1:${port}` } })
    expect(await ask(call('eth_chainId'))).toHaveProperty('result')
  })

  test('is refused with an unknown key', async () => {
    expect(await refused('/ext/bc/C/ws', { 'x-service-api-key': 'guess' })).toBe(401)
  })

  test('without a wsUrl closes at once with a reason', async () => {
    const { closed } = await open(`/ext/bc/${l1Id}/ws`)
    expect(await closed).toEqual([4501, 'not implemented: the chain has no wsUrl in the configuration'])
  })

  test('of any other route leaves nothing open', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) })
    gateway.later(() => socket.destroy())
    socket.resume()
    socket.write(
      'GET /v1/nothing HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    await once(socket, 'close')
  })
})
