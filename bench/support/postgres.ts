import { createHash } from 'node:crypto'
import { type Database, openDatabase } from '../../server/store/database.ts'
import { migrate } from '../../server/store/schema/migrate.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/store/embedded-postgres.ts'
import { migrations } from '../../server/store/schema/migrations.ts'
import { endLater } from './endings.ts'
import { cacheFolder, say } from './paths.ts'

/**
 * Similar to the service's name, so that a second run detects that the server is in use and does not stop it.
 */
const applicationName = 'ridgeline bench'

/** A separate PostgreSQL server for the benchmarks, configured like the service's embedded one. */
export type BenchPostgres = {
  /** The URL of one of its databases. */
  urlOf(name: string): string
  has(name: string): Promise<boolean>
  /** Creates an empty, migrated database; an existing one of the same name is dropped. */
  create(name: string): Promise<void>
  /**
   * The URL of a database with generated rows, which later runs reuse: `fill` runs once per name and schema.
   * `what` describes the rows.
   */
  filled(name: string, what: string, fill: (database: Database) => Promise<void>): Promise<string>
  /** Copies what `filled` made under a name; a database of the new name is dropped. */
  copy(filled: string, name: string): Promise<void>
  drop(name: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the server; its data stay below `.cache/bench`. With another folder it is a server of its own, which keeps the
 * given settings.
 */
export async function startBenchPostgres(
  folder = 'postgres',
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchPostgres> {
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ home: cacheFolder(folder), onNews: say })
  let server = await start()
  if (server.shared) throw new Error('another run of the benchmarks uses its database: one at a time')
  if (Object.keys(settings).length > 0) {
    await withDatabase(server.url, async (sql) => {
      for (const [name, value] of Object.entries(settings))
        await sql.unsafe(`alter system set ${name} = '${value}'`)
    })
    await server.stop()
    server = await start()
  }
  const admin = openDatabase(server.url, { max: 1, applicationName })
  // Connects now, because a second run counts connections.
  await admin`select 1`
  const urlOf = (name: string): string => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }
  const drop = async (name: string): Promise<void> => {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
  }
  const has = async (name: string): Promise<boolean> => {
    const rows = await admin`select 1 from pg_database where datname = ${name}`
    return rows.length > 0
  }
  const create = async (name: string): Promise<void> => {
    await drop(name)
    await admin.unsafe(`create database ${name}`)
    await withDatabase(urlOf(name), migrate)
  }
  return {
    urlOf,
    drop,
    has,
    create,
    async filled(name, what, fill) {
      const database = `${name}_${schemaVersion()}`
      if (await has(database)) return urlOf(database)
      say(`generating ${what}, once …`)
      const began = performance.now()
      await create('unfinished')
      await withDatabase(urlOf('unfinished'), fill)
      await admin.unsafe(`alter database unfinished rename to ${database}`)
      say(`took ${Math.round((performance.now() - began) / 1_000)} s`)
      return urlOf(database)
    },
    async copy(filled, name) {
      await drop(name)
      await admin.unsafe(`create database ${name} template ${filled}_${schemaVersion()}`)
    },
    stop: endLater(async () => {
      await admin.end({ timeout: 2 })
      await server.stop()
    }),
  }
}

/** Runs an action on the benchmarks' server, which ends after it. */
export async function withPostgres<T>(action: (postgres: BenchPostgres) => Promise<T>): Promise<T> {
  const postgres = await startBenchPostgres()
  try {
    return await action(postgres)
  } finally {
    await postgres.stop()
  }
}

/** Runs an action on one connection of its own. */
export async function withDatabase<T>(url: string, action: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url, { max: 1, applicationName })
  try {
    return await action(database)
  } finally {
    await database.end({ timeout: 2 })
  }
}

/** A version of the schema: rows from an earlier run are reused only with the same version. */
function schemaVersion(): string {
  const hash = createHash('sha256')
  for (const migration of migrations) hash.update(JSON.stringify(migration))
  return hash.digest('hex').slice(0, 8)
}
