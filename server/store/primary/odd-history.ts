import { z } from 'zod'

/** What is odd about a transaction or block (contract/primary/odd-history.ts); null for nothing. */
export const oddRows = z.array(z.strictObject({ kind: z.string(), detail: z.string() })).nullable()

/** The column of `oddRows`: of the transaction `index` of the block of the row `of`, or of the block itself for -1. */
export const oddColumn = (index: string, of = 't'): string => `(
  select json_agg(json_build_object('kind', o.kind, 'detail', o.detail) order by o.kind, o.detail)
  from odd_history o where o.chain = $1 and o.height = ${of}.height and o.index = ${index})`
