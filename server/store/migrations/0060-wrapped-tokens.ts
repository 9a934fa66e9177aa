/**
 * Wrappers of the native token credit and debit by the events Deposit and Withdrawal, which their balances include.
 * `first_wrap` is the block of the first that counts. The index finds those from before a token's first transfer.
 */
export const wrappedTokens = {
  columns: {
    tokens: ['first_wrap bigint'],
  },
  sql: `
create index logs_wraps on logs (chain, address, number, index)
  where topic0 in ('\\xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
      '\\x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65')
    and topic1 is not null and topic2 is null and length(data) = 32;
update tokens t set first_wrap = w.number
from (
  select l.chain, l.address, min(l.number) as number from logs l
  where l.topic0 in ('\\xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
      '\\x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65')
    and l.topic1 is not null and l.topic2 is null and length(l.data) = 32
  group by l.chain, l.address) w
where t.chain = w.chain and t.token = w.address and t.kind = 20;
`,
}
