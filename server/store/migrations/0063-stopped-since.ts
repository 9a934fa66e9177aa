/** When a chain stopped (Unix seconds); meaningful while its state is `stopped`. */
export const stoppedSince = {
  columns: { chains: ['stopped_ts bigint'], primary_chains: ['stopped_ts bigint'] },
  sql: '',
}
