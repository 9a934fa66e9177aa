import { createHash } from 'node:crypto'
import type { LakeTable } from '../../server/lake/tables.ts'

/**
 * The rows of a synthetic EVM chain as statements of DuckDB. Everything about a transaction follows from its number `i`
 * in the chain, so a range does not depend on the others, nor on how long the chain is.
 *
 * Parties and tokens are skewed as on a busy chain: a few appear in percents of all transactions, and most of the
 * addresses so far appear two or three times. Addresses and tokens grow in number with the chain.
 */

/** An id that no other generated chain of the benchmarks uses. */
export const scaleChain = 271_828

export const transactionsPerBlock = 10
const genesisTime = 1_700_000_000
const secondsPerBlock = 2

/** Number of transactions up to a block. Block 0 has none. */
export const transactionsUpTo = (block: number): number => Math.max(0, block) * transactionsPerBlock

/** The kinds of transactions with their share in thousandths, logs, inner calls, and words of input. */
const kinds = [
  { name: 'plain', share: 150, logs: 0, calls: 0 },
  { name: 'coin', share: 450, logs: 1, calls: 0 },
  { name: 'swap', share: 250, logs: 8, calls: 5 },
  { name: 'art', share: 50, logs: 1, calls: 1 },
  { name: 'items', share: 20, logs: 1, calls: 1 },
  { name: 'create', share: 10, logs: 1, calls: 1 },
  { name: 'drop', share: 70, logs: 16, calls: 4 },
] as const

type Kind = (typeof kinds)[number]['name']

/** An expression that picks a value for each kind. */
function byKind(values: Partial<Record<Kind, string>>, otherwise: string): string {
  const cases = Object.entries(values).map(([kind, value]) => `when '${kind}' then ${value}`)
  return `case kind ${cases.join(' ')} else ${otherwise} end`
}

const kindOf = (roll: string): string => {
  let below = 0
  const cases = kinds.map(({ name, share }) => `when ${roll} < ${(below += share)} then '${name}'`)
  return `case ${cases.join(' ')} end`
}

const perKind = (field: 'logs' | 'calls'): string =>
  byKind(Object.fromEntries(kinds.map((kind) => [kind.name, `${kind[field]}`])), '0')

/** A number in [0, 1) that follows from the transaction and `salt`. */
const share = (salt: string): string => `((hash(i, ${salt}) >> 11)::double / 9007199254740992)`

const address = (kind: string, id: string): string => `'0x' || substr(sha256('${kind}' || (${id})), 1, 40)`
const hash = (kind: string, id: string): string => `'0x' || sha256('${kind}' || (${id}))`

/** One of the addresses so far: the first has some percent of all appearances, the last have few. */
const person = (salt: string): string =>
  address('person', `floor(pow(${share(salt)}, 4) * (i / 5 + 1000))::bigint`)
const token = (kind: string, salt: string, each: number): string =>
  address(kind, `floor(pow(${share(salt)}, 3) * (i / ${each} + 50))::bigint`)

/** The address that the rows have for an id of one of these kinds; 0 is the most frequent. */
export const addressAt = (kind: 'person' | 'coin' | 'art' | 'items', id: number): string =>
  `0x${createHash('sha256').update(`${kind}${id}`).digest('hex').slice(0, 40)}`

const word = (value: string): string => `format('{:064x}', (${value})::bigint)`
const addressWord = (value: string): string => `repeat('0', 24) || substr(${value}, 3)`
const amount = (salt: string): string => `(1 + hash(i, ${salt}) % 1000000000000000000)::bigint`

const transferTopic = "'0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'"
const singleTopic = "'0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'"
const syncTopic = "'0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1'"
const swapTopic = "'0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'"
const zero = `'0x${'0'.repeat(40)}'`
const noUncles = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

const input = byKind(
  {
    plain: "'0x'",
    coin: `'0xa9059cbb' || ${addressWord('other')} || ${word(amount('20'))}`,
    swap: `'0x38ed1739' || ${[word(amount('20')), word(amount('21')), word('160'), addressWord('sender')].join(' || ')}
      || ${[word(`${genesisTime} + i`), word('3'), addressWord(token('coin', '100', 500)), addressWord('other')].join(' || ')}`,
    create: `'0x60806040' || ${Array.from({ length: 12 }, (_, at) => `sha256('code' || (hash(i, 6) % 40) || ${at})`).join(' || ')}`,
    drop: `'0xc73a2d60' || ${[...Array(6).keys()].map((at) => addressWord(person(`${300 + at}`))).join(' || ')}`,
  },
  `'0x42842e0e' || ${addressWord('sender')} || ${addressWord('other')} || ${word('hash(i, 30) % 100000')}`,
)

/** The tables that the rows of a range are selected from; `from` and `to` are blocks. */
export const sourceTables = (from: number, to: number): readonly string[] => [
  `create or replace temp table chosen as
  select *, case when status = 0 then 0 else ${perKind('logs')} end as log_count,
    ${byKind({ create: address('created', 'i') }, 'null')} as created,
    ${byKind(
      {
        plain: 'other',
        create: 'null',
        coin: token('coin', '100', 500),
        art: token('art', '100', 2_000),
        items: token('items', '100', 5_000),
        swap: address('router', 'hash(i, 7) % 20'),
      },
      address('dropper', 'hash(i, 7) % 200'),
    )} as recipient,
    ${byKind({ plain: '21000' }, '(40000 + hash(i, 8) % 200000)::bigint')} as gas_used,
    (25000000000 + hash(number, 9) % 1000000000)::bigint as base_fee,
    (1000000 + hash(i, 10) % 2000000000)::bigint as tip
  from (
    select i, (1 + i // ${transactionsPerBlock})::bigint as number, (i % ${transactionsPerBlock})::integer as index,
      (${genesisTime} + ${secondsPerBlock} * number)::bigint as ts, ${kindOf('hash(i, 1) % 1000')} as kind,
      case when kind <> 'plain' and hash(i, 2) % 50 = 0 then 0 else 1 end as status,
      case when hash(i, 3) % 10 = 0 then 0 else 2 end as type,
      ${person('4')} as sender, ${person('5')} as other
    from range(${transactionsUpTo(from - 1)}, ${transactionsUpTo(to)}) r(i))`,
  `create or replace temp table emitted as
  select *, row_number() over (partition by number order by index, step) - 1 as log_index,
    case when kind = 'swap' then case step % 4 when 2 then 'sync' when 3 then 'swapped' else 'moved' end
      when kind in ('art', 'items') then kind else 'moved' end as shape,
    ${byKind({ create: 'created', swap: token('coin', '100 + step // 2', 500), drop: token('coin', '100', 500) }, 'recipient')} as token,
    ${byKind({ create: zero, drop: `case when hash(i, 11) % 4 = 0 then ${zero} else recipient end`, swap: `case when step % 4 = 0 then sender else ${token('pool', '100 + step // 4', 2_000)} end` }, `case when hash(i, 12) % 20 = 0 then ${zero} else sender end`)} as giver,
    ${byKind({ create: 'sender', drop: person('300 + step'), swap: `case when step % 4 = 0 then ${token('pool', '100 + step // 4', 2_000)} else sender end` }, 'other')} as taker,
    ${amount('400 + step')} as amount, (hash(i, 30) % 100000)::bigint as token_id
  from (select *, unnest(range(log_count)) as step from chosen where log_count > 0)`,
]

const logAddress = `case when shape in ('sync', 'swapped') then ${token('pool', '100 + step // 4', 2_000)} else token end`

/** What each table of a range selects from the source tables, by column, and what follows. */
export const rowsOf: Record<LakeTable, { columns: Readonly<Record<string, string>>; source: string }> = {
  blocks: {
    columns: {
      number: 'n',
      ts: `${genesisTime} + ${secondsPerBlock} * n`,
      hash: hash('block', 'n'),
      parent_hash: hash('block', 'n - 1'),
      miner: address('miner', 'n % 30'),
      gas_limit: '15000000',
      gas_used: 'coalesce(used, 0)',
      base_fee: '25000000000 + hash(n, 9) % 1000000000',
      block_gas_cost: 'null',
      difficulty: "'1'",
      size: '600 + coalesce(bytes, 0)',
      tx_count: 'coalesce(count, 0)',
      log_count: 'coalesce(logs, 0)',
      fees: 'coalesce(fees, 0)',
      traced: 'true',
      state_root: hash('state', 'n'),
      transactions_root: hash('transactions', 'n'),
      receipts_root: hash('receipts', 'n'),
      extra_data: "'0x'",
      nonce: "'0x0000000000000000'",
      ext_data: 'null',
      header: `'{"mixHash":"0x${'0'.repeat(64)}","sha3Uncles":"${noUncles}"}'`,
    },
    source: `range($from, $to + 1) b(n) left join (
      select number as n, sum(gas_used)::bigint as used, count(*) as count, sum(log_count)::integer as logs,
        sum(gas_used::hugeint * (base_fee + tip)) as fees, sum(150 + length(recipient))::integer as bytes
      from chosen group by number) using (n) order by n`,
  },
  transactions: {
    columns: {
      number: 'number',
      index: 'index',
      ts: 'ts',
      type: 'type',
      status: 'status',
      hash: hash('transaction', 'i'),
      sender: 'sender',
      recipient: 'recipient',
      created: 'created',
      value: byKind({ plain: amount('13') }, '0'),
      nonce: 'i // 50',
      gas_limit: 'gas_used + hash(i, 14) % 50000',
      gas_used: 'gas_used',
      cumulative_gas_used: 'sum(gas_used) over (partition by number order by index)',
      gas_price: 'base_fee + tip',
      max_fee: 'case when type = 2 then 2 * base_fee + tip end',
      max_priority_fee: 'case when type = 2 then tip end',
      log_count: 'log_count',
      input,
      v: `case when type = 2 then i % 2 else ${35 + 2 * scaleChain} + i % 2 end`,
      r: hash('r', 'i'),
      s: hash('s', 'i'),
      hash_given_by: 'null',
      extra: 'null',
      error: `case when status = 0 then 'execution reverted' end`,
      output: `case when status = 0 then '0x' end`,
      failing_call: 'case when status = 0 then -1 end',
      blob_gas_used: 'null',
      blob_gas_price: 'null',
    },
    source: 'chosen order by number, index',
  },
  logs: {
    columns: {
      number: 'number',
      index: 'log_index',
      ts: 'ts',
      tx_index: 'index',
      address: logAddress,
      topic0: `case shape when 'sync' then ${syncTopic} when 'swapped' then ${swapTopic} when 'items' then ${singleTopic} else ${transferTopic} end`,
      topic1: `case when shape <> 'sync' then '0x' || ${addressWord("case when shape in ('items', 'swapped') then sender else giver end")} end`,
      topic2: `case when shape <> 'sync' then '0x' || ${addressWord("case shape when 'items' then giver when 'swapped' then sender else taker end")} end`,
      topic3: `case shape when 'items' then '0x' || ${addressWord('taker')} when 'art' then '0x' || ${word('token_id')} end`,
      data: `'0x' || case shape when 'art' then '' when 'items' then ${word('token_id')} || ${word('amount')}
        when 'sync' then ${word('amount')} || ${word('amount // 3')}
        when 'swapped' then ${word('amount')} || ${word('0')} || ${word('0')} || ${word('amount // 7')} else ${word('amount')} end`,
    },
    source: 'emitted order by number, log_index',
  },
  token_transfers: {
    columns: {
      number: 'number',
      log_index: 'log_index',
      position: '0',
      ts: 'ts',
      tx_index: 'index',
      token: 'token',
      kind: "case shape when 'art' then 721 when 'items' then 1155 else 20 end",
      sender: 'giver',
      recipient: 'taker',
      token_id: "case when shape in ('art', 'items') then token_id end",
      amount: "case shape when 'art' then 1 else amount end",
    },
    source: "emitted where shape not in ('sync', 'swapped') order by number, log_index",
  },
  calls: {
    columns: {
      number: 'number',
      tx_index: 'index',
      ordinal: 'step',
      ts: 'ts',
      depth: 'case when step % 3 = 2 then 2 else 1 end',
      type: "case when kind = 'create' then 'CREATE' when step % 3 = 1 then 'STATICCALL' else 'CALL' end",
      reverted: 'status = 0',
      sender: 'coalesce(recipient, created)',
      recipient: byKind(
        { create: address('child', 'i'), swap: token('pool', '100 + step // 4', 2_000) },
        person('300 + step'),
      ),
      value: `case when kind = 'drop' and step % 3 <> 1 then ${amount('500 + step')} else 0 end`,
      gas_limit: '100000 + hash(i, 15) % 100000',
      gas_used: '2000 + hash(i, 16, step) % 30000',
      input:
        "case kind when 'create' then null when 'drop' then '0x' else '0x022c0d9f' || repeat('0', 128) end",
      output: "case kind when 'create' then null else '0x' end",
      error: "case when status = 0 then 'execution reverted' end",
    },
    source: `(select *, unnest(range(calls)) as step from (select *, ${perKind('calls')} as calls from chosen))
      order by number, index, step`,
  },
  contracts: {
    columns: {
      number: 'number',
      tx_index: 'index',
      ordinal: 'ordinal',
      ts: 'ts',
      address: `case ordinal when -1 then created else ${address('child', 'i')} end`,
      deployer: 'case ordinal when -1 then sender else created end',
      origin: 'sender',
    },
    source: `(select *, unnest([-1, 0]) as ordinal from chosen where kind = 'create' and status = 1)
      order by number, index, ordinal`,
  },
  withdrawals: {
    columns: { number: '0', index: '0', ts: '0', validator: '0', address: "''", amount: "'0'" },
    source: 'range(0)',
  },
}
