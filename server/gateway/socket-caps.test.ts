import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { testConfig } from '../testing/config.ts'
import type { Pass, Passed } from './pass.ts'
import { Session } from './session.ts'
import { call, failed, startTestGateway } from './testing/gateway.ts'
import { echo } from './testing/scripted-node.ts'
import { subscribe, useSockets } from './testing/sockets.ts'
import { useGateway } from './testing/use-gateway.ts'

/** For what another process or thread decides: long, because it costs nothing when all is well. */

const gateway = useGateway()
const { another } = gateway
const { open, refused } = useSockets(gateway)

describe('caps', () => {
  test('on connections, in total and of one address, with slots that are released', async () => {
    const few = await another({ sockets: { connections: 2, perClient: 1 } })
    const { socket } = await open('/ext/bc/C/ws', { of: few })
    expect(await refused('/ext/bc/C/ws', {}, few)).toBe(503)
    socket.close()
    await expect
      .poll(() =>
        open('/ext/bc/C/ws', { of: few }).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open')
  })

  test('on subscriptions', async () => {
    const few = await another({ sockets: { subscriptions: 2 } })
    const { ask } = await open('/ext/bc/C/ws', { of: few })
    const asked = [subscribe('newHeads', 1), subscribe('newHeads', 2), subscribe('logs', 3)]
    expect(await ask(asked)).toMatchObject([
      { id: 1 },
      { id: 2 },
      failed(-32005, 'a socket may have 2 subscriptions', 3),
    ])
  })

  test('on the size of a message', async () => {
    const { socket, closed } = await open()
    socket.send('x'.repeat(300_000))
    expect((await closed)[0]).toBe(1009)
  })

  test('on concurrent messages: further ones wait', async () => {
    const held: (() => void)[] = []
    gateway.node.script = (asked) => (response) => {
      held.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(asked.body))
    }
    const { socket, next } = await open()
    for (let id = 0; id < 40; id += 1) socket.send(JSON.stringify(call('eth_chainId', [], id)))
    await expect.poll(() => held.length).toBe(16)
    const beside = await open()
    beside.socket.send(JSON.stringify(call('eth_chainId', [], 'beside')))
    await expect.poll(() => held.length).toBe(17)
    gateway.node.script = echo
    for (const release of held) release()
    const answered = new Set<unknown>()
    while (answered.size < 40) answered.add(((await next()) as { id: unknown }).id)
    expect(await beside.next()).toMatchObject({ id: 'beside' })
  })

  test('on messages a minute', async () => {
    const slow = await another({}, () => ({ limits: { requestsPerMinute: 2 } }))
    const { ask } = await open('/ext/bc/C/ws', { of: slow })
    await ask(call('eth_chainId'))
    await ask(call('eth_chainId'))
    expect(await ask(call('eth_chainId', [], 'third'))).toMatchObject({
      id: 'third',
      error: { code: -32005 },
    })
  })

  test('on the buffer of a slow reader, without disconnecting others', async () => {
    const { socket, ask } = await open()
    await ask(subscribe('newHeads'))
    const reader = await open()
    await reader.ask(subscribe('newHeads'))
    socket.pause()
    const wide = 'x'.repeat(400_000)
    let sent = 0
    const connections = (): Promise<number> =>
      new Promise((resolve) => gateway.service.app.server.getConnections((_error, count) => resolve(count)))
    const before = await connections()
    while (sent < 2_000 && (await connections()) === before) {
      gateway.node.announce(['newHeads'], wide)
      await reader.next()
      sent += 1
    }
    expect(sent).toBeLessThan(2_000)
    expect(await reader.ask(call('eth_chainId'))).toHaveProperty('result')
  })
})

/** A session without a service: both ends of its socket. `message` replaces the connection to the node. */
async function bareSession(message: Pass['message'], options: { autoPong?: boolean } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  gateway.later(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reader = new WebSocket(`ws://127.0.0.1:${port}`, options)
  gateway.later(() => reader.terminate())
  const opened = once(reader, 'open')
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  await opened
  const nothing = (): never => {
    throw new Error('nothing is asked')
  }
  const session = new Session(socket, {
    config: testConfig().gateway,
    target: { url: 'http://127.0.0.1:9', endpoints: ['evm'], label: '' },
    socketUrl: 'ws://127.0.0.1:9',
    pass: { message, health: nothing, close: nothing },
    subscriptions: { subscribe: nothing, beat: nothing, close: nothing },
    client: 'a reader',
    denial: undefined,
    onCalls: () => undefined,
    perMinute: 1_000,
  })
  return { reader, socket, session }
}

test.each([true, false])('of a reader that answers pings: %s, the socket stays open', async (autoPong) => {
  const { reader, socket, session } = await bareSession(() => Promise.reject(new Error()), { autoPong })
  session.beat()
  await (autoPong ? once(socket, 'pong') : once(reader, 'ping'))
  session.beat()
  expect(socket.readyState === WebSocket.OPEN).toBe(autoPong)
})

test('a client that sends faster than the node answers is paused', async () => {
  const answers: ((passed: Passed) => void)[] = []
  const { reader, socket } = await bareSession(() => new Promise((resolve) => answers.push(resolve)))
  for (let id = 0; id < 16; id += 1) reader.send(JSON.stringify(call('eth_chainId', [], id)))
  await expect.poll(() => socket.isPaused).toBe(true)
  answers[0]?.({ status: 200, head: Buffer.from('{}'), rest: undefined })
  await expect.poll(() => socket.isPaused).toBe(false)
})

test('sockets close with the service, even those of a slow reader', async () => {
  const ending = await startTestGateway()
  const { closed, ask } = await open('/ext/bc/C/ws', { of: ending })
  await ask(subscribe('newHeads'))
  const silent = await open('/ext/bc/C/ws', { of: ending })
  silent.socket.pause()
  await ending.close()
  expect(await closed).toEqual([1001, 'the service stops'])
})
