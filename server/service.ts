import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './kernel/settings/config.ts'
import { startHealthThread } from './http/health-thread.ts'
import { startMetricsListener } from './http/prometheus.ts'
import { createLiveHub } from './events/hub.ts'
import type { StatsByChain } from './kernel/indexer-stats.ts'
import { noToken, openLocalToken, type LocalToken } from './kernel/local-token.ts'
import { createLogOutput } from './kernel/log-output.ts'
import { isReadOnly, StoreGate } from './store/store-gate.ts'
import { requireVersion, statementTimeoutOf, type Database } from './store/database.ts'
import { clearDatabase, migrate, OtherSchemaError } from './store/schema/migrate.ts'
import { placeNewChains } from './store/distribution.ts'
import { startEmbeddedPostgres } from './store/embedded-postgres.ts'
import { isConnectionFailure } from './store/lost-connection.ts'
import { openPools, type Pools } from './store/pools.ts'

/** Why the service can't go on, in a sentence for the person who started it. */
type Failure = { readonly message: string; readonly exitCode: number }

/** What the indexers and their workers are given. */
export type IndexersOptions = {
  readonly database: Database
  /** Of the same server, for programs beside the service. */
  readonly databaseUrl: string
  readonly config: Config
  readonly logger: FastifyBaseLogger
  readonly signal: AbortSignal
  /** Filled with what each chain's indexer counts. */
  readonly stats: StatsByChain
}

/** Follows every configured chain until the signal; rejects when it can't go on. */
export type RunIndexers = (options: IndexersOptions) => Promise<void>

type ServiceOptions = {
  readonly config: Config
  readonly version: string
  readonly webFolder?: string
  readonly prerenderFile?: string
  readonly runIndexers: RunIndexers
  /** Where log lines go; standard output when left out. */
  readonly logTo?: pino.DestinationStream
  /** Called with the process id of the service's own PostgreSQL each time that it is started. */
  readonly onDatabaseProcess?: (pid: number) => void
}

export type Service = {
  /** Where the service listens; undefined for the role `indexer`. */
  readonly url: string | undefined
  /** Settles once, when the service can't go on by itself. */
  readonly failure: Promise<Failure>
  /** Reports a defect that nothing else has caught: it is logged and settles `failure`. */
  fail(reason: unknown): void
  /** Ends requests, indexers and database, in this order. Never rejects. */
  stop(): Promise<void>
}

/** Milliseconds that each part gets to end by itself, and a replica to catch up at the start. */
const timeoutMs = { server: 3_000, indexers: 4_000, database: 2_000, postgres: 10_000, replica: 10_000 }
const connectPause = 1_000

/**
 * Lists leave as JSON text. The contract checks the first answer of each and then one of this many: checking an
 * answer costs as much as making it. Tests check every answer.
 */
const checkEvery = 64

/**
 * Starts the service: it listens at once, so that the dashboard can say what it waits for, then opens the
 * database, brings its schema up to date and follows the chains, as far as the role says.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, version } = options
  const logger = createLogger(config.logLevel, options.logTo ?? createLogOutput())
  const clock = (): number => Math.floor(Date.now() / 1000)
  const store = new StoreGate()
  const live = createLiveHub(logger)
  const indexers: StatsByChain = new Map()
  const abort = new AbortController()
  // Each chain has workers that listen to it.
  setMaxListeners(0, abort.signal)
  const { promise: failure, resolve: fail } = deferred<Failure>()
  const closers: { what: string; within: number; close: () => Promise<unknown> }[] = []

  const stop = async (): Promise<void> => {
    abort.abort()
    for (const { what, within, close } of closers.splice(0).reverse()) {
      const outcome = await Promise.race([
        close().then(() => 'done'),
        delay(within, 'late', { ref: false }),
      ]).catch((error: unknown) => error)
      if (outcome !== 'done') logger.warn({ what, outcome: String(outcome) }, 'did not end as it should')
    }
  }

  const giveUp = (error: unknown): void => {
    if (abort.signal.aborted) {
      logger.warn({ err: error }, 'failed while stopping')
      return
    }
    logger.fatal({ err: error }, 'The service cannot continue')
    fail({ message: error instanceof Error ? error.message : String(error), exitCode: 1 })
  }

  const openToken = (): LocalToken => {
    try {
      return openLocalToken(config)
    } catch (error) {
      const reason = `its file can't be made (${(error as NodeJS.ErrnoException).code ?? String(error)})`
      logger.warn({ err: error }, `the local token: ${reason}`)
      return noToken(reason)
    }
  }

  /** Opens a listener beside the service's own; false if its address can't be had, which ends the service. */
  const listenBeside = async (
    what: string,
    setting: string,
    address: Pick<Config, 'host' | 'port'>,
    start: (address: Pick<Config, 'host' | 'port'>) => Promise<{ close(): Promise<unknown> }>,
  ): Promise<boolean> => {
    try {
      const listener = await start(address)
      closers.push({ what, within: timeoutMs.server, close: () => listener.close() })
      return true
    } catch (error) {
      fail(describeListenFailure(error, address, setting))
      return false
    }
  }

  let url: string | undefined
  let app: FastifyInstance | undefined
  const { host, healthPort, metricsPort } = config
  const isBeside =
    (healthPort === undefined ||
      (await listenBeside('/health', 'HEALTH_PORT', { host: '127.0.0.1', port: healthPort }, ({ port }) =>
        startHealthThread({ port, onEnd: giveUp }),
      ))) &&
    (metricsPort === undefined ||
      (await listenBeside('/metrics', 'METRICS_PORT', { host, port: metricsPort }, (address) =>
        startMetricsListener({ config, store, live, clock, indexers, rounds: {}, ...address }),
      )))
  if (!isBeside) return { url: undefined, failure, fail: giveUp, stop }
  if (config.role !== 'indexer') {
    app = await createApp({
      config,
      logger,
      store,
      live,
      clock,
      version,
      localToken: openToken(),
      indexers,
      checkEvery,
      ...(options.webFolder !== undefined && { webFolder: options.webFolder }),
      ...(options.prerenderFile !== undefined && { prerenderFile: options.prerenderFile }),
    })
    try {
      url = publicAddress(await app.listen({ host: config.host, port: config.port }))
    } catch (error) {
      fail(describeListenFailure(error, config))
      return { url: undefined, failure, fail: giveUp, stop }
    }
    logger.info({ url }, 'listening')
  }

  const run = async (): Promise<void> => {
    const databaseUrl = await openServer()
    const { databaseReadUrl: readUrl } = config
    const pools = openPools({
      url: databaseUrl,
      ...(readUrl !== undefined && config.role !== 'indexer' && { readUrl }),
      statementTimeout: config.limits.statementMilliseconds,
    })
    const { writes, replica } = pools
    closers.push({ what: 'database', within: timeoutMs.database, close: () => pools.end() })
    if (replica) await connected(pools.reads, 'the replica')
    // With a replica, the API serves while there is no primary.
    if (!replica || config.role !== 'api') await connected(writes, 'the database')
    await retried('the database cannot be reached', () => prepare(writes), isConnectionFailure)
    await openStore(pools)
    void replica?.follow(abort.signal)
    const stopListening = await live.connect(pools.primary, replica && ((signal) => replica.catchUp(signal)))
    closers.push({ what: 'live updates', within: timeoutMs.database, close: stopListening })
    if (config.role === 'api' || abort.signal.aborted) return
    const following = retried(
      'the indexers lost their connection to the database',
      () =>
        options.runIndexers({
          database: writes,
          databaseUrl,
          config,
          logger,
          signal: abort.signal,
          stats: indexers,
        }),
      isConnectionFailure,
    )
    closers.push({
      what: 'indexers',
      within: timeoutMs.indexers,
      close: () => following.catch(() => undefined),
    })
    await following
  }

  /**
   * Brings the schema up to date. A bundled database whose schema no migration starts from is made anew if it only has
   * chains that may start over, as the sample's and a local network's do.
   */
  const updateSchema = async (database: Database): Promise<void> => {
    const update = (): Promise<void> => migrate(database, undefined, (news) => logger.warn(news))
    try {
      await update()
    } catch (error) {
      const followed = [...config.networks, ...config.chains]
      const mayStartOver =
        config.databaseUrl === undefined &&
        followed.length > 0 &&
        followed.every(({ onNewGenesis }) => onNewGenesis === 'startOver')
      if (!(error instanceof OtherSchemaError) || !mayStartOver) throw error
      logger.warn('the database has the schema of another unreleased version: it is made anew')
      await clearDatabase(database)
      await update()
    }
  }

  /** Updates the schema, except on a replica, whose primary does, and places new chains on their servers. */
  const prepare = async (database: Database): Promise<void> => {
    try {
      await updateSchema(database)
      if (config.role === 'api') return
      await placeNewChains(
        database,
        config.chains.map(({ evmChainId }) => BigInt(evmChainId)),
        (chain, server) => logger.info({ chain: String(chain), server }, 'the chain has a shard of its own'),
        (chain, error) =>
          logger.warn(
            { chain: String(chain), err: error },
            'the chain has no shard of its own: stop the service and run ridgeline database distribute',
          ),
      )
    } catch (error) {
      if (config.role !== 'api') throw error
      if (isReadOnly(error)) logger.info('the database is read-only: its schema is left as it is')
      else if (isConnectionFailure(error))
        logger.warn({ err: error }, 'no primary: the schema is left as it is')
      else throw error
    }
  }

  /** Opens the gate to the store, once a replica has what was just prepared on its primary. */
  const openStore = async ({ reads, health, primary, replica, hasPooler }: Pools): Promise<void> => {
    await replica?.catchUpWithin(timeoutMs.replica, abort.signal)
    const opened = { database: reads, health, primary, ...(replica && { replica }) }
    await retried('the replica has no schema yet', () => store.open(opened, clock), isUnprepared)
    if (hasPooler && (await statementTimeoutOf(reads)) === '0') {
      logger.warn(
        'reads have no time limit: pgbouncer does not pass it on, so set statement_timeout for the role',
      )
    }
  }

  const openServer = async (): Promise<string> => {
    if (config.databaseUrl !== undefined) return config.databaseUrl
    const starting = startEmbeddedPostgres({
      home: config.home,
      signal: abort.signal,
      onNews: (line) => logger.info(line),
      onCrash: (code) => logger.error({ code }, 'PostgreSQL ended by itself and is started again'),
      onProcess: (pid) => options.onDatabaseProcess?.(pid),
    })
    // Whoever stops the service while its server starts waits for that start to be given up.
    closers.push({
      what: 'PostgreSQL',
      within: timeoutMs.postgres,
      close: () =>
        starting.then(
          (server) => server.stop(),
          () => undefined,
        ),
    })
    return (await starting).url
  }

  /** Waits for a server of the operator's own, which may start later than we do. Throws if it is too old. */
  const connected = (database: Database, what: string): Promise<void> =>
    retried(`${what} cannot be reached`, () => requireVersion(database), isConnectionFailure)

  /** Repeats an action while it fails for a reason that passes, which the gate of a store that is not open yet tells. */
  const retried = async (
    reason: string,
    action: () => Promise<void>,
    passes: (error: unknown) => boolean,
  ): Promise<void> => {
    for (;;) {
      try {
        return await action()
      } catch (error) {
        if (abort.signal.aborted || !passes(error)) throw error
        if (store.closedReason !== undefined) store.wait(reason)
        logger.warn({ err: error }, `${reason}, trying again`)
        await delay(connectPause, undefined, { signal: abort.signal })
      }
    }
  }

  run().catch(giveUp)

  return {
    url,
    failure,
    fail: giveUp,
    async stop() {
      // Requests end first: what they read must still be there.
      const server = app
      if (server)
        closers.push({ what: 'server', within: timeoutMs.server, close: async () => server.close() })
      await stop()
    },
  }
}

function createLogger(level: string, destination: pino.DestinationStream): FastifyBaseLogger {
  const options: pino.LoggerOptions = {
    level,
    redact: {
      paths: [
        'req.headers["x-service-api-key"]',
        'req.headers["x-ridgeline-token"]',
        'req.headers["x-ridgeline-proxy-secret"]',
        'req.headers.authorization',
        'headers["x-service-api-key"]',
        'headers["x-ridgeline-token"]',
        'headers["x-ridgeline-proxy-secret"]',
        'headers.authorization',
        'config.localToken',
        'config.apiKeys',
        'config.signIn',
        'databaseUrl',
      ],
      censor: '[redacted]',
    },
  }
  return pino(options, destination)
}

function describeListenFailure(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): Failure {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE') {
    return {
      // The next one is often that of the sample network.
      message: `port ${port} of ${host} is in use: choose another with ${setting}=${port + 10}`,
      exitCode: 2,
    }
  }
  if (code === 'EACCES') {
    return { message: `port ${port} needs more rights: choose another with ${setting}=4400`, exitCode: 2 }
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return {
      message: `HOST: got "${host}"; allowed: an address of this machine, such as 127.0.0.1`,
      exitCode: 2,
    }
  }
  return { message: `cannot listen on ${host}:${port}: ${String(error)}`, exitCode: 1 }
}

/** An address that a browser can open: 0.0.0.0 and :: are this machine. */
function publicAddress(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** A replica whose primary is being prepared, or the replica started after us. */
function isUnprepared(error: unknown): boolean {
  return isConnectionFailure(error) || (error as { code?: string }).code === '42P01'
}

function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
