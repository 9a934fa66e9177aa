import type { FastifyRequest } from 'fastify'
import { Refusal, rpcCodes } from './errors.ts'

/** 404: no configured node has what the path names. */
export function noEndpoint(request: FastifyRequest): Refusal {
  return new Refusal(
    rpcCodes.methodNotFound,
    `${pathOf(request).slice(0, 200)} is no endpoint of a node here`,
    {
      status: 404,
    },
  )
}

/** The path as it was written, without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a body; undefined for none, or for bytes that are no UTF-8. */
export function decode(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  try {
    return utf8.decode(body)
  } catch {
    // Bytes that readers decode each in their own way are refused like any text that is no JSON.
    return undefined
  }
}
