import { readTransfer, wrapOf } from '../../indexer/evm/tokens/transfers.ts'
import { depositTopic, transferBatchTopic, withdrawalTopic } from '../../store/evm/transfer-logs.ts'
import { literal } from '../literal.ts'
import type { Scratch } from './scratch.ts'

/**
 * The ordered state of a chain, folded from a lake by sort and merge. Each fold is a table of the scratch database.
 * Sums of amounts have no limit, and neither has DuckDB's type BIGNUM, but HUGEINT is several times as fast. So what
 * holds amounts is folded twice: in HUGEINT for the tokens whose sums provably fit, in BIGNUM for the others. A view
 * has the rows of both.
 */

export const zero = literal(`0x${'0'.repeat(40)}`)
/** The id that stands for a whole contract. */
const whole = literal('-1')
/** A movement of one id. A range of ERC-721 tokens has their number as its amount, and ends up in `nft_ranges`. */
export const hasItem = "(kind = 1155 or kind = 721 and amount = '1')"
/** The order of a balance's key. Ids are decimal text without leading zeros. */
export const keyOrder = `address, kind, token, token_id <> ${whole}, length(token_id), token_id, number`

/** The starts of the periods of an hour, as in server/indexer/evm/periods.ts. */
const starts = {
  hour: 'hour',
  day: 'hour - hour % 86400',
  week: 'hour - (hour + 259200) % 604800',
  month: "epoch(date_trunc('month', make_timestamp(hour * 1000000)))::bigint",
} as const

/** The `role` column of `seen`, by its name in `BlockAddresses`. */
const roles = { parties: 0, senders: 1, deployers: 2 } as const
export const roleNames = ['parties', 'senders', 'deployers'] as const
export const periodNames = ['ever', 'hour', 'day', 'week', 'month'] as const

/** The addresses of each role that are new at a block, as columns `parties_hour` and so on. */
const newAddresses = roleNames.flatMap((role) =>
  periodNames.map((period) => {
    const isNew = period === 'ever' ? 'last is null' : `(last is null or last < ${starts[period]})`
    return `count(*) filter (role = ${roles[role]} and ${isNew}) as ${role}_${period}`
  }),
)

const statement = (sql: string, of: readonly string[] = []) => ({
  of: of as readonly Fold[],
  make: (scratch: Scratch) => scratch.run(sql),
})

/** In what the amounts of some tokens are added up. `tokens` restricts rows of `token_transfers` to them. */
const widths = [
  { of: 'narrow', type: 'hugeint', tokens: 'anti join wide using (token)' },
  { of: 'wide', type: 'bignum', tokens: 'semi join wide using (token)' },
] as const

/** A fold with amounts: a table for each width, and a view of `columns` in which they are text. */
const amounts = (
  name: string,
  columns: string,
  fold: (width: (typeof widths)[number]) => string,
  before: readonly Fold[],
) => ({
  of: before,
  async make(scratch: Scratch) {
    for (const width of widths) await scratch.run(`create table ${name}_${width.of} as ${fold(width)}`)
    const rows = widths.map(({ of }) => `select ${columns} from ${name}_${of}`)
    await scratch.run(`create view ${name} as ${rows.join(' union all ')}`)
  },
})

export type Fold =
  | 'empty_batches'
  | 'wraps'
  | 'movements'
  | 'hours'
  | 'fresh'
  | 'made'
  | 'wide'
  | 'deltas'
  | 'balances'
  | 'holders'
  | 'token_blocks'

export const folds: Readonly<
  Record<Fold, { readonly of: readonly Fold[]; make(scratch: Scratch): Promise<void> }>
> = {
  /** The parties of batches of no item: they were active, but nothing moved. */
  empty_batches: { of: [], make: makeEmptyBatches },

  /**
   * The deposits into wrappers and withdrawals that count: those of contracts that are tokens, and that no transfer of the
   * same transaction tells of (`withoutCovered` in store/evm/wraps.ts).
   */
  wraps: { of: [], make: makeWraps },

  /**
   * What changes balances: transfers and wraps, in the order in which they change the supply. What a wrapper sends to
   * nobody is still wrapped, so its transfers from and to nobody are not in the supply.
   */
  movements: statement(
    `create view movements as
    select t.token, t.kind, t.number, sender, recipient, token_id, amount, false as is_wrap,
      f.token is null or (t.number, t.log_index) < (f.number, f.log_index) as in_supply
    from token_transfers t left join (
      select token, min(number) as number, arg_min(log_index, (number, log_index)) as log_index
      from wraps group by token) f on f.token = t.token and t.kind = 20
    union all select token, 20::smallint, number, sender, recipient, null, amount, true, true from wraps`,
    ['wraps'],
  ),

  /** The hours in which an address was active in a role, with the first block of each. */
  hours: statement(
    `create table hours as
    select role, address, ts - ts % 3600 as hour, min(number) as number
    from (
      select unnest([0, 1])::smallint as role, sender as address, ts, number from transactions
      union all select 0, recipient, ts, number from transactions where recipient is not null
      union all select unnest([0, 1]), sender, ts, number from token_transfers
      union all select 0, recipient, ts, number from token_transfers
      union all select unnest([0, 1]), sender, ts, number from empty_batches
      union all select 0, recipient, ts, number from empty_batches
      union all select 2, deployer, ts, number from contracts)
    where address <> ${zero}
    group by all`,
    ['empty_batches'],
  ),

  /** The number of new addresses of each block that has any. */
  fresh: statement(
    `create table fresh as
    select number, ${newAddresses.join(', ')}
    from (select *, lag(hour) over (partition by role, address order by hour) as last from hours)
    group by number`,
    ['hours'],
  ),

  /** The number of contracts that each block created. */
  made: statement('create table made as select number, count(*) as contracts from contracts group by number'),

  /**
   * The tokens whose sums may not fit HUGEINT. No sum exceeds the number of transfers times the largest amount, which
   * is below 10^37 for the others; HUGEINT holds 1.7 * 10^38.
   */
  wide: statement(
    `create table wide as select token from movements
    group by token having max(length(amount)) + length(count(*)::varchar) > 37`,
    ['movements'],
  ),

  /** What a block added to each balance, the zero address's among them: its loss is a token's supply. */
  deltas: amounts(
    'deltas',
    'address, kind, token, token_id, number, delta::varchar as delta',
    ({ type, tokens }) => `
    select address, kind, token, token_id, number, sum(delta) as delta
    from (
      select unnest([sender, recipient]) as address, kind, token,
        unnest([-amount::${type}, amount::${type}]) as delta, number, id as token_id, in_supply
      from (
        select *, unnest(case when ${hasItem} then [${whole}, token_id] else [${whole}] end) as id
        from movements ${tokens} where amount <> '0' and sender <> recipient))
    where address <> ${zero} or in_supply
    group by address, kind, token, token_id, number
    having sum(delta) <> 0::${type}`,
    ['wide'],
  ),

  /** Every balance after each block that changed it. */
  balances: amounts(
    'balances',
    'address, kind, token, token_id, number, balance::varchar as balance',
    ({ of }) => `
    select *, sum(delta) over (
      partition by address, kind, token, token_id order by number rows unbounded preceding) as balance
    from deltas_${of} where address <> ${zero}`,
    ['deltas'],
  ),

  holders: amounts(
    'holders',
    'token, kind, address, balance::varchar as balance, peak::varchar as peak',
    ({ of }) => `
    select token, kind, address, arg_max(balance, number) as balance, max(balance) as peak
    from balances_${of} where token_id = ${whole} group by token, kind, address`,
    ['balances'],
  ),

  /** The totals of a token after each block in which it moved. */
  token_blocks: amounts(
    'token_blocks',
    'token, kind, number, supply::varchar as supply, holders, cum_transfers',
    ({ of, type, tokens }) => `
    select token, kind, number,
      coalesce(sum(supply) over up_to, 0::${type}) as supply,
      coalesce(sum(holders) over up_to, 0)::bigint as holders,
      (sum(transfers) over up_to)::bigint as cum_transfers
    from (
      select token, kind, number, count(*) filter (where not is_wrap) as transfers
      from movements ${tokens} group by all)
    left join (
      select token, kind, number, sum((balance > 0::${type})::int - (coalesce(before, 0::${type}) > 0::${type})::int) as holders
      from (
        select *, lag(balance) over (partition by token, kind, address order by number) as before
        from balances_${of} where token_id = ${whole})
      group by all) using (token, kind, number)
    left join (
      select token, kind, number, -delta as supply
      from deltas_${of} where token_id = ${whole} and address = ${zero}) using (token, kind, number)
    window up_to as (partition by token, kind order by number rows unbounded preceding)`,
    ['balances'],
  ),
}

async function makeWraps(scratch: Scratch): Promise<void> {
  await scratch.run(
    'create table found_wraps (number bigint, tx_index integer, log_index integer, token varchar, sender varchar, recipient varchar, amount varchar)',
  )
  const wrapped = `
    select number, tx_index, "index", address, topic0, topic1, data
    from logs semi join (select distinct token as address from token_transfers where kind = 20) using (address)
    where topic0 in (${literal(depositTopic)}, ${literal(withdrawalTopic)})
      and topic1 is not null and topic2 is null and length(data) = 66`
  for await (const { columns, rows } of scratch.read(wrapped)) {
    const values: string[] = []
    for (let row = 0; row < rows; row += 1) {
      const [number, txIndex, index, token, ...texts] = columns.map((column) => String(column[row]))
      const wrap = wrapOf(String(token), texts.slice(0, 2), String(texts[2]))
      if (!wrap) continue
      const [moved] = wrap.moved
      const names = [wrap.token, wrap.from, wrap.to, `${moved?.value ?? 0n}`].map(literal)
      values.push(`(${number}, ${txIndex}, ${index}, ${names.join(', ')})`)
    }
    if (values.length > 0) await scratch.run(`insert into found_wraps values ${values.join(', ')}`)
  }
  await scratch.run(`
    create table wraps as
    select w.*, case sender when ${zero} then recipient else sender end as account from found_wraps w
    where not exists (
      select 1 from token_transfers t
      where t.number = w.number and t.tx_index = w.tx_index and t.token = w.token and t.kind = 20
        and (t.sender in (${zero}, w.token) and t.recipient = case w.sender when ${zero} then w.recipient else w.sender end
          or t.recipient in (${zero}, w.token)
            and t.sender = case w.sender when ${zero} then w.recipient else w.sender end))`)
}

async function makeEmptyBatches(scratch: Scratch): Promise<void> {
  await scratch.run(
    'create table empty_batches (number bigint, ts bigint, sender varchar, recipient varchar)',
  )
  const unmoved = `
    select number, ts, topic0, topic1, topic2, topic3, data
    from logs l anti join token_transfers t on t.number = l.number and t.log_index = l.index
    where topic0 = ${literal(transferBatchTopic)}`
  for await (const { columns, rows } of scratch.read(unmoved)) {
    const values: string[] = []
    for (let row = 0; row < rows; row += 1) {
      const [number, ts, ...texts] = columns.map((column) => column[row])
      const data = String(texts.pop())
      const topics = texts.filter((topic) => topic !== null).map(String)
      const parties = readTransfer(topics, data)
      if (typeof parties !== 'object') continue
      values.push(`(${String(number)}, ${String(ts)}, ${literal(parties.from)}, ${literal(parties.to)})`)
    }
    if (values.length > 0) await scratch.run(`insert into empty_batches values ${values.join(', ')}`)
  }
}
