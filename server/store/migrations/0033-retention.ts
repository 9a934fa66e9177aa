/**
 * The blocks from which the inner calls and the logs of a chain are kept (`keepTraces`, `keepLogs`): rows of lower
 * blocks are dropped, or are about to be. 0 while nothing was dropped. They are raised before the first row goes.
 */
export const retention = {
  columns: {
    chains: ['traces_from bigint not null default 0', 'logs_from bigint not null default 0'],
  },
  sql: '',
}
