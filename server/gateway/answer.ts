import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { errorText, noId, Refusal } from './errors.ts'
import type { Passed } from './pass.ts'

const json = 'application/json; charset=utf-8'

/**
 * Sends a node's answer unchanged. An answer that fails after its beginning has been sent (broken off, late or too long)
 * ends with a line break and the error: no parser takes that for a complete answer, and a person can read it.
 */
export function sendPassed(
  reply: FastifyReply,
  { status, head, rest }: Passed,
  id: string | undefined,
): FastifyReply {
  void reply.code(status).header('cache-control', 'no-store')
  if (!rest) return head.length === 0 ? reply.send('') : reply.type(json).send(head)
  return reply.type(json).send(Readable.from(withEnding(head, rest, id ?? noId), { objectMode: false }))
}

async function* withEnding(head: Buffer, rest: AsyncGenerator<Buffer>, id: string): AsyncGenerator<Buffer> {
  yield head
  try {
    yield* rest
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    yield Buffer.from(`\n${errorText(id, error.code, error.message)}`)
  }
}

/** Sends a JSON-RPC error with the status of its refusal. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, id: string | undefined): FastifyReply {
  void reply.headers(refusal.headers)
  return sendText(reply, refusal.status, refusal.text(id ?? noId))
}

/** Sends a body made by the gateway. */
export function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type(json).send(text)
}
