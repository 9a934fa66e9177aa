import type { Queryable } from '../database.ts'
import { read } from '../read.ts'
import { bytesList, type Order, type TxPlace } from '../primary/read-primary.ts'
import { netReward } from './read-validators.ts'

/** A delegation with the fee of its validator. Amounts are text. */
export type DelegatorRow = TxPlace & {
  readonly tx_id: Buffer
  readonly node: Buffer
  readonly subnet: Buffer
  readonly weight: string
  readonly start_ts: bigint
  readonly end_ts: bigint
  readonly reward_addresses: readonly Buffer[]
  /** Millionths. */
  readonly shares: number
  readonly gross: string | null
  readonly net: string | null
  readonly outcome: string | null
  readonly status: 'completed' | 'active' | 'pending'
}

// $1 chain, $2 chain time, $3 and $4 the place, $5 status, $6 addresses, $7 nodes, $8 limit, $9 looked at.
const statement = (order: Order, narrowed: string): string => {
  const sort = `order by height ${order}, index ${order}`
  return `
  with scanned as materialized (
    select height, index, row_number() over (${sort}) as place,
      case when ended_ts is not null then 'completed' when start_ts > $2 then 'pending' else 'active' end as status
    from (
      select * from stakers
      where chain = $1 and is_delegator and (height, index) ${order === 'asc' ? '>' : '<'} ($3, $4) ${narrowed}
      ${sort} limit $9) each
  ), page as (
    select * from scanned where $5::text is null or status = $5 ${sort} limit $8
  )
  select s.height, s.index, s.tx_id, s.node, s.subnet, s.weight, s.start_ts, s.end_ts, s.reward_addresses, s.outcome,
    page.status, v.shares, s.potential_reward as gross, (${netReward('s.potential_reward', 'v.shares')})::text as net,
    h.height as horizon_height, h.index as horizon_index
  from (values (1)) as one (row)
  left join (select height, index from scanned where place = $9) h on true
  left join page on true
  left join lateral (
    select * from stakers where chain = $1 and height = page.height and index = page.index limit 1) s on true
  left join lateral (
    select coalesce(shares, 0) as shares from stakers where tx_id = s.validator_tx limit 1) v on true
  order by page.height ${order}, page.index ${order}`
}

const statements = new Map<string, string>()

export type DelegatorFilter = {
  readonly addresses: readonly Buffer[] | undefined
  readonly nodes: readonly Buffer[] | undefined
  readonly status: string | undefined
}

/** A page of delegations; `horizon` is where the walk goes on when it has not looked at everything. */
export type DelegatorPage = {
  readonly rows: readonly DelegatorRow[]
  readonly horizon: TxPlace | undefined
}

type JoinedRow = DelegatorRow & {
  readonly horizon_height: bigint | null
  readonly horizon_index: number | null
}

/**
 * The delegations past a place whose reward goes to one of the addresses, at one of the nodes. At most `lookAt`
 * are looked at, no less than `limit`.
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
): Promise<DelegatorPage> {
  const { addresses, nodes, status } = filter
  const shape = [order, addresses !== undefined, nodes !== undefined].join(' ')
  let text = statements.get(shape)
  if (text === undefined) {
    text = statement(
      order,
      (addresses ? 'and reward_addresses && $6::text::bytea[] ' : 'and $6::text is null ') +
        (nodes ? 'and node = any($7::text::bytea[])' : 'and $7::text is null'),
    )
    statements.set(shape, text)
  }
  const rows = await read<JoinedRow>(database, text, [
    chain,
    time,
    past.height,
    past.index,
    status ?? null,
    addresses ? bytesList(addresses) : null,
    nodes ? bytesList(nodes) : null,
    limit,
    lookAt,
  ])
  const [first] = rows
  return {
    rows: rows.filter((row) => row.height !== null),
    horizon:
      first?.horizon_height == null || first.horizon_index === null
        ? undefined
        : { height: first.horizon_height, index: first.horizon_index },
  }
}
