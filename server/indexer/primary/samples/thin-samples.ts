import type { Database, Queryable } from '../../../store/database.ts'

/** Seconds for which every sample is kept; of an older hour, only the last sample of each validation is. */
const keptWhole = 90 * 86_400
/** Rows that one transaction deletes at most, and such transactions of one call. */
const batchRows = 5_000
const batches = 20
/** The time that one transaction looks at, in seconds: whole hours, and in most cases fewer rows than a batch. */
const slice = 6 * 3_600

const hour = 3_600
const markOf = (chain: number): string => `uptime samples thinned ${chain}`

/**
 * Deletes samples of validators' uptimes that are older than 90 days and not the last of their hour. A call deletes a
 * bounded number, continues where the previous one stopped, and does nothing if no further hour has come of age.
 * `now` is in Unix seconds. Returns the number of deleted samples.
 */
export async function thinSamples(database: Database, chain: number, now: number): Promise<number> {
  const due = now - keptWhole - ((now - keptWhole) % hour)
  let mark = await readMark(database, chain)
  let deleted = 0
  for (let batch = 0; batch < batches && (mark === undefined || mark < due); batch += 1) {
    const from: number = mark ?? (await firstHour(database, chain)) ?? due
    const before = Math.min(from + slice, due)
    let gone = 0
    await database.begin(async (sql) => {
      gone = before > from ? await deleteBetween(sql, chain, from, before) : 0
      // A full batch may have left some of the slice: the next one begins with it again.
      if (gone < batchRows) await writeMark(sql, chain, before)
    })
    deleted += gone
    mark = gone < batchRows ? before : from
  }
  return deleted
}

async function readMark(database: Queryable, chain: number): Promise<number | undefined> {
  const [row] = await database<{ value: string }[]>`
    select value from service where key = ${markOf(chain)}`
  return row && Number(row.value)
}

async function writeMark(sql: Queryable, chain: number, mark: number): Promise<void> {
  await sql`
    insert into service (key, value) values (${markOf(chain)}, ${String(mark)})
    on conflict (key) do update set value = excluded.value`
}

/**
 * The validations that have samples. The table has thousands of samples of each and no list of them, so that this goes
 * from one to the next in the primary key.
 */
const validations = (sql: Queryable, chain: number) => sql`
  validations as (
    (select node, tx_id from uptime_samples where chain = ${chain} order by node, tx_id limit 1)
    union all
    select next.node, next.tx_id from validations v cross join lateral (
      select node, tx_id from uptime_samples
      where chain = ${chain} and (node, tx_id) > (v.node, v.tx_id) order by node, tx_id limit 1) next)`

/** The start of the hour of the oldest sample. */
async function firstHour(database: Queryable, chain: number): Promise<number | undefined> {
  const [row] = await database<{ ts: bigint | null }[]>`
    with recursive ${validations(database, chain)}
    select min(oldest.ts) as ts from validations v cross join lateral (
      select ts from uptime_samples
      where chain = ${chain} and node = v.node and tx_id = v.tx_id order by ts limit 1) oldest`
  if (row === undefined || row.ts === null) return undefined
  return Number(row.ts) - (Number(row.ts) % hour)
}

/**
 * Deletes all but the last sample of each hour and validation between two whole hours, at most a batch. Nothing else
 * changes the rows, so that their places in the table (ctid) stay what they are until the end of the statement.
 */
async function deleteBetween(sql: Queryable, chain: number, from: number, before: number): Promise<number> {
  const { count } = await sql`
    with recursive ${validations(sql, chain)}
    delete from uptime_samples where ctid = any(array(
      select s.place from validations v cross join lateral (
        select ctid as place, ts, lead(ts) over (order by ts) as next from uptime_samples
        where chain = ${chain} and node = v.node and tx_id = v.tx_id and ts >= ${from} and ts < ${before}) s
      where s.next < s.ts - s.ts % ${hour} + ${hour}
      limit ${batchRows}))`
  return count
}
