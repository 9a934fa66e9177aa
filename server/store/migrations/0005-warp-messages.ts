/**
 * Cross-chain messages. Those that EVM chains emit are logs of the warp precompile. Those of the P-chain are
 * signed by its validators for transactions about L1s (35 ConvertSubnetToL1Tx, 36 RegisterL1ValidatorTx, 37
 * SetL1ValidatorWeightTx). Both are a small part of their tables, and are listed newest first.
 */
export const warpMessages = `
create index logs_warp on logs (chain, number, index)
  where address = '\\x0200000000000000000000000000000000000005'
    and topic0 = '\\x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d';
create index primary_transactions_l1 on primary_transactions (chain, height, index) where type in (35, 36, 37);
`
