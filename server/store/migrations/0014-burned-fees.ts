/** The running sum of burned fees: base fee times gas used. */
export const burnedFees = {
  columns: {
    blocks: ['cum_burned numeric not null default 0'],
  },
  sql: `
update blocks b set cum_burned = sums.burned
from (
  select chain, number,
    sum(coalesce(base_fee, 0) * gas_used) over (partition by chain order by number) as burned
  from blocks) sums
where b.chain = sums.chain and b.number = sums.number and sums.burned > 0;
`,
}
