import { z } from 'zod'
import { queryOne } from '../read.ts'

/** The `reason` column of `node_names` (server/store/schema/evm-blocks.ts). */
export const nodeNameReasons = { impersonated: 1, system: 2 } as const

/** Why the hash of a transaction is only the node's name for it; undefined if it is the hash of its fields. */
export const readNodeName = queryOne(
  z.strictObject({ reason: z.number() }),
  (chain: bigint, number: bigint, index: number) => [
    `select reason from node_names where chain = $1 and number = $2 and index = $3`,
    [chain, number, index],
  ],
)
