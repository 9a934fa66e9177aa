/**
 * The highest stored block that the node itself regards as final (its tag `finalized`), which pages and answers show.
 * `finalized_block` is how deep a reorg may go before the indexer stops instead of following it. Null if the node does
 * not tell.
 */
export const nodeFinality = {
  columns: {
    chains: ['node_finalized bigint'],
  },
  sql: '',
}
