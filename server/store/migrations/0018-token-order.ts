/**
 * The latest totals by which the tokens of a chain are ordered, beside the token: its holders and the block of
 * its last transfer. The indexer writes them with `token_blocks`; a reorg restores them from what remains there.
 */
export const tokenOrder = {
  columns: {
    tokens: ['holders bigint not null default 0', 'last_block bigint not null default 0'],
  },
  sql: `
update tokens t set holders = last.holders, last_block = last.number
from tokens own
cross join lateral (
  select holders, number from token_blocks b
  where b.chain = own.chain and b.token = own.token and b.kind = own.kind
  order by b.number desc limit 1) last
where t.chain = own.chain and t.token = own.token and t.kind = own.kind;
create index tokens_holders on tokens (chain, holders, token, kind);
create index tokens_last_block on tokens (chain, last_block);
`,
}
