import { listedCalls } from '../../store/evm/listed-calls.ts'
import { depositTopic, transferTopics, withdrawalTopic } from '../../store/evm/transfer-logs.ts'
import type { Part } from '../../store/partitions.ts'
import { literal } from '../literal.ts'
import { maxRanges } from '../../store/tokens/nft-ranges.ts'
import { hasItem, keyOrder, zero, type Fold } from './folds.ts'
import type { Columns } from './rows.ts'

/** A table of the ordered state: its columns behind `chain`, and the fold that it is read from. */
type StateTable = {
  readonly table: string
  readonly columns: Columns
  readonly fold?: Fold
  /** What follows `select … from`, in key order. `final` is the height up to which blocks are final. */
  source(final: number, parts: readonly Part[]): string
}

const topics = ['topic1', 'topic2', 'topic3'] as const
/** The address in a topic; null if it holds none. */
const addressIn = (topic: string): string =>
  `case when starts_with(${topic}, '0x${'0'.repeat(24)}') then '0x' || substr(${topic}, 27) end`

/** A deposit into a wrapper of the native token or a withdrawal, by its shape (server/store/evm/wraps.ts). */
const isWrap = `topic0 in (${[depositTopic, withdrawalTopic].map(literal).join(', ')})
  and topic1 is not null and topic2 is null and length(data) = 66 and ${addressIn('topic1')} is not null
  and ${addressIn('topic1')} <> ${zero}`

export const stateTables: readonly StateTable[] = [
  {
    table: 'seen',
    columns: { role: 'smallint', address: 'bytea', hour_ts: 'bigint', first_block: 'bigint' },
    fold: 'hours',
    // An hour that a later one replaced is kept only if a reorg may delete the later one.
    source: (final) => `(
      select role, address, hour as hour_ts, number as first_block from hours
      qualify coalesce(lead(number) over (partition by role, address order by hour) > ${final}, true))
      order by role, address, hour_ts`,
  },
  {
    table: 'balances',
    columns: {
      address: 'bytea',
      kind: 'smallint',
      token: 'bytea',
      token_id: 'numeric',
      number: 'bigint',
      balance: 'numeric',
    },
    fold: 'balances',
    source: () => `balances order by ${keyOrder}`,
  },
  {
    table: 'holders',
    columns: { token: 'bytea', kind: 'smallint', address: 'bytea', balance: 'numeric', peak: 'numeric' },
    fold: 'holders',
    source: () => 'holders order by token, kind, address',
  },
  {
    table: 'token_blocks',
    columns: {
      token: 'bytea',
      kind: 'smallint',
      number: 'bigint',
      supply: 'numeric',
      holders: 'bigint',
      cum_transfers: 'bigint',
    },
    fold: 'token_blocks',
    source: () => 'token_blocks order by token, kind, number',
  },
  {
    table: 'tokens',
    columns: {
      token: 'bytea',
      kind: 'smallint',
      first_block: 'bigint',
      holders: 'bigint',
      last_block: 'bigint',
      first_wrap: 'bigint',
    },
    fold: 'token_blocks',
    source: () => `(
      select token, kind, min(number) filter (where cum_transfers > 0) as first_block,
        arg_max(holders, number) as holders, max(number) as last_block, any_value(first_wrap) as first_wrap
      from token_blocks left join (
        select token, 20::smallint as kind, min(number) as first_wrap from wraps group by token) using (token, kind)
      group by token, kind)
      order by token, kind`,
  },
  {
    table: 'wrapper_candidates',
    columns: { token: 'bytea', first_block: 'bigint' },
    source: () => `(
      select address as token, min(number) as first_block
      from logs anti join (select distinct token as address from token_transfers where kind = 20) using (address)
      where ${isWrap} group by address)
      order by token`,
  },
  {
    table: 'nfts',
    columns: { token: 'bytea', kind: 'smallint', token_id: 'numeric', first_block: 'bigint' },
    fold: 'token_blocks',
    source: () => `(
      select token, kind, token_id, min(number) as first_block
      from token_transfers where ${hasItem} group by token, kind, token_id)
      order by token, kind, length(token_id), token_id`,
  },
  {
    table: 'nft_ranges',
    columns: {
      token: 'bytea',
      place: 'smallint',
      from_id: 'numeric',
      to_id: 'numeric',
      sender: 'bytea',
      recipient: 'bytea',
      number: 'bigint',
    },
    source: () => `(
      select token, (row_number() over (partition by token order by number, log_index) - 1)::smallint as place,
        token_id as from_id, (token_id::bignum + amount::bignum - 1::bignum)::varchar as to_id,
        sender, recipient, number
      from token_transfers where kind = 721 and amount <> '1'
      qualify place < ${maxRanges})
      order by token, place`,
  },
  {
    table: 'address_partitions',
    columns: { address: 'bytea', from_block: 'bigint' },
    source: (_, parts) => `(
      select distinct address, ${firstBlockOf(parts)} as from_block from (
        select unnest([sender, recipient, created]) as address, number from transactions
        union all select unnest([sender, recipient, token]), number from token_transfers
        union all select unnest([l.address, ${topics.map(addressIn).join(', ')}]), number
          from logs l anti join token_transfers t on t.number = l.number and t.log_index = l.index
          where topic0 in (${transferTopics.map(literal).join(', ')})
        union all select unnest([address, ${addressIn('topic1')}]), number from logs
          where ${isWrap}
        union all select unnest([sender, recipient]), number from calls
          where ${listedCalls("value <> '0'")}
        union all select unnest([address, deployer, origin]), number from contracts)
      where address is not null and address <> ${zero})
      order by address, from_block`,
  },
]

/** SQL for the first block of the partition of `number`: a search by halves. */
function firstBlockOf(parts: readonly Part[]): string {
  const middle = parts[Math.ceil(parts.length / 2)]
  if (!middle) return String(parts[0]?.from ?? 0n)
  const [below, above] = [parts.slice(0, parts.indexOf(middle)), parts.slice(parts.indexOf(middle))]
  return `case when number < ${middle.from} then ${firstBlockOf(below)} else ${firstBlockOf(above)} end`
}
