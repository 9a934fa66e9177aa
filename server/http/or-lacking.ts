import { notFound } from '../kernel/http-errors.ts'
import { NodeRefusal, NodeUnavailable } from '../node/failures.ts'
import { NotIndexed } from './once-indexed.ts'

/**
 * What a node has of what the index lacks, which may be in its blocks to come. Throws a 404 if the node has it neither, and
 * a NotIndexed if it does not answer.
 */
export async function orLacking<Value>(asked: Promise<Value | undefined>, words: string): Promise<Value> {
  let found
  try {
    found = await asked
  } catch (error) {
    // A node says by a refusal, too, that it does not have something.
    if (error instanceof NodeRefusal) throw notFound(words)
    throw error instanceof NodeUnavailable ? new NotIndexed(404, words) : error
  }
  if (found === undefined) throw notFound(words)
  return found
}
