import { z } from 'zod'
import type { Queryable } from '../../database.ts'
import { read } from '../../read.ts'
import type { BlockRange } from '../read-blocks.ts'

/** Words that the topics of a log must be; undefined for any. */
type WantedTopics = readonly [Buffer | undefined, Buffer | undefined, Buffer | undefined, Buffer | undefined]

type Place = { readonly number: bigint; readonly index: number }

const log = z.strictObject({
  number: z.bigint(),
  index: z.number(),
  topics: z.array(z.string()),
  data: z.string(),
  isCut: z.boolean(),
  ts: z.number(),
  txHash: z.string(),
})
/** A log of a contract with its place; `isCut` if its data are longer than what is read of them. */
export type ContractLog = Readonly<z.output<typeof log>>

const row = z.strictObject({
  /** How many logs were looked at, and the last of them; null if there was none. */
  looked: z.number(),
  lastNumber: z.bigint().nullable(),
  lastIndex: z.number().nullable(),
  log: log.extend({ number: z.string().transform(BigInt) }).nullable(),
})

const statement = (maxBytes: number): string => `
  with looked as materialized (
    select number, index, tx_index, topic0, topic1, topic2, topic3, data from logs
    where chain = $1 and address = $2 and (number, index) < ($3, $4) and number >= $5 and number <= $3
    order by number desc, index desc limit $6),
  wanted as (
    select * from looked
    where ($8::bytea is null or topic0 = $8) and ($9::bytea is null or topic1 = $9)
      and ($10::bytea is null or topic2 = $10) and ($11::bytea is null or topic3 = $11)
    order by number desc, index desc limit $7),
  shown as (
    select l.number, l.index, json_build_object(
      'number', l.number::text, 'index', l.index,
      'topics', array_remove(array['0x' || encode(l.topic0, 'hex'), '0x' || encode(l.topic1, 'hex'),
        '0x' || encode(l.topic2, 'hex'), '0x' || encode(l.topic3, 'hex')], null),
      'data', '0x' || encode(substr(l.data, 1, ${maxBytes}), 'hex'), 'isCut', length(l.data) > ${maxBytes},
      'ts', b.ts, 'txHash', '0x' || encode(t.hash, 'hex')) as log
    from wanted l
    cross join lateral (select ts from blocks where chain = $1 and number = l.number limit 1) b
    cross join lateral (
      select hash from transactions where chain = $1 and number = l.number and index = l.tx_index limit 1) t)
  select (select count(*)::int from looked) as looked,
    (select number from looked order by number, index limit 1) as "lastNumber",
    (select index from looked order by number, index limit 1) as "lastIndex",
    shown.log
  from (select 1) one left join shown on true
  order by shown.number desc, shown.index desc`

/**
 * The logs of a contract before a place that have some topics, the latest first: at most `limit` among the next `lookAt`.
 * `horizon` is the last place that was looked at; undefined if there are no more. Of the data, at most `maxBytes` are read.
 */
export async function readContractLogs(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  range: BlockRange,
  topics: WantedTopics,
  after: Place,
  { limit, lookAt, maxBytes }: { readonly limit: number; readonly lookAt: number; readonly maxBytes: number },
): Promise<{ readonly rows: readonly ContractLog[]; readonly horizon: Place | undefined }> {
  const rows = await read(database, row, statement(maxBytes), [
    chain,
    address,
    after.number,
    after.index,
    range.from,
    lookAt,
    limit,
    ...topics.map((topic) => topic ?? null),
  ])
  const [first] = rows
  const isEnd = first === undefined || first.looked < lookAt
  const { lastNumber, lastIndex } = first ?? { lastNumber: null, lastIndex: null }
  return {
    rows: rows.flatMap((each) => each.log ?? []),
    horizon:
      isEnd || lastNumber === null || lastIndex === null
        ? undefined
        : { number: lastNumber, index: lastIndex },
  }
}
