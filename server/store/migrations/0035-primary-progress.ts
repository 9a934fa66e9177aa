/**
 * How fast a chain of the primary network was catching up when it was last measured, and what bounded it: what
 * `sync_progress` is to the EVM chains. Columns of its row, because `sync_progress` may be distributed over other servers,
 * and these chains must not depend on one.
 */
export const primaryProgress = {
  columns: {
    primary_chains: [
      'sync_ts bigint',
      'sync_rate double precision',
      "sync_bound text check (sync_bound in ('node', 'database', 'decoding'))",
    ],
  },
  sql: '',
}
