import { z } from 'zod'
import { queryOne } from '../read.ts'
import type { Place } from './read-transactions.ts'

/**
 * The access list, authorizations and blobs of a transaction as JSON text with the names of JSON-RPC; null if they are too
 * long to be stored, undefined if it has none.
 */
export const readEnvelope = queryOne(
  z.strictObject({ fields: z.string().nullable() }),
  (chain: bigint, { number, index }: Place) => [
    'select fields from envelopes where chain = $1 and number = $2 and tx_index = $3',
    [chain, number, index],
  ],
  (row) => row?.fields,
)
