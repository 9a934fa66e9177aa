import type { FastifyRequest } from 'fastify'
import { Refusal, rpcCodes } from './errors.ts'

/** 404: no configured node serves the path. */
export function noEndpoint(request: FastifyRequest): Refusal {
  return new Refusal(
    rpcCodes.methodNotFound,
    `${pathOf(request).slice(0, 200)} is not an endpoint of a node here`,
    {
      status: 404,
    },
  )
}

/** The path as the caller wrote it, without the query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a body; undefined if it is absent or not UTF-8. */
export function decode(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  try {
    return utf8.decode(body)
  } catch {
    // Parsers disagree on invalid UTF-8, so it is refused like invalid JSON.
    return undefined
  }
}
