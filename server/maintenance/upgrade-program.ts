import { gigabytes } from './space.ts'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, type Database } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'
import { runProgram, say, type Given, type Program } from './program.ts'
import { planUpgrade, type PendingMigration } from './upgrade.ts'

const program: Program = {
  help: `ridgeline upgrade [--check]

Brings the schema of the database up to date, as every start of the service does: that of the home
(RIDGELINE_HOME), or the one of DATABASE_URL. All pending migrations or none are applied; reads go on
meanwhile. Stop the indexer first.
Exit code 0 when it is up to date, 1 otherwise, 2 for a setting that can't be used.

  --check  only say which migrations are pending, about how long they take, and how much disk they
           need
`,
  options: { check: { type: 'boolean', default: false } },
  takesWords: false,
  async run(given) {
    const { database, close } = await open(given)
    try {
      await upgrade(database, given)
    } finally {
      await close()
    }
  },
}

async function upgrade(database: Database, { home, databaseUrl, values }: Given): Promise<void> {
  const { applied, pending } = await planUpgrade(database)
  if (pending.length === 0) return say(`the database is up to date: ${applied} migrations are applied`)
  say(`${applied} migrations are applied, ${pending.length} are pending:`)
  for (const migration of pending) say(`  ${describe(migration)}`)
  const sum = (of: (migration: PendingMigration) => number): number =>
    pending.reduce((total, migration) => total + of(migration), 0)
  say(
    `together at most about ${duration(sum(({ seconds }) => seconds))} and ${gigabytes(sum(({ bytes }) => bytes))}`,
  )
  if (databaseUrl === undefined) {
    const { bavail, bsize } = await statfs(join(home))
    say(`${gigabytes(bavail * bsize)} are free`)
  }
  if (values['check'] === true)
    return say('a failed migration leaves the database as it is; make a backup first')
  const began = performance.now()
  await migrate(database, undefined, say)
  say(`the database is up to date, after ${duration((performance.now() - began) / 1000)}`)
}

function describe({ name, seconds, bytes, writes, indexes }: PendingMigration): string {
  const parts = [
    `${name}: at most about ${duration(seconds)}, ${gigabytes(bytes)}`,
    ...(writes.length > 0 ? [`writes ${writes.join(', ')}`] : []),
    ...(indexes.length > 0 ? [`indexes ${indexes.join(', ')}`] : []),
  ]
  return parts.join('; ')
}

/** Seconds for people. */
function duration(seconds: number): string {
  if (seconds < 1) return '1 s'
  if (seconds < 120) return `${Math.ceil(seconds)} s`
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

async function open({
  home,
  databaseUrl,
}: Given): Promise<{ database: Database; close: () => Promise<void> }> {
  const server = databaseUrl === undefined ? await startEmbeddedPostgres({ home, onNews: say }) : undefined
  const database = openDatabase(databaseUrl ?? server?.url ?? '', {
    max: 2,
    applicationName: 'ridgeline upgrade',
  })
  return {
    database,
    async close() {
      await database.end({ timeout: 5 })
      await server?.stop()
    },
  }
}

runProgram(program)
