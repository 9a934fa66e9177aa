import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { until } from '../testing/harness.ts'
import { HeadWatcher } from './head.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function socketServer(onConnection: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', onConnection)
  await once(server, 'listening')
  ends.push(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function watch(wsUrl: string | undefined, pollEvery: number): HeadWatcher {
  const abort = new AbortController()
  ends.push(() => abort.abort())
  return new HeadWatcher({ wsUrl, pollEvery, signal: abort.signal })
}

const head = JSON.stringify({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription: '0x1', result: {} },
})

describe('HeadWatcher', () => {
  test('subscribes to heads and is woken by one', async () => {
    const asked: string[] = []
    const url = await socketServer((socket) => {
      socket.on('message', (data) => {
        asked.push(String(data))
        socket.send('{"id":1,"result":"0x1"}')
        socket.send('no json')
        socket.send(head)
      })
    })
    expect(await watch(url, 60_000).next()).toBe(true)
    expect(JSON.parse(asked[0] ?? '')).toMatchObject({ method: 'eth_subscribe', params: ['newHeads'] })
  })

  test('polls where there is no socket, and where nobody listens', async () => {
    expect(await watch(undefined, 5).next()).toBe(false)
    expect(await watch('ws://127.0.0.1:1', 5).next()).toBe(false)
  })

  test('polls beside a silent socket, and opens a new one when it misses heads', async () => {
    const sockets: WebSocket[] = []
    const url = await socketServer((socket) => void sockets.push(socket))
    const watcher = watch(url, 5)
    await until('the first socket is open', async () => sockets.length === 1)
    await until('another socket is opened', async () => {
      expect(await watcher.next()).toBe(false)
      watcher.foundByPoll()
      return sockets.length === 2
    })
  })

  test('lets go of its socket when the node answers nothing, and opens another one', async () => {
    const sockets: WebSocket[] = []
    const url = await socketServer((socket) => void sockets.push(socket))
    const watcher = watch(url, 5)
    await until('the first socket is open', async () => sockets.length === 1)
    watcher.foundNothing()
    await until('another socket is opened', async () => sockets.length === 2)
    expect(sockets[0]?.readyState).not.toBe(1)
  })

  test('ends a wait when it is told to stop', async () => {
    const abort = new AbortController()
    const waiting = new HeadWatcher({ wsUrl: undefined, pollEvery: 60_000, signal: abort.signal }).next()
    abort.abort()
    expect(await waiting).toBe(false)
  })
})
