import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { RetryableError } from '../errors.ts'

/** Posts JSON text and returns the answer's text. */
export type Transport = {
  post(
    body: string,
    signal: AbortSignal,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>
  close(): void
}

export type TransportOptions = {
  url: string
  /** Milliseconds for the whole exchange, the body included. */
  timeout: number
  /** The largest body that is read, in bytes. */
  maxBytes: number
  maxSockets: number
}

/**
 * A keep-alive HTTP client for one URL. Credentials in the URL become a header. Errors name neither the
 * URL nor its query: they may hold a key.
 */
export function createTransport({ url, timeout, maxBytes, maxSockets }: TransportOptions): Transport {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets, scheduling: 'lifo' })
    : new HttpAgent({ keepAlive: true, maxSockets, scheduling: 'lifo', noDelay: true })
  const send = secure ? httpsRequest : httpRequest
  const credentials = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`
  const options = {
    agent,
    method: 'POST',
    hostname: target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port,
    path: target.pathname + target.search,
    ...(credentials !== ':' && { auth: credentials }),
  }

  function post(body: string, signal: AbortSignal): ReturnType<Transport['post']> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new RetryableError('network', 'the request was cancelled'))
      const payload = Buffer.from(body)
      const outgoing = send({
        ...options,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': payload.length,
        },
      })
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        settle()
      }
      const fail = (error: RetryableError) => {
        finish(() => reject(error))
        outgoing.destroy()
      }
      const abort = () => fail(new RetryableError('network', 'the request was cancelled'))
      const timer = setTimeout(
        () => fail(new RetryableError('timeout', `no complete answer within ${timeout} ms`)),
        timeout,
      )
      signal.addEventListener('abort', abort, { once: true })
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        fail(new RetryableError('network', `the connection failed (${error.code ?? 'unknown'})`)),
      )
      outgoing.on('response', (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) fail(new RetryableError('malformed', `the answer passes ${maxBytes} bytes`))
          else chunks.push(chunk)
        })
        answer.on('error', () => fail(new RetryableError('network', 'the answer broke off')))
        answer.on('aborted', () => fail(new RetryableError('network', 'the answer broke off')))
        answer.on('end', () =>
          finish(() =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          ),
        )
      })
      outgoing.end(payload)
    })
  }

  return { post, close: () => agent.destroy() }
}
