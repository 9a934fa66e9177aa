import { cb58 } from '../../protocol/ids/text.ts'
import { oddKinds, type OddKind } from '../../contract/primary/odd-history.ts'
import type { Database } from '../store/database.ts'
import type { Findings, Invariant } from './findings.ts'

/**
 * Checks the tables of one primary network chain against each other: I1 to I4 of docs/indexer.md, and that no
 * transaction creates more AVAX than it spends. `chain` is its key of server/primary/chains.ts.
 */
export async function checkPrimaryTables(
  database: Database,
  chain: number,
  findings: Findings,
): Promise<void> {
  for (const { invariant, what, statement } of checks) {
    const rows = await database.unsafe<{ place: string }[]>(`${statement} limit 20`, [chain])
    for (const { place } of rows) findings.add(invariant, `${what}: ${place}`)
  }
}

type Check = { readonly invariant: Invariant; readonly what: string; readonly statement: string }

/** Whether the transaction at a place is as the rules of today want it (docs/indexer.md, "Accepted history"). */
const isNotOdd = (height: string, index: string): string => `
  not exists (select from odd_history o where o.chain = $1 and o.height = ${height} and o.index = ${index})`

/**
 * What the accepted blocks of a chain contain and today's rules would refuse, in words: the first few, and how many.
 */
export async function readOddHistory(
  database: Database,
  chain: number,
): Promise<{ readonly shown: readonly string[]; readonly count: number }> {
  const rows = await database<{ place: string; kind: string; detail: string; count: bigint }[]>`
    select case when o.index < 0 then 'block ' || o.height else encode(t.id, 'hex') end as place,
      o.kind, o.detail, count(*) over () as count
    from odd_history o left join primary_transactions t
      on t.chain = o.chain and t.height = o.height and t.index = o.index
    where o.chain = ${chain} order by o.height, o.index, o.kind, o.detail limit 100`
  const shown = rows.map(({ place, kind, detail }) => {
    const what = place.startsWith('block') ? place : cb58(Buffer.from(place, 'hex'))
    return `${what} ${oddKinds[kind as OddKind]} (${detail})`
  })
  return { shown, count: Number(rows[0]?.count ?? 0n) }
}

/** Each statement returns the places of errors as text; $1 is the chain. */
const checks: readonly Check[] = [
  {
    invariant: 'I1',
    what: 'a block does not follow the one below, or is older',
    statement: `
      select 'block ' || height as place from (
        select height, ts, parent_id, lag(height) over w as last, lag(id) over w as last_id, lag(ts) over w as last_ts
        from primary_blocks where chain = $1 window w as (order by height)) linked
      where height <> last + 1 or parent_id <> last_id or ts < last_ts`,
  },
  {
    invariant: 'I2',
    what: 'the transactions of a block are not as many as it says',
    statement: `
      select 'block ' || b.height as place from primary_blocks b
      left join (select height, count(*) as rows, max(index) as last from primary_transactions
        where chain = $1 and height >= 0 group by height) t using (height)
      where b.chain = $1 and b.height > 0
        and (b.tx_count <> coalesce(t.rows, 0) or coalesce(t.last, -1) <> b.tx_count - 1)`,
  },
  ...(
    [
      ['primary_transactions', 'height'],
      ['primary_address_transactions', 'height'],
      ['utxos', 'height'],
      ['stakers', 'height'],
      ['staking_cycles', 'height'],
      ['rewards', 'height'],
      ['subnets', 'height'],
      ['blockchains', 'height'],
      ['l1_validator_changes', 'height'],
      ['assets', 'height'],
    ] as const
  ).map(([table, height]): Check => ({
    invariant: 'I3',
    what: `a row of ${table} lies above the head`,
    statement: `
        select distinct 'block ' || ${height} as place from ${table} c
        where chain = $1 and ${height} > 0
          and not exists (select from primary_blocks b where b.chain = $1 and b.height = c.${height})`,
  })),
  {
    invariant: 'I3',
    what: 'a UTXO is spent by a transaction that is not there',
    statement: `
      select 'UTXO ' || encode(utxo_id, 'hex') as place from utxos u
      where spent_chain = $1 and not exists (
        select from primary_transactions t
        where t.chain = $1 and t.height = u.spent_height and t.index = u.spent_index and t.id = u.spent_tx)`,
  },
  {
    invariant: 'I5',
    what: 'an import waits for an export that is there',
    statement: `
      select 'UTXO ' || encode(utxo_id, 'hex') as place from pending_imports i
      where home = $1 and exists (select from utxos u where u.home = i.home and u.utxo_id = i.utxo_id)`,
  },
  {
    invariant: 'I5',
    what: 'an import waits for an export that should be there, and is not listed as odd',
    // The clocks of two chains differ by seconds.
    statement: `
      select 'UTXO ' || encode(utxo_id, 'hex') as place from pending_imports i
      where home = $1 and not unmade
        and (select ts from primary_blocks b where b.chain = i.source order by height desc limit 1) > i.spent_ts + 60`,
  },
  {
    invariant: 'I3',
    what: 'a UTXO is spent before it is made',
    statement: `
      select 'UTXO ' || encode(utxo_id, 'hex') as place from utxos
      where chain = $1 and spent_chain = $1 and height >= 0 and spent_height >= 0
        and (spent_height, spent_index) < (height, tx_index)`,
  },
  {
    invariant: 'I2',
    what: 'a vertex holds a transaction that is not there',
    statement: `
      select 'vertex ' || encode(v.id, 'hex') as place from vertices v, unnest(v.transactions) as tx
      where v.chain = $1 and not exists (
        select from primary_transactions t where t.id = tx and t.chain = $1)`,
  },
  {
    invariant: 'I6',
    what: 'a transaction makes more AVAX than it spends',
    statement: `
      select 'transaction ' || encode(t.id, 'hex') as place from primary_transactions t
      join primary_chains c on c.chain = t.chain
      left join lateral (select sum(amount) as amount from utxos u
        where u.spent_chain = t.chain and u.spent_height = t.height and u.spent_index = t.index
          and u.asset = c.avax_asset) spent on true
      left join lateral (select sum(amount) as amount from utxos u
        where u.chain = t.chain and u.height = t.height and u.tx_index = t.index and u.asset = c.avax_asset
          and u.tx_id = t.id and u.reward_type is null
          and u.output_index < coalesce((select min(output_index) from utxos r
            join l1_validator_changes l on l.tx_id = t.id and l.balance_change < 0
            where r.chain = t.chain and r.height = t.height and r.tx_index = t.index
              and r.amount = -l.balance_change), 2147483647)) made on true
      where t.chain = $1 and t.chain % 10 <> 3 and t.height <> 0
        and coalesce(made.amount, 0) > coalesce(spent.amount, 0)
        -- What an import spends is not known before its export.
        and not exists (select from pending_imports i where i.home = t.chain and i.spent_tx = t.id)
        and ${isNotOdd('t.height', 't.index')}`,
  },
  {
    invariant: 'I6',
    what: 'the latest uptime of a validation is not that of its newest sample',
    statement: `
      select 'staker ' || encode(coalesce(l.tx_id, s.tx_id), 'hex') as place from (
        select distinct on (tx_id) tx_id, ts, uptime, connected from uptime_samples
        where chain = $1 order by tx_id, ts desc) s
      full join (select * from latest_samples where chain = $1) l using (tx_id)
      where (l.ts, l.uptime, l.connected) is distinct from (s.ts, s.uptime, s.connected)`,
  },
  {
    invariant: 'I6',
    what: 'the delegations of a validator do not add up',
    statement: `
      select 'staker ' || encode(v.tx_id, 'hex') as place from stakers v
      left join lateral (select count(*) as rows, sum(weight) as weight from stakers d
        where d.chain = $1 and d.validator_tx = v.tx_id and d.ended_ts is null) d on true
      where v.chain = $1 and not v.is_delegator and v.ended_ts is null
        and (v.delegator_count <> d.rows or v.delegated <> coalesce(d.weight, 0))`,
  },
  {
    invariant: 'I6',
    what: 'the periods of an auto-renewed validator do not add up',
    // Each period begins at the end of the previous one with the weight that it left; the last one determines
    // the validator.
    statement: `
      with cycles as (
        select c.*, lead(start_ts) over w as next_start, lead(weight) over w as next_weight
        from staking_cycles c where chain = $1 window w as (partition by staking_tx order by height, index)
      ), sums as (
        select staking_tx, sum(reward) as reward, sum(delegation_reward) as delegation_reward,
          sum(restaked) as restaked, sum(restaked_delegation) as restaked_delegation
        from cycles group by staking_tx
      )
      select 'period of ' || encode(c.staking_tx, 'hex') || ' from ' || c.start_ts as place
      from cycles c join stakers s on s.tx_id = c.staking_tx
      where coalesce(c.next_start, case when c.outcome = 'renewed' then s.start_ts else c.end_ts end) <> c.end_ts
        or coalesce(c.next_weight, s.weight) <> c.weight + c.restaked + c.restaked_delegation
        or (c.next_start is null and (c.outcome = 'renewed') <> (s.ended_ts is null))
        or (c.reward + c.restaked <> case c.outcome when 'renewed' then c.potential_reward
          when 'rewarded' then c.potential_reward + s.accrued_reward else s.accrued_reward end
          and ${isNotOdd('c.height', 'c.index')})
      union all
      select 'validator ' || encode(s.tx_id, 'hex') from stakers s join sums on sums.staking_tx = s.tx_id
      where s.chain = $1 and (s.reward, s.delegation_reward, s.accrued_reward, s.accrued_delegation_reward)
        is distinct from (sums.reward, sums.delegation_reward, sums.restaked, sums.restaked_delegation)`,
  },
  {
    invariant: 'I6',
    what: 'a reward has no UTXO, or another amount',
    statement: `
      select 'staker ' || encode(r.staking_tx, 'hex') as place from rewards r
      left join utxos u on u.utxo_id = r.utxo_id and u.home = $1
      where r.chain = $1 and (u.amount is distinct from r.amount or u.reward_type is distinct from r.type)`,
  },
  {
    invariant: 'I6',
    what: 'an owner of a UTXO is not an address of its transaction',
    statement: `
      select 'UTXO ' || encode(utxo_id, 'hex') as place from utxos u
      where chain = $1 and tx_index >= 0 and height <> 0 and height > -2 and owner is not null and reward_type is null
        and not exists (select from primary_address_transactions a
          where a.address = u.owner and a.chain = $1 and a.height = u.height and a.index = u.tx_index)`,
  },
  {
    invariant: 'I3',
    what: 'what is listed as odd belongs to no block',
    statement: `
      select kind || ' in block ' || height as place from odd_history o
      where chain = $1 and height >= 0
        and not exists (select from primary_blocks b where b.chain = $1 and b.height = o.height)`,
  },
]
