import { z } from 'zod'
import { localTokenHeader } from '../../../contract/base/local-token.ts'
import { parseLossless } from '../../lib/json.ts'
import { parseRetryAfter } from '../errors.ts'
import { localToken } from '../local-token.ts'
import { methodOf } from './node-request.ts'
import type { NodeTarget } from './node-targets.ts'
import { keys } from '../session.ts'

/**
 * Why a node gave no result: the browser may not reach it, nothing came, it took too long, it answered with
 * another status, the answer is none of JSON-RPC or of another shape, or the node itself refused.
 */
export type NodeFailure = 'blocked' | 'network' | 'deadline' | 'status' | 'answer' | 'refused'

type Details = {
  status?: number | undefined
  code?: number | undefined
  data?: unknown
  retryAfter?: number | undefined
  cause?: unknown
}

/**
 * A call of a node that failed. `status` is the HTTP status, 0 when no answer came; `code` and `data` are
 * those of the JSON-RPC error where the node sent one, and the message is the node's own then.
 */
export class NodeError extends Error {
  readonly kind: NodeFailure
  readonly status: number
  readonly code: number | undefined
  readonly data: unknown
  /** Seconds to wait before another try, as the answer asked. */
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

/** The code that JSON-RPC gives to a method which a node does not have. */
export const unknownMethod = -32601

/** Whether a node lacks a method, or an endpoint altogether. */
export function isAbsent(error: unknown): boolean {
  if (!(error instanceof NodeError)) return false
  return (
    error.code === unknownMethod ||
    error.status === 404 ||
    // Endpoints of the primary network say it by words alone (docs/real-node.md).
    (error.kind === 'refused' && error.message.startsWith("rpc: can't find "))
  )
}

/** Longest answer that is read, in bytes, and longest wait for one, in milliseconds. */
const mostBytes = 32 * 1_048_576
const deadline = 30_000

/** What went over the wire: for a person to read, whatever it is. */
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
    if (bytes > mostBytes) {
      await reader.cancel()
      throw new NodeError('answer', `The answer is longer than ${mostBytes / 1_048_576} MiB.`, { status })
    }
    parts.push(decoder.decode(value, { stream: true }))
  }
  parts.push(decoder.decode())
  return { text: parts.join(''), bytes }
}

/** Whether a gateway passes one of these methods on to the operator alone. */
export const needsToken = (target: NodeTarget, methods: readonly string[]): boolean =>
  target.kind === 'gateway' && methods.some((method) => methodOf(method)?.closedBy !== undefined)

/**
 * Posts a body with calls of these methods to a path below a node's base and reads the answer, whatever its status.
 * Throws a NodeError when nothing readable came within 30 s; the signal's own reason when the caller gave up.
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
  const key = target.keyOf && keys.get()[target.keyOf.profile]
  // What rpc_modules names depends on who asks.
  const sendsToken =
    needsToken(target, methods) || (target.kind === 'gateway' && methods.includes('rpc_modules'))
  const token = sendsToken ? localToken.get() : ''
  const start = performance.now()
  try {
    const response = await fetch(`${target.base}${path}`, {
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
      // Only the node that the person chose is asked, never where it may point to.
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
  message: z.string().catch('The node gave no reason.'),
  data: z.unknown().optional(),
})
const rpcAnswer = z.object({ error: rpcError })
const restAnswer = z.object({ message: z.union([z.string(), z.array(z.string())]), statusCode: z.number() })

/** The result in the text of a JSON-RPC answer; throws a NodeError for anything else. */
export function resultOf({ status, text, retryAfter }: Omit<Exchange, 'bytes' | 'milliseconds'>): unknown {
  let body: unknown
  try {
    body = parseLossless(text)
  } catch (cause) {
    // A status other than 200 comes with a line of plain text, or with the page of a proxy.
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

/** The text of one JSON-RPC call. */
export function callText(method: string, params: unknown, id: number | string = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** Calls one method of a node and gives its result as it came. Throws a NodeError. */
export async function callNode(
  target: NodeTarget,
  path: string,
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  return resultOf(await exchange(target, path, callText(method, params), [method], signal))
}
