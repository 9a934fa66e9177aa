import { z } from 'zod'
import type { NodeClient } from './client.ts'
import { NodeUnavailable } from './failures.ts'

/** What a node answered, read; undefined for null. Throws a NodeUnavailable for anything else. */
export async function askFor<Read>(
  client: NodeClient,
  schema: z.ZodType<Read>,
  method: string,
  params: readonly unknown[],
): Promise<Read | undefined> {
  const answer = await client.call(method, params)
  if (answer === null || answer === undefined) return undefined
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  throw new NodeUnavailable(client.chainName, 'malformed', `${method}: ${z.prettifyError(read.error)}`)
}
