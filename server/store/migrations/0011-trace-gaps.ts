/**
 * Traces are recorded per range of blocks. A row of `trace_gaps` is a range whose inner calls are not stored
 * because the node could not trace it. `filled` marks a range whose calls were stored later, but whose prefix
 * sums of contracts and deployers are not computed yet. `chains.trace_sums_from` is the block from which
 * these sums are being recomputed; null if they are not. Ranges of a chain do not overlap.
 *
 * Earlier versions stored no traces after the first block that a node failed to trace: the gap of such a
 * chain begins after the last stored call.
 */
export const traceGaps = {
  columns: {
    chains: ['trace_sums_from bigint'],
  },
  sql: `
create table trace_gaps (
  chain bigint not null,
  first_block bigint not null,
  last_block bigint not null,
  filled boolean not null default false,
  primary key (chain, first_block),
  check (first_block <= last_block)
);
insert into trace_gaps (chain, first_block, last_block)
select c.chain, first.number, last.number
from chains c
cross join lateral (
  select coalesce(max(number), -1) as number from calls where chain = c.chain) traced
cross join lateral (
  select number from transactions t
  where t.chain = c.chain and t.number > traced.number and (gas_used <> 21000 or length(input) > 0)
  order by number limit 1) first
cross join lateral (
  select number from transactions t
  where t.chain = c.chain and t.number > traced.number and (gas_used <> 21000 or length(input) > 0)
  order by number desc limit 1) last
where c.trace_source = 'none';
`,
}
