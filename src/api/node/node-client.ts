import * as z from 'zod/mini'
import { localTokenHeader } from '../../../contract/base/local-token.ts'
import { callText } from '../../../contract/node/node-methods.ts'
import { parseLossless } from '../../../contract/base/json.ts'
import { transport } from '../client.ts'
import { parseRetryAfter } from '../errors.ts'
import { localToken } from '../local-token.ts'
import { methodOf } from './node-request.ts'
import type { NodeTarget } from './node-targets.ts'
import { keys } from '../session.ts'

/**
 * Why a call of a node failed: the browser blocked it, there was no answer, the deadline passed, the status was
 * unexpected, the answer was not valid JSON-RPC or had another shape, or the node refused.
 */
type NodeFailure = 'blocked' | 'network' | 'deadline' | 'status' | 'answer' | 'refused'

type Details = {
  status?: number | undefined
  code?: number | undefined
  data?: unknown
  retryAfter?: number | undefined
  cause?: unknown
}

/**
 * A failed call of a node. `status` is the HTTP status, 0 without an answer; `code`, `data` and the message are
 * those of the JSON-RPC error if the node sent one.
 */
export class NodeError extends Error {
  readonly kind: NodeFailure
  readonly status: number
  readonly code: number | undefined
  readonly data: unknown
  /** Seconds to wait before a retry, as the answer asked. */
  readonly retryAfter: number | undefined

  constructor(kind: NodeFailure, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = 'NodeError'
    this.kind = kind
    this.status = details.status ?? 0
    this.code = details.code
    this.data = details.data
    this.retryAfter = details.retryAfter
  }
}

/** The JSON-RPC code of an unknown method. */
const unknownMethod = -32601

/** Whether a node lacks a method or a whole endpoint. */
export function isAbsent(error: unknown): boolean {
  if (!(error instanceof NodeError)) return false
  return (
    error.code === unknownMethod ||
    error.status === 404 ||
    // Endpoints of the primary network have only a message for this (docs/real-node.md).
    (error.kind === 'refused' && error.message.startsWith("rpc: can't find "))
  )
}

/** The longest answer that is read, in bytes, and the longest wait, in milliseconds. */
const maxBytes = 32 * 1_048_576
const deadline = 30_000

/** An unparsed answer, for display. */
export type Exchange = {
  status: number
  text: string
  bytes: number
  milliseconds: number
  retryAfter: number | undefined
}

async function readText(response: Response, status: number): Promise<{ text: string; bytes: number }> {
  const reader = response.body?.getReader()
  if (!reader) return { text: '', bytes: 0 }
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      throw new NodeError('answer', `The answer is longer than ${maxBytes / 1_048_576} MiB.`, { status })
    }
    parts.push(decoder.decode(value, { stream: true }))
  }
  parts.push(decoder.decode())
  return { text: parts.join(''), bytes }
}

/** Whether the gateway restricts one of these methods to the operator. */
export const needsToken = (target: NodeTarget, methods: readonly string[]): boolean =>
  target.kind === 'gateway' && methods.some((method) => methodOf(method)?.closedBy !== undefined)

/**
 * Posts a body with calls of these methods to a path of a node and returns the answer, whatever its status. Throws a
 * NodeError when there is no readable answer within 30 s; rejects with the signal's reason after an abort.
 */
export async function exchange(
  target: NodeTarget,
  path: string,
  body: string,
  methods: readonly string[],
  signal?: AbortSignal,
): Promise<Exchange> {
  if (target.problem !== undefined) throw new NodeError('blocked', target.problem)
  const timeout = AbortSignal.timeout(deadline)
  const key = target.keyOf && keys.get()[target.keyOf.place]
  // The answer of rpc_modules depends on the caller.
  const sendsToken =
    needsToken(target, methods) || (target.kind === 'gateway' && methods.includes('rpc_modules'))
  const token = sendsToken ? localToken.get() : ''
  const start = performance.now()
  try {
    const response = await transport.send(`${target.base}${path}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(key && target.keyOf && { [target.keyOf.header]: key }),
        ...(token !== '' && { [localTokenHeader]: token }),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      cache: 'no-store',
      credentials: 'omit',
      // Only the chosen node is called, never the target of a redirect.
      redirect: 'error',
    })
    const { text, bytes } = await readText(response, response.status)
    return {
      status: response.status,
      text,
      bytes,
      milliseconds: performance.now() - start,
      retryAfter: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    }
  } catch (cause) {
    if (cause instanceof NodeError) throw cause
    signal?.throwIfAborted()
    if (timeout.aborted)
      throw new NodeError('deadline', `No answer came within ${deadline / 1000} seconds.`, { cause })
    throw new NodeError(
      'network',
      'Nothing answered there, or it does not let pages of this origin read its answers.',
      { cause },
    )
  }
}

const rpcError = z.object({
  code: z.coerce.number(),
  message: z.catch(z.string(), 'The node gave no reason.'),
  data: z.optional(z.unknown()),
})
const rpcAnswer = z.object({ error: rpcError })
const restAnswer = z.object({ message: z.union([z.string(), z.array(z.string())]), statusCode: z.number() })

/** The result in a JSON-RPC answer; throws a NodeError for anything else. */
export function resultOf({ status, text, retryAfter }: Omit<Exchange, 'bytes' | 'milliseconds'>): unknown {
  let body: unknown
  try {
    body = parseLossless(text)
  } catch (cause) {
    // A status other than 200 has a line of plain text, or a proxy's page.
    const line = text.trim().slice(0, 200)
    const words = /^[^<]/.test(line) ? line : `The node answered ${status}.`
    throw new NodeError(status === 200 ? 'answer' : 'status', words, { status, retryAfter, cause })
  }
  const refused = rpcAnswer.safeParse(body)
  if (refused.success) {
    const { code, message, data } = refused.data.error
    throw new NodeError('refused', message, { status, code, data, retryAfter })
  }
  const rest = restAnswer.safeParse(body)
  if (rest.success && status !== 200) {
    const { message } = rest.data
    const words = Array.isArray(message) ? message.join('; ') : message
    throw new NodeError('status', words, { status, retryAfter })
  }
  if (typeof body === 'object' && body !== null && 'result' in body) return body.result
  throw new NodeError(status === 200 ? 'answer' : 'status', `The node answered ${status} without a result.`, {
    status,
  })
}

/** Calls one method of a node and returns the unparsed result. Throws a NodeError. */
export async function callNode(
  target: NodeTarget,
  path: string,
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  return resultOf(await exchange(target, path, callText(method, params), [method], signal))
}
