/**
 * The calls that the lists of an address have. A DELEGATECALL, CALLCODE or STATICCALL runs in its caller's account and
 * moves nothing, also if it reports a value. `listedCalls` in server/store/evm/listed-calls.ts is the same condition.
 */
export const movingCalls = {
  sql: `
create index calls_listed_sender on calls (chain, sender, number, tx_index, ordinal)
  where value > 0 and type not in ('CALLCODE', 'DELEGATECALL', 'STATICCALL')
    or type in ('CREATE', 'CREATE2', 'SELFDESTRUCT');
create index calls_listed_recipient on calls (chain, recipient, number, tx_index, ordinal)
  where value > 0 and type not in ('CALLCODE', 'DELEGATECALL', 'STATICCALL')
    or type in ('CREATE', 'CREATE2', 'SELFDESTRUCT');
`,
  after: `
drop index if exists calls_sender;
drop index if exists calls_recipient;
`,
}
