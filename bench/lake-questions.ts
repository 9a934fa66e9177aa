import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { rewardTypes } from '../contract/primary/fields.ts'
import { sqlExamples } from '../contract/sql/examples.ts'
import { primaryChainKey, type PrimaryNetwork } from '../server/primary/chains.ts'
import { eventMacros, eventTables } from '../server/sql/events.ts'
import { evmTableNames, sharedColumns, viewOf } from '../server/sql/tables.ts'
import type { Database } from '../server/store/database.ts'
import { median } from './support/report.ts'

/** Milliseconds of one question on both, medians of some rounds. */
export type QuestionTimes = {
  readonly question: string
  readonly lake: number
  readonly store: number
  readonly rows: number
}

const rounds = 5
const word = (column: string): string => `'0x' || encode(${column}, 'hex')`
const dayOf = `to_timestamp(b.ts - b.ts % 86400) at time zone 'UTC'`
const weekOf = `to_timestamp(b.ts - (b.ts + 259200) % 604800) at time zone 'UTC'`
const timed = 'transactions t join blocks b on b.chain = t.chain and b.number = t.number'
/** A topic with the zero address, or the address of a topic. */
const nobodyTopic = String.raw`'\x${'00'.repeat(32)}'::bytea`
const ofTopic = (topic: number): string => word(`substr(topic${topic}, 13)`)
const transfer = String.raw`topic0 = '\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'`
const approval = String.raw`topic0 = '\x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'`
const erc20 = `${transfer} and topic2 is not null and topic3 is null and length(data) = 32`

/**
 * The first eighteen of the questions of docs/sql.md, which ask of an EVM chain, as statements over the tables of
 * PostgreSQL. `c` is the chain. Balances are what the store keeps them for.
 */
const storeStatements = (c: number): readonly string[] => [
  `select ${dayOf} as day, count(*), count(*) filter (where t.status = 0)
   from ${timed} where t.chain = ${c} group by 1 order by 1`,
  `select ts % 86400 / 3600, 100 * avg(gas_used / gas_limit) from blocks where chain = ${c} group by 1 order by 1`,
  `select ${word('recipient')}, gas, n from (
     select recipient, sum(gas_used) as gas, count(*) as n from transactions
     where chain = ${c} and recipient is not null and length(input) > 0
     group by 1 order by 2 desc limit 10) r order by gas desc`,
  `select ${word('method')}, n, failed from (
     select substr(input, 1, 4) as method, count(*) as n, 100 * avg((status = 0)::int) as failed from transactions
     where chain = ${c} and length(input) >= 4 group by 1 order by 2 desc limit 10) r order by n desc`,
  `select ${word('sender')}, fees, n from (
     select sender, sum(gas_used * gas_price) / 1e18 as fees, count(*) as n from transactions where chain = ${c}
     group by 1 order by 2 desc limit 10) r order by fees desc`,
  `select ${dayOf} as day, percentile_cont(0.5) within group (order by t.gas_price / 1e9),
     percentile_cont(0.99) within group (order by t.gas_price / 1e9)
   from ${timed} where t.chain = ${c} group by 1 order by 1`,
  `with acts as (select t.sender, ${dayOf} as day from ${timed} where t.chain = ${c}),
   firsts as (select sender, min(day) as first_day from acts group by 1)
   select a.day, count(distinct a.sender), count(distinct a.sender) filter (where f.first_day = a.day)
   from acts a join firsts f using (sender) group by 1 order by 1`,
  `with weeks as (select distinct t.sender, ${weekOf} as week from ${timed} where t.chain = ${c})
   select a.week, count(*), count(b.sender), 100.0 * count(b.sender) / count(*)
   from weeks a left join weeks b on b.sender = a.sender and b.week = a.week + interval '7 days' group by 1 order by 1`,
  `with counted as (
     select sender, count(*) as n, ntile(10) over (order by count(*) desc) as tenth
     from transactions where chain = ${c} group by sender)
   select tenth, count(*), sum(n), 100.0 * sum(n) / sum(sum(n)) over () from counted group by 1 order by 1`,
  `select ${word('address')}, n, recipients from (
     select address, count(*) as n, count(distinct topic2) as recipients from logs where chain = ${c} and ${erc20}
     group by 1 order by 2 desc, 1 limit 10) r order by n desc, 1`,
  `with busiest as (
     select address from logs where chain = ${c} and ${erc20} group by 1 order by count(*) desc, 1 limit 1)
   select ${word('h.address')}, h.balance from holders h join busiest on busiest.address = h.token
   where h.chain = ${c} and h.kind = 20 and h.balance > 0 order by h.balance desc, h.address limit 10`,
  `select ${word('address')}, mints, burns from (
     select address, count(*) filter (where topic1 = ${nobodyTopic}) as mints,
       count(*) filter (where topic2 = ${nobodyTopic}) as burns
     from logs where chain = ${c} and ${erc20} group by 1) r
   where mints + burns > 0 order by mints + burns desc, address limit 10`,
  `select ${ofTopic(2)}, count(*), count(distinct topic1) from logs
   where chain = ${c} and ${approval} and topic2 is not null and topic3 is null and length(data) = 32
     and data >= ${String.raw`'\x${'00'.repeat(16)}80${'00'.repeat(15)}'::bytea`}
   group by topic2 order by 2 desc, 1 limit 10`,
  `select ${word('address')}, ${word('topic3')}, count(*) from logs
   where chain = ${c} and ${transfer} and topic3 is not null and length(data) = 0
   group by address, topic3 order by 3 desc, address, topic3 limit 10`,
  `select ${weekOf}, count(*), count(distinct t.origin)
   from contracts t join blocks b on b.chain = t.chain and b.number = t.number where t.chain = ${c} group by 1 order by 1`,
  `select ${word('recipient')}, n, callers from (
     select recipient, count(*) as n, count(distinct sender) as callers from calls
     where chain = ${c} and type in ('CALL', 'STATICCALL') and not reverted
     group by 1 order by 2 desc, 1 limit 10) r order by n desc, 1`,
  `select t.chain, count(*), count(distinct t.sender), 100 * avg((t.status = 0)::int)
   from ${timed} where b.ts > (select max(ts) from blocks) - 604800 group by 1 order by 1`,
  // The height as text, which is not compared: many pauses are equally long.
  `select 'block ' || number, to_timestamp(ts) at time zone 'UTC', ts - lag(ts) over (order by number) as seconds
   from blocks where chain = ${c} order by 3 desc nulls last limit 10`,
]

/** The last two, which ask of the P-chain. `p` is its key. */
const primaryStatements = (p: number): readonly string[] => [
  // The node as text, which is not compared.
  `select 'node ' || encode(v.node, 'hex'), round(v.weight / 1e9), round(sum(d.weight) / 1e9) as delegated, count(*)
   from stakers v join stakers d on d.validator_tx = v.tx_id and d.is_delegator
   where v.chain = ${p} and not v.is_delegator and v.ended_ts is null and d.ended_ts is null
   group by v.node, v.weight order by delegated desc, v.node limit 10`,
  `select date_trunc('month', to_timestamp(ts) at time zone 'UTC') as month,
     case type when 1 then 'VALIDATOR' when 2 then 'DELEGATOR' else 'VALIDATOR_FEE' end as type, count(*),
     round(sum(amount) / 1e9, 3)
   from rewards where chain = ${p} group by 1, 2 order by 1, 2`,
]

/**
 * Times the questions of docs/sql.md about an EVM chain with DuckDB on the files of a lake and with PostgreSQL on its
 * tables, one after the other. Throws if they answer differently.
 */
export async function timeQuestions(
  lake: string,
  chain: number,
  store: Database,
): Promise<readonly QuestionTimes[]> {
  const statements = storeStatements(chain).map((statement, place) => ({ place, statement }))
  return timeEach(await openLake(lake, chain), statements, store, chain)
}

/** Like `timeQuestions`, for those about the P-chain of a network; the lake is only of that. */
export async function timePrimaryQuestions(
  lake: string,
  network: PrimaryNetwork,
  store: Database,
): Promise<readonly QuestionTimes[]> {
  const first = storeStatements(0).length
  const statements = primaryStatements(primaryChainKey(network, 'p-chain')).map((statement, index) => ({
    place: first + index,
    statement,
  }))
  if (first + statements.length !== sqlExamples.length) throw new Error('a question has no statement')
  return timeEach(await openPrimaryLake(lake), statements, store)
}

async function timeEach(
  engine: DuckDBConnection,
  statements: readonly { readonly place: number; readonly statement: string }[],
  store: Database,
  chain?: number,
): Promise<readonly QuestionTimes[]> {
  const times: QuestionTimes[] = []
  try {
    for (const { place, statement } of statements) {
      const { question = '', sql = '' } = sqlExamples[place] ?? {}
      const [ofLake, ofStore]: [number[], number[]] = [[], []]
      let rows = 0
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now()
        const answer = (
          await engine.runAndReadAll(
            chain === undefined ? sql : sql.replaceAll('chain = 43113', `chain = ${chain}`),
          )
        ).getRowsJson()
        ofLake.push(performance.now() - began)
        const started = performance.now()
        const other = await store.unsafe(statement).values()
        ofStore.push(performance.now() - started)
        rows = other.length
        compare(question, answer, other)
      }
      times.push({ question, lake: median(ofLake), store: median(ofStore), rows })
    }
  } finally {
    engine.closeSync()
  }
  return times
}

/** The tables of the SQL page over a lake alone. */
async function openLake(lake: string, chain: number): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const table of evmTableNames) {
    const columns = sharedColumns(table).map(({ name, type }) => `"${name}" ${type}`)
    await connection.run(`create table live_${table} (chain BIGINT, ${columns.join(', ')})`)
    const files = `read_parquet('${lake}/${chain}/${table}/*.parquet')`
    await connection.run(viewOf(table, [{ chain, from: files }], `live_${table}`))
  }
  for (const statement of [...eventMacros, ...eventTables([]).map(({ view }) => view)])
    await connection.run(statement)
  return connection
}

/**
 * The tables that the last questions name, over the lake of a P-chain alone. The weight of a running stake that renews
 * itself is what its last finished period left.
 */
async function openPrimaryLake(lake: string): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const files = (table: string): string => `read_parquet('${lake}/P/${table}/*.parquet')`
  await connection.run(`
    create view stakers as
    select s.tx_id, s.node as node_id, s.is_delegator, s.validator_tx as validator_tx_id, e.ts as ended_time,
      coalesce(e.weight, c.weight, s.weight)::hugeint as weight
    from ${files('stakes')} s left join ${files('stake_ends')} e using (tx_id)
    left join (
      select staking_tx, arg_max(weight::hugeint + restaked::hugeint + restaked_delegation::hugeint, number) as weight
      from ${files('staking_cycles')} group by staking_tx) c on c.staking_tx = s.tx_id`)
  const names = rewardTypes.map((name, index) => `when ${index + 1} then '${name}'`).join(' ')
  await connection.run(`
    create view rewards as
    select make_timestamp(ts * 1000000) as time, case type ${names} end as type, amount::hugeint as amount
    from ${files('rewards')}`)
  return connection
}

/**
 * Both answers have as many rows and, column by column, the same numbers: rows of equal rank may differ in order, and
 * the engines round differently.
 */
function compare(
  question: string,
  left: readonly (readonly unknown[])[],
  right: readonly (readonly unknown[])[],
) {
  const numbers = (rows: readonly (readonly unknown[])[], column: number): number[] =>
    rows
      .map((row) => Number(row[column] ?? Number.NaN))
      .filter((value) => !Number.isNaN(value))
      .toSorted((one, other) => one - other)
  const isClose = (one: number, other: number | undefined): boolean =>
    other !== undefined && Math.abs(one - other) <= Math.max(0.06, Math.abs(one) * 1e-6)
  const width = left[0]?.length ?? 0
  for (let column = 0; column < width; column += 1) {
    const [ours, theirs] = [numbers(left, column), numbers(right, column)]
    const isText = [left, right].some((rows) => rows.every((row) => /^0x|[: ]/.test(String(row[column]))))
    if (
      isText ||
      (ours.length === theirs.length && ours.every((value, place) => isClose(value, theirs[place])))
    )
      continue
    throw new Error(
      `${question}: column ${column + 1} is ${ours.join(' ')}, and ${theirs.join(' ')} in PostgreSQL`,
    )
  }
  if (left.length !== right.length)
    throw new Error(`${question}: ${left.length} rows, and ${right.length} in PostgreSQL`)
}
