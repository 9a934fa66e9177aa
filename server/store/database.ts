import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import { migrations } from './migrations/list.ts'

/** A pool of connections to the store. */
export type Database = postgres.Sql<{ bigint: bigint }>
/** A pool or an open transaction, on which queries run. */
export type Queryable = Database | postgres.TransactionSql<{ bigint: bigint }>

export type DatabaseOptions = {
  /** Connections of the pool. */
  max?: number
  /** Milliseconds after which the server cancels a statement; no limit if absent. */
  statementTimeout?: number
  /** Shown by PostgreSQL's pg_stat_activity. */
  applicationName?: string
}

/** `numeric` is transferred as text, so that 256-bit amounts stay exact; `bigint` columns become BigInt. */
const types = { bigint: postgres.BigInt }

/**
 * Opens a pool. `url` is a PostgreSQL URL; if its host is a folder (`?host=/folder`), the unix socket in it
 * is used. Over TCP the socket sets noDelay: otherwise every COPY waits 40 ms or more for a delayed
 * acknowledgement.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const parsed = new URL(url)
  const folder = parsed.searchParams.get('host')
  const port = parsed.port === '' ? 5432 : Number(parsed.port)
  const socket = folder !== null && folder.startsWith('/')
  const tls = parsed.searchParams.get('sslmode')
  const settings = {
    host: socket ? folder : parsed.hostname,
    port,
    ...(socket && { path: `${folder}/.s.PGSQL.${port}` }),
    // The driver accepts a socket factory, which is missing in its types.
    ...(!socket && { socket: () => connectWithoutDelay(parsed.hostname, port) }),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    ...(tls !== null && tls !== 'disable' && { ssl: tls === 'verify-full' ? 'verify-full' : 'require' }),
    max: options.max ?? 8,
    types,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName ?? 'ridgeline',
      TimeZone: 'UTC',
      ...(options.statementTimeout !== undefined && { statement_timeout: options.statementTimeout }),
    },
  }
  const open = (more: { max_pipeline?: number }): Database =>
    postgres({ ...settings, ...more } as postgres.Options<typeof types>)
  // Statements queued behind a slow one are the slowest; another connection becomes free sooner.
  const pool = open({ max_pipeline: 1 })
  // With that limit, the driver may run a BEGIN without reserving the connection for the transaction.
  // Transactions therefore use a separate pool, which connects on first use.
  const transactions = open({})
  const end = pool.end
  return Object.assign(pool, {
    begin: transactions.begin,
    end: async (options?: { timeout?: number }) => {
      await Promise.all([end(options), transactions.end(options)])
    },
  })
}

async function connectWithoutDelay(host: string, port: number): Promise<Socket> {
  const stream = connect({ host, port, noDelay: true })
  await once(stream, 'connect')
  return stream
}

/** Whether PostgreSQL listens on a unix socket in `folder`. */
export function hasSocket(folder: string, port: number): boolean {
  return existsSync(`${folder}/.s.PGSQL.${port}`)
}

/** The advisory lock under which migrations run; chains use their own ids as the second key. */
export const lockSpace = { migrate: 7100, indexer: 7101 } as const

/**
 * Updates the schema: runs each migration once, in order and in its own transaction, under an advisory lock
 * so that several processes may start together. Also creates the secret that signs page tokens. Throws if the
 * database contains a migration that this version does not know. `list` is for tests: the migrations of another version.
 */
export async function migrate(database: Database, list: typeof migrations = migrations): Promise<void> {
  await database.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${lockSpace.migrate}, 0)`
    await sql`create table if not exists migrations (name text primary key, applied_ts bigint not null)`
    const applied = new Set(
      (await sql<{ name: string }[]>`select name from migrations`).map((row) => row.name),
    )
    const known = new Set(list.map((migration) => migration.name))
    const foreign = [...applied].filter((name) => !known.has(name))
    if (foreign.length > 0) {
      throw new Error(
        `the database was written by a newer version (migration ${foreign.join(', ')} is unknown)`,
      )
    }
    for (const migration of list) {
      if (applied.has(migration.name)) continue
      await sql.unsafe(migration.sql)
      const now = Math.floor(Date.now() / 1000)
      await sql`insert into migrations (name, applied_ts) values (${migration.name}, ${now})`
    }
    await sql`
      insert into service (key, value) values ('token-secret', ${randomBytes(32).toString('hex')})
      on conflict (key) do nothing`
  })
}

/** The secret that signs page tokens, shared by every process on this database. */
export async function pageTokenSecret(database: Database): Promise<Buffer> {
  const [row] = await database<{ value: string }[]>`select value from service where key = 'token-secret'`
  if (!row) throw new Error('the database has no secret for page tokens: migrate first')
  return Buffer.from(row.value, 'hex')
}

/** The NOTIFY channel on which the indexer announces heads, reorgs and progress as JSON. */
export const liveChannel = 'ridgeline'
