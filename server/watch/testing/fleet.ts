import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Database } from '../../store/database.ts'
import { testConfig } from '../../testing/config.ts'
import { fujiNetwork, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import { StoreSession } from '../../store/session.ts'
import { idFrom } from '../ids.ts'
import { consistent, lockChain } from '../run.ts'
import type { NativeBalance } from '../facts.ts'
import { WatchRunner, type RoundReport } from '../runner.ts'

/** A request that a receiver got. */
type Received = {
  readonly key: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A receiver of webhooks on this machine, which answers as the test says. */
export type Receiver = {
  readonly url: string
  readonly host: string
  readonly received: Received[]
  answer: (request: Received, response: ServerResponse, count: number) => void
  close(): Promise<void>
}

/** Starts a receiver; at first it answers 204. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const receiver = {
    received,
    answer: ((_request, response) => void response.writeHead(204).end()) as Receiver['answer'],
  }
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const key = String(request.headers['idempotency-key'])
      const got = { key, headers: request.headers, body: Buffer.concat(chunks).toString() }
      received.push(got)
      receiver.answer(got, response, received.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    host: `127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/** A time of tests in Unix seconds; chain time and clock agree. */
export const start = 1_790_000_000

/** The store of a small network, and a runner on it whose clock the test sets. */
export type Scene = {
  readonly database: Database
  readonly runner: WatchRunner
  now: number
  /** Milliseconds. */
  monotonic: number
  disk: number | null
  /** What the nodes of EVM chains tell of addresses, by the ids of subjects. */
  balances: Readonly<Record<string, NativeBalance>>
  /** Advances both clocks and evaluates. */
  tick(seconds?: number): Promise<RoundReport>
  /** The node answers: these nodes are connected, all others of the scene are not. */
  poll(connected: Readonly<Record<string, boolean>>, uptime?: number): Promise<void>
  /** Evaluates with another process' memory: nothing but the store. */
  restart(): void
  close(): Promise<void>
}

export async function createScene(
  database: Database,
  nodes: readonly string[],
  chains: readonly object[] = [],
): Promise<Scene> {
  await insertPrimary(database, 'primary_chains', [
    { chain: 11, blockchain_id: idBytes('p'), node_height: 5, node_seen_ts: start },
  ])
  await insertPrimary(database, 'primary_blocks', [
    { chain: 11, height: 5, ts: start, id: idBytes('b5'), parent_id: idBytes('b4') },
  ])
  await insertPrimary(
    database,
    'stakers',
    nodes.map((node, index) => ({
      chain: 11,
      height: 1,
      index,
      tx_id: idBytes(`tx ${node}`),
      node: shortBytes(node),
      start_ts: start - 86_400 * 10,
      end_ts: start + 86_400 * 20,
      shares: 20_000,
    })),
  )
  const abort = new AbortController()
  const session = new StoreSession(database, lockChain, abort.signal, 'the watch')
  const make = (): WatchRunner =>
    new WatchRunner({
      watched: {
        networks: testConfig({ networks: [fujiNetwork] }).networks,
        chains: chains.length === 0 ? [] : testConfig({ chains }).chains,
      },
      clock: () => scene.now,
      monotonic: () => scene.monotonic,
      diskFree: async () => scene.disk,
      balances: async () => scene.balances,
      keepDays: 40,
    })
  let runner: WatchRunner
  const scene: Scene = {
    database,
    get runner() {
      return runner
    },
    now: start,
    monotonic: 0,
    disk: 50,
    balances: {},
    async tick(seconds = 10) {
      scene.now += seconds
      scene.monotonic += seconds * 1000
      await database`update primary_chains set node_seen_ts = ${scene.now}`
      return runner.round(consistent(session))
    },
    async poll(connected, uptime = 99) {
      await insertPrimary(
        database,
        'uptime_samples',
        Object.entries(connected).map(([node, isConnected]) => ({
          chain: 11,
          node: shortBytes(node),
          tx_id: idBytes(`tx ${node}`),
          ts: scene.now,
          uptime,
          connected: isConnected,
        })),
      )
      const values = Object.values(connected)
      await database`
        insert into watch_polls (chain, polls, ts, validators, connected)
        values (11, 1, ${scene.now}, ${values.length}, ${values.filter(Boolean).length})
        on conflict (chain) do update set polls = watch_polls.polls + 1, ts = excluded.ts,
          connected = excluded.connected`
    },
    restart() {
      runner = make()
    },
    async close() {
      abort.abort()
      await session.close()
    },
  }
  runner = make()
  return scene
}

/** Creates a fleet of nodes. Returns its id. */
export async function createFleet(
  database: Database,
  nodes: readonly string[],
  name = 'Fleet',
): Promise<string> {
  const fleet = idFrom('fleet', name)
  await database`
    insert into watch_fleets values (${fleet}, 11, ${name}, '', ${`token-${name}`}, ${start})`
  for (const [position, node] of nodes.entries()) {
    await database`
      insert into watch_members values (11, ${fleet}, ${shortBytes(node)}, ${node}, ${position}, ${start})`
  }
  return fleet
}

type RuleGiven = {
  readonly kind: string
  readonly fleet?: string
  readonly threshold?: number
  readonly hysteresis?: number
  readonly samples?: number
  readonly repeat?: number
  readonly quiet?: object
  readonly channels?: readonly string[]
  readonly severity?: string
  readonly evmChain?: number
  readonly address?: string
}

/** Creates a rule. Returns its id. */
export async function createRule(database: Database, given: RuleGiven, name = given.kind): Promise<string> {
  const rule = idFrom('rule', name)
  const channels = `{${(given.channels ?? []).join(',')}}`
  await database`
    insert into watch_rules (rule, chain, fleet, kind, name, threshold, hysteresis, samples, severity, repeat_seconds,
      quiet, channels, enabled, revision, created_ts, updated_ts, evm_chain, address)
    values (${rule}, ${given.fleet === undefined ? null : 11}, ${given.fleet ?? null}, ${given.kind}, ${name},
      ${given.threshold ?? null}, ${given.hysteresis ?? 0}, ${given.samples ?? 1}, ${given.severity ?? 'critical'},
      ${given.repeat ?? 0}, ${given.quiet === undefined ? null : JSON.stringify(given.quiet)}::text::jsonb,
      ${channels}::text::uuid[], true, 1, ${start}, ${start}, ${given.evmChain ?? null},
      ${given.address === undefined ? null : Buffer.from(given.address.slice(2), 'hex')})`
  return rule
}

/** Creates a webhook. Returns its id. */
export async function createWebhook(database: Database, url: string, name = 'hook'): Promise<string> {
  const channel = idFrom('channel', name)
  await database`
    insert into watch_channels values (${channel}, ${name}, 'webhook', true, true,
      ${JSON.stringify({ url })}::text::jsonb, ${JSON.stringify({ signingKey: 'test-key' })}::text::jsonb,
      ${start}, ${start})`
  return channel
}
