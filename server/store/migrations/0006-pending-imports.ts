/**
 * Chains are indexed side by side, so that an import may come before the export that it spends. What it spends
 * waits here until the exporting chain's indexer makes the UTXO, which is then written as spent. `home` is the
 * chain that imports, `source` the one that exports; `type` the codec's type id of the import. A row older than
 * the head of its source would be a defect.
 */
export const pendingImports = `
create table pending_imports (
  home smallint not null,
  source smallint not null,
  utxo_id bytea not null,
  spent_height bigint not null,
  spent_index integer not null,
  spent_input integer not null,
  spent_ts bigint not null,
  spent_tx bytea not null,
  type smallint not null,
  primary key (home, utxo_id)
);
`
