import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { requestTarget } from '../node/request-target.ts'

/** Why an exchange with a node came to nothing; `late` is the deadline's end. */
export type UpstreamFailureKind = 'late' | 'lost' | 'tooLarge' | 'unreachable'

/** A failed exchange, in words that name neither the URL nor what is in it: they may hold a key. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: UpstreamFailureKind
  constructor(kind: UpstreamFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The beginning of an answer, and what is still to come. */
export type Held = {
  readonly head: Buffer
  /** The answer is longer: the rest waits here, paused. */
  readonly rest: IncomingMessage | undefined
}

export type Question = {
  readonly url: string
  /** Undefined asks by GET. */
  readonly body: string | undefined
  /** Ends the exchange; its reason is an UpstreamFailure when it is the deadline's. */
  readonly signal: AbortSignal
  /** Whether the question may reach the node twice. */
  readonly isRepeatable: boolean
}

/** Connections to nodes that stay open. */
export type Upstream = {
  /** The answer as soon as its headers are there. Rejects with an UpstreamFailure. */
  ask(question: Question): Promise<IncomingMessage>
  close(): void
}

/** Makes the connections. Credentials in a URL become a header. */
export function createUpstream(mostSockets: number): Upstream {
  const options = {
    keepAlive: true,
    maxSockets: mostSockets,
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
        else reject(new UpstreamFailure('unreachable', `the node can not be reached (${code})`))
      })
      outgoing.once('response', resolve)
      outgoing.end(body)
    })

  return {
    async ask(question) {
      try {
        return await once(question)
      } catch (error) {
        // The node closed the kept connection just as it was taken again. Whether the question arrived is unknown.
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

/** Reads an answer until its end, or until there is more than `most` bytes of it. */
export function hold(answer: IncomingMessage, most: number): Promise<Held> {
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
      if (size <= most) return
      answer.pause()
      settle(answer)
    }
    const end = (): void => settle(undefined)
    const fail = (error?: Error): void => reject(brokenOff(error))
    answer.on('data', take).once('end', end).once('error', fail).once('close', fail)
  })
}

/** What is left of a longer answer. Throws an UpstreamFailure where it breaks off or grows past `most` bytes. */
export async function* restOf(rest: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of rest) {
      size += (chunk as Buffer).length
      if (size > most)
        throw new UpstreamFailure('tooLarge', 'the answer is larger than the gateway passes on')
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
