/** What a transaction with blobs paid for them (EIP-4844), by its receipt. Null for other transactions. */
export const blobFees = {
  columns: {
    transactions: ['blob_gas_used bigint', 'blob_gas_price numeric'],
  },
  sql: '',
}
