import { existsSync } from 'node:fs'
import postgres from 'postgres'
import { Servers } from './servers.ts'

/** A pool of connections to the store. */
export type Database = postgres.Sql<{ bigint: bigint }>
/** A pool or an open transaction, on which queries run. */
export type Queryable = Database | postgres.TransactionSql<{ bigint: bigint }>

export type DatabaseOptions = {
  /** Connections of the pool. */
  max?: number
  /** Milliseconds after which the server cancels a statement; no limit if absent. */
  statementTimeout?: number
  /** The servers of the URL, shared by the pools that must use the same one. */
  servers?: Servers
  /** Shown by PostgreSQL's pg_stat_activity. */
  applicationName?: string
}

/** `numeric` is transferred as text, so that 256-bit amounts stay exact; `bigint` columns become BigInt. */
const types = { bigint: postgres.BigInt }

/** Milliseconds for which the statements of a replaced pool may still run. */
const drainTime = 30_000

/**
 * Opens a pool. `url` is a PostgreSQL URL, which may list several hosts (server/store/servers.ts); if its host is a
 * folder (`?host=/folder`), the unix socket in it is used. With `pgbouncer=true` nothing is sent that a pooler of
 * transactions refuses: no start-up parameter, no named statement.
 *
 * When a connection is lost, new statements get a new pool: the driver may wait forever on a connection that broke
 * during a write. When another server takes over, connections to the former one are closed.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const servers = options.servers ?? new Servers(url)
  const settings = {
    ...servers.login,
    max: options.max ?? 8,
    types,
    connect_timeout: 10,
    backoff: (retries: number) => Math.min(1, 0.02 * 2 ** retries),
    ...(servers.isPooler && { prepare: false }),
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName ?? 'ridgeline',
      TimeZone: 'UTC',
      ...(options.statementTimeout !== undefined &&
        !servers.isPooler && { statement_timeout: options.statementTimeout }),
    },
  }
  const connectOnce = (): Database => {
    let hasConnected = false
    let isClosed = false
    const shared = {
      ...settings,
      // The driver accepts a socket factory, which is missing in its types.
      socket: async () => {
        const socket = await servers.connect()
        socket.once('connect', () => (hasConnected = true))
        // The driver would use a connection that comes after the end of its pool.
        if (isClosed) socket.destroy()
        return socket
      },
      onclose: () => {
        if (hasConnected && pool === current) replace()
      },
    }
    const open = (more: { max_pipeline?: number }): Database =>
      postgres({ ...shared, ...more } as unknown as postgres.Options<typeof types>)
    // Statements queued behind a slow one are the slowest; another connection becomes free sooner.
    const statements = open({ max_pipeline: 1 })
    // With that limit, the driver may run a BEGIN without reserving the connection for the transaction.
    // Transactions therefore use a separate pool, which connects on first use.
    const transactions = open({})
    const end = statements.end
    const pool: Database = Object.assign(statements, {
      begin: transactions.begin,
      end: async (within?: { timeout?: number | undefined }) => {
        await Promise.all([end(within), transactions.end(within)])
        isClosed = true
      },
    })
    return pool
  }
  const replaced = new Map<Database, NodeJS.Timeout>()
  let hasEnded = false
  let current = connectOnce()
  const replace = (): void => {
    if (hasEnded) return
    const former = current
    current = connectOnce()
    const drained = setTimeout(() => {
      replaced.delete(former)
      former.end({ timeout: 5 }).catch(() => undefined)
    }, drainTime)
    replaced.set(former, drained.unref())
  }
  const endReplaced = async (within?: { timeout?: number | undefined }): Promise<void> => {
    const ending = [...replaced]
    replaced.clear()
    for (const [, timer] of ending) clearTimeout(timer)
    await Promise.all(ending.map(([pool]) => pool.end(within)))
  }
  const forget = servers.onChange(() => {
    replace()
    endReplaced({ timeout: 0 }).catch(() => undefined)
  })
  const end: Database['end'] = async (within) => {
    hasEnded = true
    forget()
    await Promise.all([current.end(within), endReplaced(within)])
  }
  return new Proxy(current, {
    apply: (_first, self, parameters) => Reflect.apply(current, self, parameters) as unknown,
    get: (_first, key) => {
      if (key === 'end') return end
      // Connections of others with these settings do not end with this pool.
      if (key === 'options') return { ...current.options, socket: () => servers.connect() }
      return Reflect.get(current, key) as unknown
    },
  })
}

/** The oldest version of PostgreSQL that the statements are written for, as `server_version_num` counts. */
const oldestVersion = { number: 150_000, name: '15' }

/** Throws if the server is too old, with its version, or if it is a pooler that the URL does not say. */
export async function requireVersion(database: Database): Promise<void> {
  const [row] = await database<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`.catch(
    (error: unknown) => {
      if (!/unsupported startup parameter/.test(String(error))) throw error
      throw new Error('the database URL leads to pgbouncer: add pgbouncer=true to it', { cause: error })
    },
  )
  const problem = row && versionProblem(row.number, row.name)
  if (problem !== undefined) throw new Error(problem)
}

/** Why a server of that version cannot be used; undefined if it can. */
export function versionProblem(number: number, name: string): string | undefined {
  if (number >= oldestVersion.number) return undefined
  return `the database server is PostgreSQL ${name}: Ridgeline needs version ${oldestVersion.name} or newer`
}

/** The time limit that the server sets for statements, as PostgreSQL writes it; '0' if there is none. */
export async function statementTimeoutOf(database: Database): Promise<string> {
  const [row] = await database<{ statement_timeout: string }[]>`show statement_timeout`
  return row?.statement_timeout ?? '0'
}

/** Whether PostgreSQL listens on a unix socket in `folder`. */
export function hasSocket(folder: string, port: number): boolean {
  return existsSync(`${folder}/.s.PGSQL.${port}`)
}

/** The first keys of advisory locks; the second is a chain, if there is one. */
export const lockSpace = {
  migrate: 7100,
  /** Held by the indexer of a chain. */
  indexer: 7101,
  /** Everything that changes a chain's rows: indexer, rewind. */
  write: 7102,
  /** The worker that asks a chain's node for facts of tokens. */
  facts: 7103,
  /** Imports into a chain of the primary network, and exports to it. */
  imports: 7104,
  /** Bulk loads beside the indexers. */
  bulkLoad: 7105,
  /** The worker that asks a chain's node for codes of contracts. */
  codes: 7106,
} as const

/** The secret that signs page tokens, shared by every process on this database. */
export async function pageTokenSecret(database: Database): Promise<Buffer> {
  const [row] = await database<{ value: string }[]>`select value from service where key = 'token-secret'`
  if (!row) throw new Error('the database has no secret for page tokens: migrate first')
  return Buffer.from(row.value, 'hex')
}

/** The NOTIFY channel on which the indexer announces heads, reorgs and progress as JSON. */
export const liveChannel = 'ridgeline'
