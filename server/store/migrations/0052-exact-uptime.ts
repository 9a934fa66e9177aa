/**
 * Decimals as the node gives them ("91.1139"): as `real` they were answered as 91.11389923095703, and a bound of 91.1139
 * missed them. Four digits are what nodes report. Rewrites tables that have a row for each validator and hour at most,
 * after the other migrations, because nobody can read a table meanwhile.
 */
export const exactUptime = {
  sql: '',
  after: `
alter table uptime_samples alter column uptime type numeric using round(uptime::numeric, 4);
alter table latest_samples alter column uptime type numeric using round(uptime::numeric, 4);
alter table watch_rounds alter column milliseconds type double precision;
`,
}
