/**
 * Chains are indexed in parallel, so an import may be stored before the export that it spends. Such an import
 * waits here until the exporting chain's indexer creates the UTXO, which is then written as spent. `home` is
 * the importing chain, `source` the exporting one; `type` is the codec's type id of the import. A row older
 * than the head of its source would be a defect.
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
