import fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../kernel/settings/config.ts'
import { primaryChainAliases } from '../../contract/primary/chains.ts'
import { primaryChainKey, primaryChainName } from '../primary/chains.ts'
import { indexedPrimaryChains } from '../primary/served-network.ts'
import { readPrimaryFigures } from '../store/network/read-figures.ts'
import { readStatus } from '../store/network/read-status.ts'
import { readPrimaryStatus } from '../store/primary/read-primary.ts'
import { readRuleFigures, readSummary } from '../store/watch/read-watch.ts'
import type { StoreGate } from '../store/store-gate.ts'
import type { LiveHub } from '../events/hub.ts'
import type { Access } from './access.ts'

/** The counters of each indexer by chain label; every number becomes a series. */
export type IndexerCounters = ReadonlyMap<
  string,
  Readonly<Record<string, number | Readonly<Record<string, number>>>>
>

type PrometheusOptions = {
  readonly config: Config
  readonly access: Pick<Access, 'require'>
  readonly store: StoreGate
  readonly live: LiveHub
  /** Unix seconds. */
  readonly clock: () => number
  readonly indexers: IndexerCounters
  /** The outcomes of signature rounds; every number becomes a series. */
  readonly rounds: Readonly<Record<string, number>>
}

/**
 * `/metrics` for Prometheus: requests by route and status, the process, the heights of each chain, the counters of
 * this process's indexers, and signature rounds. If the operator protects it, it requires a key with the privilege
 * `prometheus`.
 */
export function servePrometheus(app: FastifyInstance, options: PrometheusOptions): void {
  const { config, access, store, live, clock, indexers, rounds } = options
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'ridgeline_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  const announced = new Counter({
    name: 'ridgeline_live_updates_total',
    help: 'Announcements of the indexer that this process has passed on',
    labelNames: ['name'],
    registers: [registry],
  })
  const unsubscribe = live.subscribe(({ name }) => announced.inc({ name }))
  app.addHook('onClose', async () => unsubscribe())
  const keys = config.chains.map(({ evmChainId }) => BigInt(evmChainId))
  const primaryKeys = indexedPrimaryChains(config).map(({ key }) => key)
  /** The states of the chains by the name that their series have, those of EVM chains apart, too. */
  const readStates = async () => {
    const { health } = store.get()
    const [{ rows }, primaryRows] = await Promise.all([
      readStatus(health, keys, clock()),
      readPrimaryStatus(health, primaryKeys),
    ])
    const evm = [...rows.values()].map((row) => ({ ...row, chain: row.chain.toString() }))
    return {
      evm,
      all: [...evm, ...primaryRows.map((row) => ({ ...row, chain: primaryChainName(row.chain) }))],
    }
  }
  /** What was read for the present scrape, which collects its gauges side by side. */
  let states: ReturnType<typeof readStates> | undefined
  const statesOfScrape = () => (states ??= readStates())
  gauge(registry, 'ridgeline_chain_block', 'Heights of a chain', ['chain', 'kind'], async (set) => {
    if (store.closedReason !== undefined) return
    for (const { chain, ...row } of (await statesOfScrape()).evm) {
      if (row.indexed_block !== null) set({ chain, kind: 'indexed' }, Number(row.indexed_block))
      if (row.node_block !== null) set({ chain, kind: 'node' }, Number(row.node_block))
      if (row.finalized_block !== null) set({ chain, kind: 'finalized' }, Number(row.finalized_block))
    }
  })
  gauge(
    registry,
    'ridgeline_chain_stopped',
    'Whether the indexer of a chain has stopped (1), by the same labels as the other series of the chain',
    ['chain'],
    async (set) => {
      if (store.closedReason !== undefined) return
      for (const { chain, state } of (await statesOfScrape()).all) set({ chain }, state === 'stopped' ? 1 : 0)
    },
  )
  gauge(
    registry,
    'ridgeline_chain_node_seconds',
    'Unix time of the last answer of a chain’s node, by the same labels; 0 if it has never answered',
    ['chain'],
    async (set) => {
      if (store.closedReason !== undefined) return
      for (const { chain, node_seen_ts: seen } of (await statesOfScrape()).all)
        set({ chain }, Number(seen ?? 0))
    },
  )
  gauge(
    registry,
    'ridgeline_primary',
    'Heights, times and counts of the P-, X- and C-Chain',
    ['chain', 'kind'],
    async (set) => {
      if (store.closedReason !== undefined) return
      // Rows of networks that the configuration no longer has say nothing of the present.
      const keys = config.networks.flatMap(({ id }) =>
        primaryChainAliases.map((alias) => primaryChainKey(id, alias)),
      )
      for (const { chain, ...figures } of await readPrimaryFigures(store.get().health, keys)) {
        for (const [kind, value] of Object.entries(figures))
          if (value !== null) set({ chain: primaryChainName(chain), kind }, Number(value))
      }
    },
  )
  gauge(
    registry,
    'ridgeline_replica_lag',
    'How far the replica that this process reads from is behind its primary',
    ['unit'],
    (set) => {
      const lag = store.closedReason === undefined ? store.get().replica?.lag : undefined
      if (!lag) return
      set({ unit: 'seconds' }, lag.seconds)
      set({ unit: 'bytes' }, Number(lag.bytes))
    },
  )
  gauge(registry, 'ridgeline_indexer', 'Counters of an indexer', ['chain', 'name'], (set) => {
    for (const [chain, counters] of indexers) {
      for (const [name, value] of Object.entries(counters)) {
        if (typeof value === 'number') set({ chain, name }, value)
        else for (const [kind, count] of Object.entries(value)) set({ chain, name: `${name}.${kind}` }, count)
      }
    }
  })
  gauge(
    registry,
    'ridgeline_signature_rounds',
    'Rounds of signatures by what they came to',
    ['name'],
    (set) => {
      for (const [name, value] of Object.entries(rounds)) set({ name }, value)
    },
  )

  gauge(
    registry,
    'ridgeline_watch_subjects',
    'Subjects of each rule of the watch by state',
    ['rule', 'name', 'kind', 'severity', 'state'],
    async (set) => {
      if (store.closedReason !== undefined) return
      for (const { rule, name, kind, severity, ...counts } of await readRuleFigures(store.get().health)) {
        for (const [state, count] of Object.entries(counts))
          set({ rule, name, kind, severity, state }, Number(count))
      }
    },
  )
  gauge(registry, 'ridgeline_watch', 'Alarms, messages and rounds of the watch', ['kind'], async (set) => {
    if (store.closedReason !== undefined) return
    const row = await readSummary(store.get().health)
    for (const severity of ['info', 'warning', 'critical'] as const) {
      set({ kind: `open_${severity}` }, Number(row[severity]))
    }
    set({ kind: 'silenced' }, Number(row.silenced))
    set({ kind: 'unknown' }, Number(row.unknown))
    set({ kind: 'waiting_messages' }, Number(row.waiting))
    set({ kind: 'dead_messages' }, Number(row.dead))
    if (row.round_ts !== null) set({ kind: 'round_seconds' }, Number(row.round_ts))
    if (row.round_ms !== null) set({ kind: 'round_milliseconds' }, row.round_ms)
  })

  // The route's pattern, never the path: a series for each hash would fill the memory.
  app.addHook('onResponse', async (request, reply) => {
    requests.observe(
      {
        method: request.method,
        route: request.routeOptions.config.operation ?? request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    )
  })
  app.get('/metrics', async (request, reply) => {
    access.require(request, 'prometheus')
    states = undefined
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/**
 * Serves `/metrics` alone on a port of its own, for a process that serves nothing else: an indexer. It asks for no key.
 * Rejects with the system's `code` if it cannot listen.
 */
export async function startMetricsListener({
  host,
  port,
  ...options
}: Omit<PrometheusOptions, 'access'> & {
  readonly host: string
  readonly port: number
}): Promise<FastifyInstance> {
  const app = fastify({ logger: false })
  servePrometheus(app, { ...options, access: { require: () => undefined } })
  await app.listen({ host, port })
  return app
}

type Labels = Readonly<Record<string, string>>

/** A gauge that is read on demand; a failure leaves it out instead of failing the whole page. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  collect: (set: (labels: Labels, value: number) => void) => void | Promise<void>,
): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [],
      async collect() {
        this.reset()
        await Promise.resolve(collect((labels, value) => this.set(labels, value))).catch(() => this.reset())
      },
    }),
  )
}
