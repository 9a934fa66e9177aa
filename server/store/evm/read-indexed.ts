import { z } from 'zod'
import { chainsParameter, forChains, readChains } from '../chain-reads.ts'
import type { Database } from '../database.ts'
import { read } from '../read.ts'

const indexedRow = z.strictObject({
  chain: z.bigint(),
  /** Null before the indexer has reached the node. */
  state: z.string().nullable(),
  /** The heads of the index and of the node. */
  head: z.bigint().nullable(),
  node: z.bigint().nullable(),
})
type IndexedRow = Readonly<z.output<typeof indexedRow>>

const statement = forChains(
  ({ asked, chainOf }) => `
  select ${chainOf('asked')} as chain, c.state, head.number as head, c.node_block as node
  from ${asked}
  left join chains c on c.chain = ${chainOf('asked')}
  left join lateral (
    select number from blocks b where b.chain = ${chainOf('asked')} order by number desc limit 1) head on true`,
)

/** How far chains are indexed. One whose database server does not answer is left out. */
export const readIndexed = (database: Database, chains: readonly bigint[]): Promise<IndexedRow[]> =>
  readChains(
    database,
    chains,
    (scope) => read(database, indexedRow, statement[scope.form], [chainsParameter(scope)]),
    () => undefined,
  )
