import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { requestTarget } from './request-target.ts'

/** Why an exchange failed. `network` includes cancelled ones. */
type ExchangeFailureKind = 'network' | 'timeout' | 'tooLarge'

/**
 * A failed exchange. The message contains neither the URL nor parts of it, because they may contain a key.
 */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure'
  readonly kind: ExchangeFailureKind
  constructor(kind: ExchangeFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export type Exchange = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

type ExchangeOptions = {
  /** Timeout of the whole exchange in milliseconds, body included. */
  readonly timeout: number
  /** Ends the exchange early. */
  readonly signal?: AbortSignal
}

/** Posts JSON text to one URL over keep-alive connections. */
export type Transport = {
  /** Returns the complete answer. Rejects with an ExchangeFailure. */
  post(body: string, options: ExchangeOptions): Promise<Exchange>
  close(): void
}

type TransportOptions = {
  readonly url: string
  /** Maximum size of a body in bytes. */
  readonly maxBytes: number
  readonly maxSockets: number
}

/** Creates the transport. Credentials in the URL become a header. */
export function createTransport({ url, maxBytes, maxSockets }: TransportOptions): Transport {
  const target = requestTarget(url)
  const agent = target.isSecure
    ? new HttpsAgent({ keepAlive: true, maxSockets, scheduling: 'lifo' })
    : new HttpAgent({ keepAlive: true, maxSockets, scheduling: 'lifo', noDelay: true })
  const send = target.isSecure ? httpsRequest : httpRequest
  const options = { agent, method: 'POST', ...target.options }

  function exchange(body: Buffer, timeout: number, signal: AbortSignal | undefined): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(cancelled())
      const outgoing = send({
        ...options,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': body.length,
        },
      })
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const fail = (error: ExchangeFailure): void => {
        finish(() => reject(error))
        outgoing.destroy()
      }
      const abort = (): void => fail(cancelled())
      signal?.addEventListener('abort', abort, { once: true })
      // One timeout for connection, headers and body: a stalled body is a late answer.
      const timer = setTimeout(
        () => fail(new ExchangeFailure('timeout', `no complete answer within ${Math.round(timeout)} ms`)),
        timeout,
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const code = error.code ?? 'unknown'
        fail(
          outgoing.reusedSocket && code === 'ECONNRESET'
            ? new ClosedWhileIdle()
            : new ExchangeFailure('network', connectionFailure(code)),
        )
      })
      outgoing.on('response', (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        const broken = (): void => fail(new ExchangeFailure('network', 'the answer broke off'))
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes)
            fail(new ExchangeFailure('tooLarge', `the answer is larger than ${maxBytes} bytes`))
          else chunks.push(chunk)
        })
        answer.on('error', broken)
        answer.on('aborted', broken)
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
      outgoing.end(body)
    })
  }

  return {
    async post(body, { timeout, signal }) {
      const bytes = Buffer.from(body)
      const began = performance.now()
      try {
        return await exchange(bytes, timeout, signal)
      } catch (error) {
        // The node closed an idle connection just as it was reused, so the request never arrived.
        if (!(error instanceof ClosedWhileIdle)) throw error
        return exchange(bytes, Math.max(1, timeout - (performance.now() - began)), signal)
      }
    },
    close: () => agent.destroy(),
  }
}

/** Explains a connection's error code to the person who configured the URL. */
export function connectionFailure(code: string): string {
  if (code === 'ECONNREFUSED') return 'connection refused: does the node run, and listen there?'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host name has no address (${code})`
  if (/^(EPROTO|ERR_SSL_)/.test(code)) return `TLS failed (${code}): does the node speak https there?`
  if (/CERT|SIGNATURE|^ERR_TLS_/.test(code)) return `TLS failed: the certificate is not trusted (${code})`
  return `the connection failed (${code})`
}

const cancelled = (): ExchangeFailure => new ExchangeFailure('network', 'the request was cancelled')

class ClosedWhileIdle extends ExchangeFailure {
  constructor() {
    super('network', 'the connection was closed')
  }
}
