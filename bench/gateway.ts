import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { say } from './support/paths.ts'
import { startBenchPostgres } from './support/postgres.ts'
import { atLeast, atMost, type Figure, quantile, type Report } from './support/report.ts'
import { type Service, startService } from './support/service.ts'

const servicePort = 18_870
const nodePort = 18_871
const path = '/ext/bc/C/rpc'
const idleSockets = 10_000
const rounds = 30
const callsARound = 100
const subscribed = 100
/** Several times the kernel's buffer of a connection. */
const headsSent = 10_000

/**
 * Measures the latency that the gateway adds to a call, and its memory for idle sockets and for one that does
 * not read.
 */
export async function runGatewayBench(): Promise<Report> {
  const node = fork(fileURLToPath(new URL('./support/gateway-node.ts', import.meta.url)), [String(nodePort)])
  const postgres = await startBenchPostgres()
  try {
    await once(node, 'message')
    await postgres.create('gateway')
    const service = await startService({
      name: 'gateway',
      role: 'api',
      port: servicePort,
      databaseUrl: postgres.urlOf('gateway'),
      config: {
        chains: [
          {
            evmChainId: 43_113,
            name: 'C',
            rpcUrl: `http://127.0.0.1:${nodePort}${path}`,
            wsUrl: `ws://127.0.0.1:${nodePort}/ext/bc/C/ws`,
          },
        ],
        limits: { requestsPerMinute: 1_000_000_000 },
      },
    })
    try {
      return {
        title: `Gateway: ${rounds * callsARound} calls one after the other, ${idleSockets.toLocaleString('en')} sockets`,
        figures: [...(await measureCalls(service)), ...(await measureSockets(service, node))],
        notes: [
          'Anchors: the same calls asked of the node directly, by turns with those through the gateway; the memory of ' +
            'the service before the sockets. "Adds" is the difference of the two quantiles.',
        ],
      }
    } finally {
      await service.stop()
    }
  } finally {
    node.disconnect()
    await postgres.stop()
  }
}

const call = (method: string, id = 1): unknown => ({ jsonrpc: '2.0', id, method, params: [] })
const bodies = [
  ['small answer', call('eth_blockNumber')],
  ['64 KiB answer', call('eth_getBlockByNumber')],
  ['batch of 40', Array.from({ length: 40 }, (_, id) => call('eth_chainId', id))],
] as const

async function measureCalls(service: Service): Promise<Figure[]> {
  const direct = openCaller(`http://127.0.0.1:${nodePort}`)
  const through = openCaller(service.url)
  const figures: Figure[] = []
  for (const [name, body] of bodies) {
    say(`${name} …`)
    const text = JSON.stringify(body)
    const times: { direct: number[]; through: number[] } = { direct: [], through: [] }
    for (let round = -2; round < rounds; round += 1) {
      const [bare, passed] = [await direct.time(text), await through.time(text)]
      // The first rounds warm up both processes.
      if (round < 0) continue
      times.direct.push(...bare)
      times.through.push(...passed)
    }
    for (const [of, share, limit] of [
      ['p50', 0.5, 2],
      ['p99', 0.99, 5],
    ] as const) {
      const [bare, passed] = [quantile(times.direct, share), quantile(times.through, share)]
      const anchor = { name: 'direct', value: bare }
      figures.push(
        { name: `${name}, ${of}`, value: passed, unit: 'ms', anchor },
        { name: `${name}, ${of}: the gateway adds`, value: passed - bare, unit: 'ms', budget: atMost(limit) },
      )
    }
  }
  direct.close()
  through.close()
  return figures
}

/** Posts sequential calls over one keep-alive connection. */
function openCaller(url: string): { time(body: string): Promise<number[]>; close(): void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true })
  const post = (body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request({ hostname, port, path, agent, method: 'POST', headers }, (response) => {
        response.resume()
        response.once('error', reject)
        response.once('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
        )
      })
      sent.once('error', reject)
      sent.end(body)
    })
  return {
    async time(body) {
      const times: number[] = []
      for (let count = 0; count < callsARound; count += 1) {
        const started = performance.now()
        await post(body)
        times.push(performance.now() - started)
      }
      return times
    },
    close: () => agent.destroy(),
  }
}

async function measureSockets(service: Service, node: ChildProcess): Promise<Figure[]> {
  const before = await settled(service)
  const anchor = { name: 'without', value: before }
  say(`opening ${idleSockets.toLocaleString('en')} sockets …`)
  const sockets: WebSocket[] = []
  for (let count = 0; count < idleSockets; count += 100) {
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => openSocket(service.url)))))
  }
  const idle = await settled(service)
  say('waiting for two heartbeats …')
  await delay(65_000)
  const later = await settled(service)
  const stay = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length

  say(`${subscribed} subscribers, one of which does not read …`)
  const subscribers = sockets.slice(0, subscribed)
  await Promise.all(subscribers.map(subscribe))
  const [slow] = subscribers
  slow?.pause()
  const read = { heads: 0 }
  sockets[1]?.on('message', () => (read.heads += 1))
  for (let sent = 0; sent < headsSent; sent += 1) {
    node.send('head')
    // The bench and the service share two cores, so this lets the other sockets read.
    while (sent - read.heads > 20) await delay(1)
  }
  const flooded = await settled(service)
  // It reads the rest of the kernel's buffer, and then the disconnection.
  slow?.resume()
  await delay(2_000)
  const left = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length
  for (const socket of sockets) socket.terminate()
  return [
    { name: 'memory with the idle sockets', value: idle, unit: 'MB', anchor },
    { name: 'a socket', value: ((idle - before) * 1_024) / idleSockets, unit: 'kB' },
    {
      name: 'memory two heartbeats later',
      value: later,
      unit: 'MB',
      anchor: { name: 'at first', value: idle },
      budget: { of: 'ratio', bound: 'at most', limit: 1.2 },
    },
    { name: 'sockets open then', value: stay, unit: '', budget: atLeast(idleSockets) },
    {
      name: `memory after ${headsSent.toLocaleString('en')} heads to ${subscribed} readers, one slow`,
      value: flooded,
      unit: 'MB',
      anchor: { name: 'idle', value: later },
      budget: { of: 'ratio', bound: 'at most', limit: 1.5 },
    },
    { name: 'sockets open after that', value: left, unit: '', budget: atLeast(idleSockets - 1) },
    {
      name: 'slow readers cut off',
      value: slow?.readyState === WebSocket.CLOSED ? 1 : 0,
      unit: '',
      budget: atLeast(1),
    },
  ]
}

async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ext/bc/C/ws`, { perMessageDeflate: false })
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return socket
}

async function subscribe(socket: WebSocket): Promise<void> {
  const agreed = once(socket, 'message')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  await agreed
}

/** Resident memory in MB, after the last work has settled. */
async function settled({ pid }: Service): Promise<number> {
  await delay(3_000)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}
