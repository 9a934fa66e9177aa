import { z } from 'zod'
import { queryOne } from '../read.ts'

const keptRow = z.strictObject({ traces: z.bigint(), logs: z.bigint() })
/** The blocks from which the internal calls and the logs of a chain are kept; 0 if none were dropped. */
export type Kept = Readonly<z.output<typeof keptRow>>

/**
 * Reads what is kept of a chain. Read it after the rows that it is about, and not in their snapshot: the heights are raised
 * before rows go, so that an answer never lacks rows without saying so.
 */
export const readKept = queryOne(
  keptRow,
  (chain: bigint) => [
    'select traces_from as traces, logs_from as logs from chains where chain = $1',
    [chain],
  ],
  (row) => row ?? { traces: 0n, logs: 0n },
)
