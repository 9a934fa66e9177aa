/**
 * Why a transaction failed, as the trace of its block told: a node that prunes its states can't be asked later. `error` is
 * the virtual machine's text for the transaction's own call, `output` what that call returned, at most 1,024 bytes, and
 * `failing_call` the ordinal of the call in which the failure began, -1 for the own call. All are null for a transaction
 * that succeeded or whose block is not traced; `output` also for a revert whose data the node did not tell.
 */
export const failureReasons = {
  columns: {
    transactions: ['error text', 'output bytea', 'failing_call integer'],
  },
  sql: '',
}
