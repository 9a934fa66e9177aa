import { watchRuleKinds } from '../contract/watch/rule-kinds.ts'
import { openDatabase, type Database } from '../server/store/database.ts'
import { StoreSession } from '../server/store/session.ts'
import { idFrom } from '../server/watch/ids.ts'
import { consistent, lockChain } from '../server/watch/run.ts'
import { WatchRunner } from '../server/watch/runner.ts'
import { type Anchor, bareStatement, latencyFigures } from './support/latency.ts'
import { endLater } from './support/endings.ts'
import { say } from './support/paths.ts'
import { withPostgres } from './support/postgres.ts'
import { fillPrimaryRows, primaryHeights, primaryRowsVersion, running, timeOf } from './rows/primary-rows.ts'
import type { Report } from './support/report.ts'

const nodes = 500
const rounds = 120
const warming = 12
/** Blocks whose proposers are known: every validator has proposed some. */
const proposed = 20_000
/** Seconds between rounds, as configured by default. */
const roundSeconds = 10
const fleet = idFrom('fleet', 'bench')
/** What a validator's owner may have rules of; those of L1s have no subjects among these nodes. */
const kinds = watchRuleKinds.filter(
  ({ scope, subject }) => (scope === 'fleet' && subject === 'node') || subject === 'network',
)

/** A network of 3,000 validators, 500 of which are in a fleet with every kind of rule. */
async function fillWatchRows(sql: Database): Promise<void> {
  await fillPrimaryRows(sql)
  const head = timeOf(primaryHeights)
  await sql.unsafe(`
    update primary_blocks set proposer_node = node
    from (select row_number() over () as n, node from stakers where not is_delegator and ended_ts is null) each
    where height > ${primaryHeights - proposed} and height % ${running.validators} + 1 = n;
    insert into watch_fleets values ('${fleet}', 11, 'Bench', '', 'token', ${head});
    insert into watch_members
    select 11, '${fleet}', node, 'node ' || n, n, ${head}
    from (
      select row_number() over (order by tx_id) as n, node from stakers
      where not is_delegator and ended_ts is null order by tx_id limit ${nodes}) each`)
  for (const { kind, threshold, hysteresis, defaultSamples, defaultSeverity, scope } of kinds)
    await sql`
      insert into watch_rules (rule, chain, fleet, kind, name, threshold, hysteresis, samples, severity, repeat_seconds,
        channels, enabled, revision, created_ts, updated_ts)
      values (${idFrom('rule', kind)}, ${scope === 'fleet' ? 11 : null}, ${scope === 'fleet' ? fleet : null}, ${kind},
        ${kind}, ${threshold?.default ?? null}, ${hysteresis?.default ?? 0}, ${defaultSamples}, ${defaultSeverity}, 0,
        '{}', true, 1, ${head}, ${head})`
}

/** The node answers: every validator has a slightly different uptime, and one in a hundred is away, another each time. */
const poll = (sql: Database, now: number, number: number): Promise<unknown> =>
  sql.begin(async (inside) => {
    await inside`
      insert into uptime_samples (chain, node, tx_id, ts, uptime, connected)
      select 11, node, tx_id, ${now}, 80 + n % 20 + (${number} % 10)::real / 100, (n + ${number}) % 100 > 0
      from (select row_number() over () as n, node, tx_id from stakers where not is_delegator and ended_ts is null) each`
    await inside`
      insert into watch_polls (chain, polls, ts, validators, connected)
      values (11, 1, ${now}, ${running.validators}, ${running.validators})
      on conflict (chain) do update set polls = watch_polls.polls + 1, ts = excluded.ts`
    await inside`update primary_chains set node_height = ${primaryHeights}, node_seen_ts = ${now} where chain = 11`
  })

/** Measures rounds of the watch over a fleet of 500 nodes with every kind of rule for nodes. */
export async function runWatchBench(): Promise<Report> {
  return withPostgres(async (postgres) => {
    const url = await postgres.filled(`watch_${primaryRowsVersion}`, 'a fleet of 500 nodes', fillWatchRows)
    const database = openDatabase(url, { max: 3, applicationName: 'ridgeline bench' })
    const abort = new AbortController()
    const session = new StoreSession(database, lockChain, abort.signal, 'the watch')
    const end = endLater(async () => {
      abort.abort()
      await session.close()
      await database.end({ timeout: 2 })
    })
    try {
      say(`${rounds} rounds …`)
      return report(
        await timeRounds(database, session),
        await bareStatement(url, 'newest samples', newestSamples),
      )
    } finally {
      await end()
    }
  })
}

type Times = { readonly rounds: readonly number[]; readonly cpu: number; readonly opened: number }

async function timeRounds(database: Database, session: StoreSession): Promise<Times> {
  await database`truncate watch_states, watch_alarms, watch_rounds, watch_outbox, watch_polls cascade`
  let now = timeOf(primaryHeights)
  await database`delete from uptime_samples where ts > ${now}`
  const runner = new WatchRunner({
    watched: {
      networks: [{ id: 'fuji', sampleSeconds: 15 }],
      chains: [],
    },
    clock: () => now,
    monotonic: () => performance.now(),
    diskFree: async () => 50,
    keepDays: 40,
  })
  const times: number[] = []
  let opened = 0
  let cpu = 0
  for (let number = 0; number < warming + rounds; number += 1) {
    now += roundSeconds
    // A sample is taken every 15 s, a round made every 10.
    if (number % 3 !== 1) await poll(database, now, number)
    const began = process.cpuUsage()
    const done = await runner.round(consistent(session))
    opened += done.opened
    if (number < warming) continue
    const { user, system } = process.cpuUsage(began)
    cpu += (user + system) / 1_000 / rounds
    times.push(done.milliseconds)
  }
  return { rounds: times, cpu, opened }
}

const newestSamples = `
  select m.id, s.ts, s.uptime, s.connected from watch_members m
  join stakers v on v.chain = 11 and v.node = m.id and not v.is_delegator and v.ended_ts is null
  join latest_samples s on s.chain = 11 and s.tx_id = v.tx_id where m.fleet = '${fleet}'`

function report({ rounds: times, cpu, opened }: Times, anchor: Anchor): Report {
  return {
    title: `Watch: a round over ${nodes} nodes with ${kinds.length} rules`,
    figures: [
      ...latencyFigures('a round', times, anchor, 50),
      { name: 'processor time of the service, a round', value: cpu, unit: 'ms' },
    ],
    notes: [
      `${rounds} rounds, in which ${opened.toLocaleString('en')} alarms opened. Anchor: the newest samples of the members by ` +
        'one statement. A round reads, judges and stores; the node is not asked in it.',
    ],
  }
}
