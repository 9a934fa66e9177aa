import { z } from 'zod'
import { keyList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { bytes, named, readNamed, type NamedStatement, type Placeholders } from '../read.ts'
import { txPlace, type Order, type TxPlace } from '../primary/read-primary.ts'
import { netReward } from './read-validators.ts'
import { scannedPage, scannedRow, type ScannedPage } from './scan.ts'

const delegatorRow = txPlace.extend({
  tx_id: bytes,
  node: bytes,
  subnet: bytes,
  weight: z.string(),
  start_ts: z.bigint(),
  end_ts: z.bigint(),
  reward_addresses: z.array(bytes),
  /** In millionths. */
  shares: z.number(),
  gross: z.string().nullable(),
  net: z.string().nullable(),
  outcome: z.string().nullable(),
  status: z.enum(['completed', 'active', 'pending']),
})
/** A delegation with its validator's fee. Amounts are text. */
export type DelegatorRow = Readonly<z.output<typeof delegatorRow>>

type Name = keyof DelegatorFilter | 'chain' | 'time' | 'height' | 'index' | 'limit' | 'lookAt'
type Params = Placeholders<Name>

const byPlace = ($: Params, order: Order, narrowed: string): string => {
  const sort = `order by height ${order}, index ${order}`
  return `
  with scanned as materialized (
    select height, index, row_number() over (${sort}) as place,
      case when ended_ts is not null then 'completed' when start_ts > ${$.time} then 'pending' else 'active' end as status
    from (
      select * from stakers
      where chain = ${$.chain} and is_delegator and (height, index) ${order === 'asc' ? '>' : '<'} (${$.height}, ${$.index}) ${narrowed}
      ${sort} limit ${$.lookAt}) each
  ), page as (
    select * from scanned where ${$.status}::text is null or status = ${$.status} ${sort} limit ${$.limit}
  )
  select s.height, s.index, s.tx_id, s.node, s.subnet, s.weight, s.start_ts, s.end_ts, s.reward_addresses, s.outcome,
    page.status, v.shares, s.potential_reward as gross, (${netReward('s.potential_reward', 'v.shares')})::text as net,
    h.height as horizon_height, h.index as horizon_index
  from (values (1)) as one (row)
  left join (select height, index from scanned where place = ${$.lookAt}) h on true
  left join page on true
  left join lateral (
    select * from stakers where chain = ${$.chain} and height = page.height and index = page.index limit 1) s on true
  left join lateral (
    select coalesce(shares, 0) as shares from stakers where tx_id = s.validator_tx limit 1) v on true
  order by page.height ${order}, page.index ${order}`
}

const statements = new Map<string, NamedStatement<Name>>()

type DelegatorFilter = {
  readonly addresses: readonly Buffer[] | undefined
  readonly nodes: readonly Buffer[] | undefined
  readonly status: string | undefined
}

const joinedRow = scannedRow(delegatorRow)

/**
 * The delegations after a position whose reward goes to one of the addresses, at one of the nodes. Reads at
 * most `lookAt` delegations, but at least `limit`.
 */
export async function readDelegators(
  database: Queryable,
  chain: number,
  time: number,
  filter: DelegatorFilter,
  past: TxPlace,
  order: Order,
  limit: number,
  lookAt: number,
): Promise<ScannedPage<DelegatorRow>> {
  const { addresses, nodes, status } = filter
  const shape = [order, addresses !== undefined, nodes !== undefined].join(' ')
  let statement = statements.get(shape)
  if (statement === undefined) {
    statement = named(($: Params) => {
      const narrowed =
        (addresses ? `and reward_addresses && ${$.addresses}::text::bytea[] ` : '') +
        (nodes ? `and node = any(${$.nodes}::text::bytea[])` : '')
      return byPlace($, order, narrowed)
    })
    statements.set(shape, statement)
  }
  const joined = await readNamed(database, joinedRow, statement, {
    chain,
    time,
    addresses: addresses ? keyList(addresses) : null,
    nodes: nodes ? keyList(nodes) : null,
    status: status ?? null,
    height: past.height,
    index: past.index,
    limit,
    lookAt,
  })
  return scannedPage(joined)
}
