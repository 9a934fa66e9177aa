/**
 * The running sums of priority fees, gas limits and failed transactions. A priority fee is what the effective gas
 * price exceeds the base fee by, times the gas used; without a base fee it is the whole price.
 */
export const fillAndFailures = {
  columns: {
    blocks: [
      'cum_priority numeric not null default 0',
      'cum_gas_limit numeric not null default 0',
      'cum_failed bigint not null default 0',
    ],
  },
  sql: `
update blocks b
set cum_priority = sums.priority, cum_gas_limit = sums.gas_limit, cum_failed = sums.failed
from (
  select b.chain, b.number,
    sum(coalesce(paid.priority, 0)) over up_to as priority,
    sum(b.gas_limit) over up_to as gas_limit,
    (sum(coalesce(paid.failed, 0)) over up_to)::bigint as failed
  from blocks b
  left join (
    select t.chain, t.number,
      sum(greatest(t.gas_price - coalesce(h.base_fee, 0), 0) * t.gas_used) as priority,
      count(*) filter (where t.status = 0) as failed
    from transactions t join blocks h on h.chain = t.chain and h.number = t.number
    group by t.chain, t.number) paid on paid.chain = b.chain and paid.number = b.number
  window up_to as (partition by b.chain order by b.number)) sums
where b.chain = sums.chain and b.number = sums.number;
`,
}
