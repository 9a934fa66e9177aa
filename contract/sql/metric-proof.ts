import { metricEntry, type MetricKind, type MetricName } from '../metrics/catalogue.ts'
import { periodEnd, periodStart, type TimeInterval } from '../metrics/intervals.ts'

/** The point that is counted: of a chain, at a time, as of its block `head`. */
type ProvenPoint = {
  readonly metric: MetricName
  readonly chainId: string
  readonly interval: TimeInterval
  /** Any time of the period, Unix seconds. */
  readonly time: number
  readonly head: number
}

/**
 * How a value is counted from rows. `rows` selects them with `place`, by which they are ordered, the columns of
 * `form`, and others that `amount` and `per` add up: the value is one divided by the other.
 */
type Count = {
  readonly rows: string
  /** The columns that identify a row and give it its part of the value, in the canonical form. */
  readonly form: readonly string[]
  readonly amount: string
  readonly per?: string
  /** The blocks that are counted, if not those of the period. */
  readonly span?: string
}

/** A statement, and the columns of a row in the canonical form. */
export type Statement = { readonly sql: string; readonly rowForm: string }

const zero = `0x${'0'.repeat(40)}`
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const warp = '0x0200000000000000000000000000000000000005'
const warpTopic = '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d'
const messenger = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf'
const receivedTopic = '0x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34'

const word = (value: number): string => value.toString(16).padStart(64, '0')
/** The data of a batch with two empty lists, as compilers encode it: it moves nothing, and names its parties. */
const emptyBatch = `0x${word(64)}${word(96)}${word(0)}${word(0)}`

/** Conditions on the blocks of a point, for a table's alias or none. */
type Blocks = {
  /** Blocks from the period's start to before its end. */
  readonly period: string
  readonly untilEnd: string
  readonly untilStart: string
}

const transactions = (where: string, ...columns: string[]): Pick<Count, 'rows' | 'form'> => ({
  rows: `select row(number, "index") as place, number, "index", hash${columns.map((name) => `, ${name}`).join('')}
  from transactions where ${where}`,
  form: ['number', '"index"', 'hash', ...columns],
})

/** Transactions with the base fee of their block. */
const priced = (where: string): Pick<Count, 'rows' | 'form'> => ({
  rows: `select row(number, "index") as place, number, "index", hash, gas_used, gas_price, coalesce(base_fee, 0) as base_fee
  from transactions join (select chain, number, base_fee from blocks) using (chain, number) where ${where}`,
  form: ['number', '"index"', 'hash', 'gas_used', 'gas_price', 'base_fee'],
})

const creations = (where: string): Pick<Count, 'rows' | 'form'> => ({
  rows: `select row(number, tx_index, ordinal) as place, number, tx_index, ordinal, address
  from contracts where ${where}`,
  form: ['number', 'tx_index', 'ordinal', 'address'],
})

const transfers = (where: string): Pick<Count, 'rows' | 'form'> => ({
  rows: `select row(number, log_index, position) as place, number, log_index, position, token
  from token_transfers where ${where}`,
  form: ['number', 'log_index', 'position', 'token'],
})

const logs = (where: string, ...columns: string[]): Pick<Count, 'rows' | 'form'> => ({
  rows: `select row(number, "index") as place, number, "index"${columns.map((name) => `, ${name}`).join('')}
  from logs where ${where}`,
  form: ['number', '"index"', ...columns],
})

/** The distinct addresses of some selects, without the zero address, which acts for nobody. */
const addresses = (...selects: string[]): Pick<Count, 'rows' | 'form' | 'amount'> => ({
  rows: `select distinct address as place, address from (
    ${selects.join('\n    union ')}
  ) where address <> '${zero}'`,
  form: ['address'],
  amount: 'count(*)',
})

const emptyBatches = (topic: string, where: string): string =>
  `select '0x' || ${topic}[27:] from logs
      where topic0 = '${batchTopic}' and data = '${emptyBatch}' and ${topic}[1:26] = '0x${'0'.repeat(24)}' and ${where}`

const senders = (where: string): string[] => [
  `select sender as address from transactions where ${where}`,
  `select sender from token_transfers where ${where}`,
  emptyBatches('topic2', where),
]
const parties = (where: string): string[] => [
  ...senders(where),
  `select recipient from transactions where recipient is not null and ${where}`,
  `select recipient from token_transfers where ${where}`,
  emptyBatches('topic3', where),
]
const distinct = {
  addresses: (where: string) => addresses(...parties(where)),
  senders: (where: string) => addresses(...senders(where)),
  deployers: (where: string) => addresses(`select deployer as address from contracts where ${where}`),
}

/** Blocks with what they add to a rate. */
const seconds = (of: 'txs' | 'gas', where: string): Pick<Count, 'rows' | 'form'> => {
  const value = of === 'txs' ? 'tx_count' : 'gas_used'
  return {
    rows: `select number as place, number, ts, ${value} from blocks where ${where} and ts > 0`,
    form: ['number', 'ts', value],
  }
}

/** How a kind of metric is counted. */
function countOf(
  kind: MetricKind,
  { period, untilEnd, untilStart }: Blocks,
  start: number,
  chain: string,
): Count {
  switch (kind.kind) {
    case 'sum':
      switch (kind.of) {
        case 'txs':
          return { ...transactions(period), amount: 'count(*)' }
        case 'failed':
          return { ...transactions(`status = 0 and ${period}`), amount: 'count(*)' }
        case 'gas':
          return { ...transactions(period, 'gas_used'), amount: 'sum(gas_used)' }
        case 'fees':
          return { ...transactions(period, 'gas_used', 'gas_price'), amount: 'sum(gas_used * gas_price)' }
        case 'burned':
          return { ...priced(period), amount: 'sum(gas_used * base_fee)' }
        case 'priority':
          return { ...priced(period), amount: 'sum(gas_used * greatest(gas_price - base_fee, 0))' }
        case 'contracts':
          return { ...creations(period), amount: 'count(*)' }
        case 'transfers':
          return { ...transfers(period), amount: 'count(*)' }
        case 'logs':
          return { ...logs(period, 'address'), amount: 'count(*)' }
      }
    // Every `of` has returned.
    case 'distinct':
      return distinct[kind.of](period)
    case 'total': {
      const span = kind.at === 'start' ? untilStart : untilEnd
      switch (kind.of) {
        case 'txs':
          return { ...transactions(span), amount: 'count(*)', span }
        case 'contracts':
          return { ...creations(span), amount: 'count(*)', span }
        case 'addresses':
        case 'deployers':
          return { ...distinct[kind.of](span), span }
      }
    }
    case 'rate': {
      const { rows, form } = seconds(kind.of, period)
      const value = form[2] ?? ''
      const earlier = `(select max(ts) from blocks where chain = ${chain} and ts > 0 and ts < ${start})`
      // Without an earlier block the first one is the beginning, and not counted itself.
      return {
        rows,
        form,
        amount: `sum(${value}) - case when ${earlier} is null then arg_min(${value}, number) else 0 end`,
        per: `max(ts) - coalesce(${earlier}, min(ts))`,
      }
    }
    case 'peak': {
      const { rows, form } = seconds(kind.of, period)
      const value = form[2] ?? ''
      const earlier = `(select max(ts) from blocks where chain = ${chain} and ts > 0 and ts < ${start})`
      const rates = `(select arg_max({amount: amount, seconds: seconds}, amount / seconds) from (
    select sum(${value}) as amount, ts - coalesce(lag(ts) over (order by ts), ${earlier}) as seconds
    from counted group by ts) where seconds is not null)`
      return { rows, form, amount: `${rates}.amount`, per: `${rates}.seconds` }
    }
    case 'mean':
      return { ...transactions(period, kind.of), amount: `sum(${kind.of})`, per: 'count(*)' }
    case 'maximum':
      return { ...transactions(period, kind.of), amount: `max(${kind.of})` }
    case 'median':
      return {
        ...transactions(period, kind.of),
        // The mean of the two in the middle, rounded down; they are the same if the number is odd.
        amount: `(list_sort(list(${kind.of}))[(count(*) + 1) // 2] + list_sort(list(${kind.of}))[count(*) // 2 + 1]) // 2`,
      }
    case 'share':
      return kind.of === 'failed'
        ? {
            ...transactions(period, 'status'),
            amount: '100 * count(*) filter (where status = 0)',
            per: 'count(*)',
          }
        : {
            rows: `select number as place, number, gas_used, gas_limit from blocks where ${period}`,
            form: ['number', 'gas_used', 'gas_limit'],
            amount: '100 * sum(gas_used)',
            per: 'sum(gas_limit)',
          }
    case 'first':
      return {
        rows: `select token as place, token, min(number) as number from token_transfers where ${untilEnd}
  group by token having min(ts) >= ${start}`,
        form: ['token', 'number'],
        amount: 'count(*)',
      }
    case 'messages':
      return {
        ...logs(`${kind.of === 'sent' ? sentLogs : deliveredLogs} and ${period}`),
        amount: 'count(*)',
      }
  }
}

const deliveredLogs = `address = '${messenger}' and topic0 = '${receivedTopic}' and topic3 is not null`

/** The bytes of the message in the data: their number is in the second word. */
const size = `try_cast('0x' || data[115:130] as ubigint)`
const message = `data[131:130 + 2 * ${size}]`
/** An unsigned message: codec 0, network, blockchain, and a payload with its length before it. */
const sentLogs = `address = '${warp}' and topic0 = '${warpTopic}'
    and length(data) >= 130 + 84 and length(data) - 130 >= 2 * ${size}
    and ${message}[1:4] = '0000' and length(${message}) - 84 = 2 * try_cast('0x' || ${message}[77:84] as ubigint)`

/** The statement that counts a point again, and the canonical form of the rows behind it. */
export function proofOf({ metric, chainId, interval, time, head }: ProvenPoint): Statement {
  if (!/^\d+$/.test(chainId)) throw new TypeError(`${chainId} is not an EVM chain id`)
  const [start, end] = [periodStart(time, interval), periodEnd(time, interval)]
  const base = `chain = ${chainId} and number <= ${head}`
  const blocks: Blocks = {
    period: `${base} and ts >= ${start} and ts < ${end}`,
    untilEnd: `${base} and ts < ${end}`,
    untilStart: `${base} and ts < ${start}`,
  }
  const {
    rows,
    form,
    amount,
    per = '1',
    span = blocks.period,
  } = countOf(metricEntry(metric), blocks, start, chainId)
  return statementOf({ rows, form, amount, per }, [
    `(select min(number) from blocks where ${span}) as first_block`,
    `(select max(number) from blocks where ${span}) as last_block`,
  ])
}

/** What a statement counts, without its blocks. */
type Counting = Omit<Count, 'span'>

/** The statement of a count, with more columns, and the canonical form of its rows. */
export function statementOf(
  { rows, form, amount, per = '1' }: Counting,
  more: readonly string[] = [],
): Statement {
  const columns = [
    `${amount} as amount`,
    `${per} as per`,
    'count(*) as rows',
    `sha256(coalesce(string_agg(concat_ws(',', ${form.join(', ')}), chr(10) order by place), '')) as rows_hash`,
    ...more,
  ]
  return {
    rowForm: form.map((name) => name.replaceAll('"', '')).join(','),
    sql: `with counted as (
  ${rows}
)
select ${columns.join(',\n  ')}
from counted`,
  }
}
