import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { requestTarget } from '../node/request-target.ts'
import { connectionFailure } from '../node/transport.ts'

/** Why an exchange with a node failed; `late` means that the deadline passed. */
type UpstreamFailureKind = 'late' | 'lost' | 'tooLarge' | 'unreachable'

/** A failed exchange. The message never contains the URL or parts of it: they may hold a key. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: UpstreamFailureKind
  constructor(kind: UpstreamFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The beginning of an answer, and the rest as a stream. */
export type Held = {
  readonly head: Buffer
  /** The paused rest of a longer answer. */
  readonly rest: IncomingMessage | undefined
}

type Question = {
  readonly url: string
  /** The body of a POST; undefined for GET. */
  readonly body: string | undefined
  /** Aborts the exchange; its reason is an UpstreamFailure if the deadline passed. */
  readonly signal: AbortSignal
  /** Whether the request may reach the node twice. */
  readonly isRepeatable: boolean
}

/** A pool of kept-alive connections to nodes. */
type Upstream = {
  /** Resolves when the answer's headers have arrived. Rejects with an UpstreamFailure. */
  ask(question: Question): Promise<IncomingMessage>
  close(): void
}

/** Creates the pool. Credentials in a URL become a header. */
export function createUpstream(maxSockets: number): Upstream {
  const options = {
    keepAlive: true,
    maxSockets: maxSockets,
    maxFreeSockets: 64,
    scheduling: 'lifo',
  } as const
  const agents = { plain: new HttpAgent({ ...options, noDelay: true }), secure: new HttpsAgent(options) }

  const once = ({ url, body, signal }: Question): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(failureOf(signal))
      const { isSecure, options: target } = requestTarget(url)
      const outgoing = (isSecure ? httpsRequest : httpRequest)({
        ...target,
        agent: isSecure ? agents.secure : agents.plain,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      })
      const abort = (): void => {
        outgoing.destroy(failureOf(signal))
      }
      signal.addEventListener('abort', abort, { once: true })
      outgoing.once('close', () => signal.removeEventListener('abort', abort))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const code = error.code ?? 'unknown'
        if (error instanceof UpstreamFailure) reject(error)
        else if (outgoing.reusedSocket && code === 'ECONNRESET') reject(new ClosedWhileIdle())
        else
          reject(new UpstreamFailure('unreachable', `the node cannot be reached: ${connectionFailure(code)}`))
      })
      outgoing.once('response', resolve)
      outgoing.end(body)
    })

  return {
    async ask(question) {
      try {
        return await once(question)
      } catch (error) {
        // The node closed the kept-alive connection as it was reused: whether the request arrived is unknown.
        if (!(error instanceof ClosedWhileIdle) || !question.isRepeatable) throw error
        return once(question)
      }
    },
    close() {
      agents.plain.destroy()
      agents.secure.destroy()
    },
  }
}

/** Reads an answer to its end, or until it exceeds `max` bytes. */
export function readUpTo(answer: IncomingMessage, max: number): Promise<Held> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (rest: IncomingMessage | undefined): void => {
      answer.off('data', take).off('end', end).off('error', fail).off('close', fail)
      resolve({ head: Buffer.concat(chunks), rest })
    }
    const take = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= max) return
      answer.pause()
      settle(answer)
    }
    const end = (): void => settle(undefined)
    const fail = (error?: Error): void => reject(brokenOff(error))
    answer.on('data', take).once('end', end).once('error', fail).once('close', fail)
  })
}

/** The rest of a longer answer. Throws an UpstreamFailure if it breaks off or exceeds `max` bytes. */
export async function* restOf(rest: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of rest) {
      size += (chunk as Buffer).length
      if (size > max) throw new UpstreamFailure('tooLarge', 'the answer is larger than the gateway passes on')
      yield chunk as Buffer
    }
  } catch (error) {
    throw brokenOff(error)
  } finally {
    rest.destroy()
  }
}

function brokenOff(error: unknown): UpstreamFailure {
  return error instanceof UpstreamFailure
    ? error
    : new UpstreamFailure('lost', 'the answer of the node broke off')
}

function failureOf(signal: AbortSignal): UpstreamFailure {
  return signal.reason instanceof UpstreamFailure
    ? signal.reason
    : new UpstreamFailure('lost', 'the caller went away')
}

class ClosedWhileIdle extends UpstreamFailure {
  constructor() {
    super('unreachable', 'the node closed the connection')
  }
}
