import { SettingsError } from '../kernel/settings/config.ts'
import { openDatabase, requireVersion, type Database } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import {
  distributedTables,
  distributeTables,
  placeChain,
  readPlace,
  readWorkers,
} from '../store/distribution.ts'
import { runProgram, say, type Program } from './program.ts'

const program: Program = {
  help: `ridgeline database distribute

Distributes the tables of EVM chains over the servers of a Citus cluster, whose coordinator DATABASE_URL
names: every row of a chain is on one server. Stop the service first. May be repeated: what is distributed
is left alone, and what an earlier run has not reached is done. See docs/citus.md.
Exit code 0 when all is distributed, 1 otherwise, 2 for a setting that can't be used.
`,
  options: {},
  async run({ words, databaseUrl }) {
    if (words.length !== 1 || words[0] !== 'distribute')
      throw new SettingsError([`got ${JSON.stringify(words.join(' '))}; allowed: distribute`])
    if (databaseUrl === undefined)
      throw new SettingsError([
        'DATABASE_URL: is missing; allowed: the URL of the coordinator of a Citus cluster, because the PostgreSQL that ' +
          'comes with Ridgeline is one server without Citus',
      ])
    const database = openDatabase(databaseUrl, { max: 2, applicationName: ownName })
    try {
      await distribute(database)
    } finally {
      await database.end({ timeout: 5 })
    }
  },
}

const ownName = 'ridgeline database'

async function distribute(database: Database): Promise<void> {
  await requireVersion(database)
  await requireCluster(database)
  await requireQuiet(database)
  await migrate(database)
  const done = await distributeTables(database, (table) => say(`distributing ${table} …`))
  if (done.length > 0) await database.unsafe(`analyze ${distributedTables.join(', ')}`)
  say(
    done.length > 0
      ? `${done.length} tables are distributed by chain`
      : `all ${distributedTables.length} tables are distributed already`,
  )
  for (const chain of await chainsBySize(database)) {
    const before = await readPlace(database, chain)
    const server = await placeChain(database, chain)
    say(
      before === undefined
        ? `chain ${chain} is on ${server}, in a shard of its own`
        : `chain ${chain} stays on ${server}`,
    )
  }
  say(
    'on the coordinator stay: P-, X- and C-Chain of the primary network, whose ids are unique across chains and whose ' +
      'triggers write to other tables; the watch; the words of names; and the tables of the service itself',
  )
}

/** Throws if the server is not a coordinator of a cluster with workers. */
async function requireCluster(database: Database): Promise<void> {
  const [row] = await database<{ version: string | null }[]>`
    select (select extversion from pg_extension where extname = 'citus') as version`
  if (row?.version == null)
    throw new Error(
      'the database has no Citus: install it on every server, add it to shared_preload_libraries, and run ' +
        '"create extension citus" in this database on each',
    )
  const workers = await readWorkers(database)
  if (workers.length === 0)
    throw new Error('the cluster has no workers: run "select citus_add_node(host, port)" for each')
  say(
    `Citus ${row.version} with ${workers.length} servers for chains: ${workers.map(({ name }) => name).join(', ')}`,
  )
}

/** Throws if a service uses the database: it would go on with statements for one server. */
async function requireQuiet(database: Database): Promise<void> {
  const users = await database<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'ridgeline%' and application_name <> ${ownName}`
  if (users.length > 0)
    throw new Error(
      `the database is in use (${users.map(({ name }) => name).join(', ')}): stop every process of the service first`,
    )
}

/** The chains, those with the most transactions first, so that they are spread evenly. */
async function chainsBySize(database: Database): Promise<bigint[]> {
  const rows = await database<{ chain: bigint }[]>`
    select c.chain from chains c
    left join (select chain, max(cum_txs) as txs from blocks group by chain) b on b.chain = c.chain
    order by b.txs desc nulls last, c.chain`
  return rows.map(({ chain }) => chain)
}

runProgram(program)
