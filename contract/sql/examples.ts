/** A question that analysts ask, and the statement that answers it (docs/sql.md). */
type SqlExample = { readonly question: string; readonly sql: string }

/** The chain of the examples, by its EVM chain id. */
export const exampleChain = '43113'

export const sqlExamples: readonly SqlExample[] = [
  {
    question: 'How many transactions does each day have, and how many of them fail?',
    sql: `select date_trunc('day', time) as day, count(*) as transactions,
  count(*) filter (status = 0) as failed
from transactions where chain = 43113
group by day order by day`,
  },
  {
    question: 'How full are blocks, hour by hour of the day?',
    sql: `select hour(time) as hour, round(100 * avg(gas_used / gas_limit), 2) as percent_full
from blocks where chain = 43113 group by hour order by hour`,
  },
  {
    question: 'Which contracts use the most gas?',
    sql: `select recipient as contract, sum(gas_used) as gas, count(*) as transactions
from transactions
where chain = 43113 and recipient is not null and input <> '0x'
group by contract order by gas desc limit 10`,
  },
  {
    question: 'Which methods are called most, and how often do they fail?',
    sql: `select input[1:10] as method, count(*) as calls,
  round(100 * avg((status = 0)::int), 1) as percent_failed
from transactions where chain = 43113 and length(input) >= 10
group by method order by calls desc limit 10`,
  },
  {
    question: 'Who pays the most in fees?',
    sql: `select sender, round(sum(gas_used * gas_price + coalesce(blob_gas_used * blob_gas_price, 0)) / 1e18, 6) as fees_avax,
  count(*) as transactions
from transactions where chain = 43113
group by sender order by fees_avax desc, sender limit 10`,
  },
  {
    question: 'How does the median gas price move, and how high is the top percent?',
    sql: `select date_trunc('day', time) as day, round(median(gas_price / 1e9), 3) as median_gwei,
  round(quantile_cont(gas_price / 1e9, 0.99), 3) as p99_gwei
from transactions where chain = 43113 group by day order by day`,
  },
  {
    question: 'How many addresses send something each day, and how many for the first time?',
    sql: `with firsts as (
  select sender, min(date_trunc('day', time)) as first_day
  from transactions where chain = 43113 group by sender)
select date_trunc('day', t.time) as day, count(distinct t.sender) as senders,
  count(distinct t.sender) filter (f.first_day = date_trunc('day', t.time)) as new_senders
from transactions t join firsts f using (sender)
where t.chain = 43113 group by day order by day`,
  },
  {
    question: 'How many of the addresses of one week come back in the next?',
    sql: `with weeks as (
  select distinct sender, date_trunc('week', time) as week from transactions where chain = 43113)
select a.week, count(*) as senders, count(b.sender) as came_back,
  round(100 * count(b.sender) / count(*), 1) as percent
from weeks a left join weeks b on b.sender = a.sender and b.week = a.week + interval 7 days
group by a.week order by a.week`,
  },
  {
    question: 'How is the activity spread over senders: what share do the busiest tenth have?',
    sql: `with counted as (
  select sender, count(*) as n, ntile(10) over (order by count(*) desc) as tenth
  from transactions where chain = 43113 group by sender)
select tenth, count(*) as senders, sum(n) as transactions,
  round(100 * sum(n) / sum(sum(n)) over (), 1) as percent
from counted group by tenth order by tenth`,
  },
  {
    question: 'Which ERC-20 tokens move most?',
    sql: `select token, count(*) as transfers, count(distinct recipient) as recipients
from token_transfers where chain = 43113 and kind = 20
group by token order by transfers desc, token limit 10`,
  },
  {
    question: 'Who holds the token that moves most?',
    sql: `with busiest as (
  select token from token_transfers where chain = 43113 and kind = 20
  group by token having sum(amount) > 0 order by count(*) desc, token limit 1),
moves as (
  select recipient as holder, amount from token_transfers join busiest using (token) where chain = 43113
  union all
  select sender, -amount from token_transfers join busiest using (token) where chain = 43113)
select holder, sum(amount) as balance from moves
where holder <> '0x0000000000000000000000000000000000000000'
group by holder having sum(amount) > 0 order by balance desc, holder limit 10`,
  },
  {
    question: 'How much is minted and burned of each ERC-20 token?',
    sql: `select token,
  count(*) filter (sender = '0x0000000000000000000000000000000000000000') as mints,
  count(*) filter (recipient = '0x0000000000000000000000000000000000000000') as burns
from token_transfers where chain = 43113 and kind = 20
group by token having mints + burns > 0 order by mints + burns desc, token limit 10`,
  },
  {
    question: 'Which approvals are unlimited, and to whom?',
    sql: `select spender, count(*) as approvals, count(distinct owner) as owners
from erc20_approval
where chain = 43113 and value is null
group by spender order by approvals desc, spender limit 10`,
  },
  {
    question: 'Which NFTs changed hands most?',
    sql: `select contract, token_id, count(*) as transfers
from erc721_transfer where chain = 43113
group by all order by transfers desc, contract, token_id limit 10`,
  },
  {
    question: 'When were contracts created, and by how many deployers?',
    sql: `select date_trunc('week', time) as week, count(*) as contracts, count(distinct origin) as deployers
from contracts where chain = 43113 group by week order by week`,
  },
  {
    question: 'Which contracts are called from inside other contracts most?',
    sql: `select recipient as contract, count(*) as calls, count(distinct sender) as callers
from calls where chain = 43113 and type in ('CALL', 'STATICCALL') and not reverted
group by contract order by calls desc, contract limit 10`,
  },
  {
    question: 'How do the chains compare in the last week of their history?',
    sql: `select chain, count(*) as transactions, count(distinct sender) as senders,
  round(100 * avg((status = 0)::int), 2) as percent_failed
from transactions
where time > (select max(time) from blocks) - interval 7 days
group by chain order by chain`,
  },
  {
    question: 'What are the longest pauses between two blocks?',
    sql: `select number, time, ts - lag(ts) over (partition by chain order by number) as seconds
from blocks where chain = 43113
order by seconds desc nulls last limit 10`,
  },
  {
    question: 'Which validators have the most stake delegated to them now?',
    sql: `select v.node_id, round(v.weight / 1e9) as own_avax, round(sum(d.weight) / 1e9) as delegated_avax,
  count(d.tx_id) as delegations
from stakers v join stakers d on d.validator_tx_id = v.tx_id and d.is_delegator
where not v.is_delegator and v.ended_time is null and d.ended_time is null
group by v.node_id, v.weight order by delegated_avax desc, v.node_id limit 10`,
  },
  {
    question: 'How much is paid in rewards each month, and for what?',
    sql: `select date_trunc('month', time) as month, type, count(*) as rewards, round(sum(amount) / 1e9, 3) as avax
from rewards group by all order by month, type`,
  },
]
