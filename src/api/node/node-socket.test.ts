import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import frames from '../fixtures/socket-frames.json' with { type: 'json' }
import { openSocket, socketUrl, type SocketState } from './node-socket.ts'
import type { NodeTarget } from './node-targets.ts'

type Frame = {
  '>>>'?: { id: number; method: string; params: unknown[] }
  id?: number
  params?: { subscription: string }
}
const recorded = frames as Frame[]

/** A node that gives recorded answers to recorded calls, whatever their ids. */
let server: WebSocketServer
let url = ''
beforeEach(async () => {
  vi.stubGlobal('WebSocket', WebSocket)
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const { id, method, params } = JSON.parse(data.toString()) as {
        id: number
        method: string
        params: unknown
      }
      const asked = recorded.find(
        (frame) =>
          frame['>>>']?.method === method && JSON.stringify(frame['>>>'].params) === JSON.stringify(params),
      )
      const answer = recorded.find((frame) => frame.id !== undefined && frame.id === asked?.['>>>']?.id)
      socket.send(JSON.stringify({ ...answer, id }))
      const subscription = (answer as { result?: string } | undefined)?.result
      for (const frame of recorded)
        if (frame.params?.subscription === subscription && method === 'eth_subscribe')
          socket.send(JSON.stringify(frame))
    }),
  )
  await new Promise((done) => server.once('listening', done))
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ext/bc/C/ws`
})
afterEach(() => {
  for (const client of server.clients) client.terminate()
  server.close()
  vi.unstubAllGlobals()
})

test('subscriptions start, deliver events under their own id, end, and are refused with the node’s message', async () => {
  const states: SocketState['state'][] = []
  const events: [string, unknown][] = []
  const waiting: (() => void)[] = []
  const socket = openSocket(url, {
    onState: ({ state }) => states.push(state),
    onEvent: (id, value) => {
      events.push([id, value])
      waiting.splice(0).forEach((done) => done())
    },
  })
  const heads = await socket.subscribe(['newHeads'])
  if (events.length === 0) await new Promise<void>((done) => waiting.push(done))
  expect(events).toMatchObject([[heads, { parentHash: expect.stringMatching(/^0x608ddbd6/) as string }]])
  await expect(socket.subscribe(['nope'])).rejects.toThrow('no "nope" subscription in eth namespace')
  await expect(socket.unsubscribe('0xdead')).rejects.toThrow('subscription not found')
  await socket.unsubscribe(heads)
  expect(states).toEqual(['connecting', 'open'])
  socket.close()
})

test('a pending call fails when the socket closes, and the close is reported with code and reason', async () => {
  server.removeAllListeners('connection')
  server.on('connection', (socket) => socket.on('message', () => socket.close(1008, 'too many')))
  let tell: (state: SocketState) => void = () => undefined
  const closed = new Promise<SocketState>((done) => (tell = done))
  const socket = openSocket(url, {
    onState: (state) => state.state === 'closed' && tell(state),
    onEvent: () => undefined,
  })
  await expect(socket.subscribe(['newHeads'])).rejects.toThrow('closed before the node answered')
  expect(await closed).toEqual({ state: 'closed', code: 1008, reason: 'too many' })
})

test('the URL has the scheme and the path of the node', () => {
  const at = (base: string) => socketUrl({ base } as NodeTarget, 'C', 'https://own.example')
  expect(at('')).toBe('wss://own.example/ext/bc/C/ws')
  expect(at('http://127.0.0.1:9650')).toBe('ws://127.0.0.1:9650/ext/bc/C/ws')
  expect(at('https://node.example/key')).toBe('wss://node.example/key/ext/bc/C/ws')
})
