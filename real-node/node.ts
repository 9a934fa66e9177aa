import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A running avalanchego on loopback. */
export interface RealNode {
  /** Its base, such as http://127.0.0.1:9650 */
  readonly url: string
  readonly nodeId: string
  /** Resolves with its last words when it ends. */
  readonly gone: Promise<string>
  stop(): Promise<void>
}

interface NodeOptions {
  readonly program: string
  /** Its data and its keys; kept over restarts. */
  readonly folder: string
  readonly httpPort: number
  readonly stakingPort: number
  readonly flags: readonly string[]
}

/** What the C-chain opens beside its defaults: every block and state is kept, every API answers. */
const cChain = {
  'admin-api-enabled': true,
  'pruning-enabled': false,
  'warp-api-enabled': true,
  'eth-apis': [
    'eth',
    'eth-filter',
    'net',
    'web3',
    'internal-eth',
    'internal-blockchain',
    'internal-transaction',
    'internal-tx-pool',
    'internal-debug',
    'debug',
    'debug-tracer',
  ],
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const patienceMs = 60_000

/** Starts a node and waits until it is ready. Rejects with its last words when it does not get there. */
export async function startNode(options: NodeOptions): Promise<RealNode> {
  const { program, folder, httpPort, stakingPort } = options
  mkdirSync(folder, { recursive: true })
  const child = spawn(
    program,
    [
      `--data-dir=${folder}`,
      '--http-host=127.0.0.1',
      `--http-port=${httpPort}`,
      '--staking-host=127.0.0.1',
      `--staking-port=${stakingPort}`,
      '--public-ip=127.0.0.1',
      '--bootstrap-ips=',
      '--bootstrap-ids=',
      '--fd-limit=16384',
      // Readiness is told only as often as health is checked; the default is half a minute.
      '--health-check-frequency=200ms',
      '--api-admin-enabled=true',
      '--index-enabled=true',
      `--chain-config-content=${base64({ C: { Config: base64(cChain), Upgrade: null } })}`,
      ...options.flags,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const log = join(folder, 'output.log')
  const file = createWriteStream(log, { flags: 'a' })
  child.stdout.pipe(file)
  child.stderr.pipe(file)
  const lastWords = (): string => readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
  const ended = once(child, 'exit').then(() => lastWords())
  const url = `http://127.0.0.1:${httpPort}`
  const stop = (): Promise<void> => endProcess(child)
  try {
    await untilReady(url, child, lastWords)
    const { nodeID } = await ask<{ nodeID: string }>(`${url}/ext/info`, 'info.getNodeID')
    return { url, nodeId: nodeID, gone: ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilReady(url: string, child: ChildProcess, lastWords: () => string): Promise<void> {
  const until = Date.now() + patienceMs
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`avalanchego ended while it started:\n${lastWords()}`)
    const isReady = await fetch(`${url}/ext/health/readiness`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    if (Date.now() > until) throw new Error(`avalanchego is not ready after a minute:\n${lastWords()}`)
    await delay(100)
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** A JSON-RPC call of a node. Rejects with the node's own message where it answers with an error. */
export async function ask<T>(url: string, method: string, params: unknown = {}): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  })
  if (!answer.ok) throw new Error(`${method}: HTTP ${answer.status}`)
  const body = (await answer.json()) as { result?: T; error?: { message: string } }
  if (body.error !== undefined) throw new Error(`${method}: ${body.error.message}`)
  return body.result as T
}

/** Ports of loopback that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
