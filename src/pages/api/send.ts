import { limitHeaders } from '../../../contract/base/limit-headers.ts'
import { ApiError } from '../../api/errors.ts'
import { parseLossless } from '../../../contract/base/json.ts'
import type { Sendable } from './commands.ts'

/** An answer, whatever its status. */
export type Answer = {
  status: number
  /** Bytes after decompression. */
  bytes: number
  milliseconds: number
  /** Those that say something about limits, the request or the content. */
  headers: readonly (readonly [name: string, value: string])[]
  text: string
  /** The parsed body; absent where it is not JSON. */
  json?: { value: unknown }
}

const shown = [...limitHeaders, 'content-type']

/** The longest answer that is read, in bytes. */
const max = 32_000_000

async function bytesOf(response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > max) {
      await reader.cancel()
      throw new ApiError('answer', 'The answer is longer than 32 MB.', {
        status: response.status,
        name: 'Too long',
      })
    }
    pieces.push(value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** Sends a request once and reads its answer. ApiError when there is none; the signal's reason when it aborts. */
export async function send(request: Sendable, signal: AbortSignal): Promise<Answer> {
  const { method, url, headers = {}, body } = request
  const begun = performance.now()
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      signal,
    })
    const bytes = await bytesOf(response)
    const milliseconds = performance.now() - begun
    const text = new TextDecoder().decode(bytes)
    const answer: Answer = {
      status: response.status,
      bytes: bytes.length,
      milliseconds,
      headers: shown.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value] as const]
      }),
      text,
    }
    try {
      return text === '' ? answer : { ...answer, json: { value: parseLossless(text) } }
    } catch {
      // An answer that is not JSON is shown as the text that it is.
      return answer
    }
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ApiError) throw cause
    throw new ApiError('network', 'The service could not be reached.', { name: 'Network', cause })
  }
}
