import { Agent as HttpAgent, request as httpRequest, type ClientRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { NodeFailure } from './failures.ts'

/** A failed exchange, in words that name neither the URL nor what is in it. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure'
  readonly kind: NodeFailure
  constructor(kind: NodeFailure, message: string) {
    super(message)
    this.kind = kind
  }
}

export type Exchange = { readonly status: number; readonly text: string }

/** Posts JSON text to one URL over connections that stay open. */
export type Transport = {
  /** The answer, read whole within `timeout` milliseconds. Rejects with an ExchangeFailure. */
  post(body: string, timeout: number): Promise<Exchange>
  close(): void
}

export type TransportOptions = {
  readonly url: string
  /** The largest body that is read, in bytes. */
  readonly maxBytes: number
  readonly maxSockets: number
}

/** Makes the transport. Credentials in the URL become a header. */
export function createTransport({ url, maxBytes, maxSockets }: TransportOptions): Transport {
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

  function exchange(body: Buffer, timeout: number): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      const outgoing: ClientRequest = send({
        ...options,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'content-length': body.length,
        },
      })
      const fail = (error: ExchangeFailure): void => {
        clearTimeout(timer)
        reject(error)
        outgoing.destroy()
      }
      // One clock for the connection, the headers and the whole body: a stalled body is a late answer.
      const timer = setTimeout(
        () => fail(new ExchangeFailure('timeout', `no complete answer within ${timeout} ms`)),
        timeout,
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const code = error.code ?? 'unknown'
        fail(
          outgoing.reusedSocket && code === 'ECONNRESET'
            ? new ClosedWhileIdle()
            : new ExchangeFailure('network', `the connection failed (${code})`),
        )
      })
      outgoing.on('response', (answer) => {
        const chunks: Buffer[] = []
        let size = 0
        const broken = (): void => fail(new ExchangeFailure('network', 'the answer broke off'))
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes)
            fail(new ExchangeFailure('malformed', `the answer is larger than ${maxBytes} bytes`))
          else chunks.push(chunk)
        })
        answer.on('error', broken)
        answer.on('aborted', broken)
        answer.on('end', () => {
          clearTimeout(timer)
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
        })
      })
      outgoing.end(body)
    })
  }

  return {
    async post(body, timeout) {
      const bytes = Buffer.from(body)
      try {
        return await exchange(bytes, timeout)
      } catch (error) {
        // The node closed the kept connection just as it was taken again: the question never arrived.
        if (error instanceof ClosedWhileIdle) return exchange(bytes, timeout)
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}

class ClosedWhileIdle extends ExchangeFailure {
  constructor() {
    super('network', 'the connection was closed')
  }
}
