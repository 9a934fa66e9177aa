import { columnsOf, hex, integer, nullable, rowOf, text } from '../json-rows.ts'
import { query } from '../read.ts'

const fields = {
  /** -1 for the transaction's own call. */
  ordinal: integer('k.ordinal'),
  to: nullable(hex('k.recipient')),
  input: nullable(hex('case when k.size <= $3 then k.input end')),
  output: nullable(hex('case when k.size <= $3 then k.output end')),
  error: nullable(text('k.error')),
}

/**
 * What a transaction's calls were given and what they returned, as far as it is stored (kept-call-data.ts): its own call
 * first, then the others in the order of execution. Calls behind the first `maxBytes` have neither.
 */
export const readCallData = query(rowOf(fields), (chain: bigint, hash: Buffer, maxBytes: number) => [
  `select ${columnsOf(fields)} from (
       select *, sum(coalesce(length(input), 0) + coalesce(length(output), 0)) over (order by ordinal) as size
       from (select number, index from transactions where hash = $2 and chain = $1) t
       cross join lateral (
         select -1 as ordinal, recipient, input, output, error from transactions o
         where o.chain = $1 and o.number = t.number and o.index = t.index
         union all
         select ordinal, recipient, input, output, error from calls c
         where c.chain = $1 and c.number = t.number and c.tx_index = t.index) own_and_inner) k
     order by k.ordinal`,
  [chain, hash, maxBytes],
])
