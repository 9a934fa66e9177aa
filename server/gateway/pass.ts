import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { GatewayConfig } from '../kernel/settings/config.ts'
import { evictOldest } from '../kernel/evict-oldest.ts'
import { withOwnAnswers } from './batch-answer.ts'
import { callsOf, refusedItem, type Item, type Message } from './calls.ts'
import { noId, Refusal, rpcCodes } from './errors.ts'
import { checkLogRange, rangedMethods } from './log-range.ts'
import { onlyNamespaces } from './modules.ts'
import { createConcurrencyLimiter } from './concurrency-limiter.ts'
import { redact, secretsOf } from './secrets.ts'
import type { Target } from './targets.ts'
import { createUpstream, readUpTo, restOf, UpstreamFailure, type Held } from './upstream.ts'

/** A node's answer. Its beginning is buffered, so that an early failure can still be reported as an error. */
export type Passed = {
  readonly status: number
  /** Empty when the node sends no answer, as for notifications. */
  readonly head: Buffer
  /** The rest of the answer; undefined if `head` is complete. Throws a Refusal. */
  readonly rest: AsyncGenerator<Buffer> | undefined
}

/** The client that waits for an answer. */
export type Asker = {
  /** The same for all requests of one client. */
  readonly client: string
  /** Aborts when the client stops waiting. */
  readonly gone: AbortSignal
}

/** Passes checked messages to nodes. */
export type Pass = {
  /**
   * Sends a message to the node. The deadline covers the whole answer, which is cancelled when the client disconnects.
   * The concurrency limiter keeps slots free for other clients. Refused calls of a batch are answered in their place.
   * `rpc_modules` is sent separately, so that its answer can be reduced to the namespaces that pass. Rejects with a
   * Refusal.
   */
  message(target: Target, message: Message, asker: Asker): Promise<Passed>
  /** A health check by GET. */
  health(target: Target, query: string, asker: Asker): Promise<Passed>
  close(): void
}

/** Bytes of an answer that are buffered before the first one is passed on. */
const heldBytes = 256 * 1024
/** Characters of a node's text that an error may quote. */
const longestQuote = 200
/** Milliseconds for which a node's height is cached. */
const headFor = 1_000
const maxHeads = 64

/** Creates the proxy to the nodes. `now` is a monotonic clock in milliseconds. */
export function createPass(config: GatewayConfig, now: () => number): Pass {
  const upstream = createUpstream(config.maxUnderway)
  const heads = new Map<string, { readonly until: number; readonly height: Promise<bigint> }>()
  // The request for a height is shared, so no single caller's abort may cancel it.
  const own: Asker = { client: 'the service', gone: new AbortController().signal }
  setMaxListeners(0, own.gone)
  const limiter = createConcurrencyLimiter(config.maxUnderway)

  const exchange = async (
    target: Target,
    question: { readonly url: string; readonly body: string | undefined; readonly isRepeatable: boolean },
    { client, gone }: Asker,
  ): Promise<Passed> => {
    const releaseSlot = limiter.acquire(client)
    const ending = new AbortController()
    const leave = (): void => ending.abort()
    gone.addEventListener('abort', leave, { once: true })
    if (gone.aborted) leave()
    const late = new UpstreamFailure('late', `no complete answer within ${config.deadlineSeconds} s`)
    const deadline = setTimeout(() => ending.abort(late), config.deadlineSeconds * 1_000)
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      releaseSlot()
      clearTimeout(deadline)
      gone.removeEventListener('abort', leave)
    }
    const told = (error: unknown): unknown => toRefusal(ending.signal.reason === late ? late : error, config)
    async function* passOn(rest: IncomingMessage, max: number): AsyncGenerator<Buffer> {
      try {
        yield* restOf(rest, max)
      } catch (error) {
        throw told(error)
      }
    }
    try {
      const answer = await upstream.ask({ ...question, signal: ending.signal })
      const { status, held } = await holdAnswer(answer, target, config)
      if (held.rest) {
        // Runs whether the answer is read to its end, abandoned or never begun; the deadline is the latest time.
        held.rest.once('close', release)
        return { status, head: held.head, rest: passOn(held.rest, config.answerBytes - held.head.length) }
      }
      release()
      return { status, head: held.head, rest: undefined }
    } catch (error) {
      release()
      throw told(error)
    }
  }

  const headOf = (target: Target): Promise<bigint> => {
    const known = heads.get(target.url)
    if (known && known.until > now()) return known.height
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
    const height = exchange(target, { url: target.url, body, isRepeatable: true }, own).then(readHeight)
    heads.delete(target.url)
    heads.set(target.url, { until: now() + headFor, height })
    height.catch(() => heads.delete(target.url))
    evictOldest(heads, maxHeads)
    return height
  }

  return {
    async message(target, message, asker) {
      const { isBatch } = message
      // Everything is checked before anything is asked.
      const checked: Item[] = []
      for (const item of message.items)
        checked.push(await checkRange(item, isBatch, config, () => headOf(target)))
      const items: Item[] = []
      for (const item of checked)
        items.push(await askNamespaces(item, (body) => exchange(target, { ...body, url: target.url }, asker)))
      const calls = callsOf({ items })
      if (calls.length === 0) return ownAnswers(items, isBatch)
      const texts = calls.map(({ text }) => text)
      const body = isBatch ? `[${texts.join(',')}]` : texts.join('')
      const isRepeatable = calls.every(({ method }) => !method.facts.isWriting)
      const passed = await exchange(target, { url: target.url, body, isRepeatable }, asker)
      return calls.length === items.length ? passed : withOwnAnswers(passed, items)
    },
    health: (target, query, asker) =>
      exchange(target, { url: target.url + query, body: undefined, isRepeatable: true }, asker),
    close: () => upstream.close(),
  }
}

/** The call, or in a batch the error of its refused range. Rejects with the Refusal for a single call. */
async function checkRange(
  item: Item,
  isBatch: boolean,
  config: GatewayConfig,
  head: () => Promise<bigint>,
): Promise<Item> {
  if ('answer' in item || !rangedMethods.has(item.call.method.nodeName)) return item
  const { params, id } = item.call
  try {
    await checkLogRange(params, config.logRange, head)
    return item
  } catch (error) {
    // A node that does not answer with its height would not answer the rest of the batch either.
    if (!(error instanceof Refusal) || !isBatch || error.status !== 200) throw error
    return refusedItem(error, id, id === undefined)
  }
}

/** The call, already answered if it is `rpc_modules`. Rejects with a Refusal. */
async function askNamespaces(
  item: Item,
  ask: (question: { readonly body: string; readonly isRepeatable: true }) => Promise<Passed>,
): Promise<Item> {
  if ('answer' in item || item.call.namespaces === undefined) return item
  const { id, text, namespaces } = item.call
  const { head, rest } = await ask({ body: text, isRepeatable: true })
  await endUnread(rest)
  if (rest) {
    throw new Refusal(rpcCodes.limit, `the answer to rpc_modules is larger than ${heldBytes} bytes`, {
      status: 502,
    })
  }
  // A notification gets no answer.
  return {
    answer: head.length === 0 ? undefined : onlyNamespaces(head.toString('utf8'), namespaces, id ?? noId),
  }
}

/** The answer to a message that the gateway answers completely. */
function ownAnswers(items: readonly Item[], isBatch: boolean): Passed {
  const none = { status: 200, head: Buffer.alloc(0), rest: undefined }
  if (isBatch) return withOwnAnswers(none, items)
  const texts = items.flatMap((item) => ('answer' in item ? (item.answer ?? []) : []))
  return { ...none, head: Buffer.from(texts.join('')) }
}

/** Checks the status and content type of an answer before any byte is passed on. */
async function holdAnswer(
  answer: IncomingMessage,
  target: Target,
  { answerBytes }: GatewayConfig,
): Promise<{ readonly status: number; readonly held: Held }> {
  const status = answer.statusCode ?? 0
  const type = answer.headers['content-type'] ?? ''
  const announced = Number(answer.headers['content-length'] ?? 0)
  if (announced > answerBytes) {
    answer.destroy()
    throw tooLarge(answerBytes)
  }
  const { head, rest } = await readUpTo(answer, Math.min(heldBytes, answerBytes))
  if (head.length > answerBytes) {
    answer.destroy()
    throw tooLarge(answerBytes)
  }
  const secrets = secretsOf(target.url)
  const isHealth = target.endpoints.includes('health') && status === 503
  if (status !== 200 && !isHealth) {
    rest?.destroy()
    throw refusalOf(status, redact(head.subarray(0, 4_096), secrets), target, answer.headers['retry-after'])
  }
  if (head.length === 0) return { status, held: { head, rest } }
  if (!/^application\/json\b/i.test(type)) {
    rest?.destroy()
    throw new Refusal(rpcCodes.general, `${target.label} of the node does not answer JSON`, { status: 502 })
  }
  return { status, held: { head: redact(head, secrets), rest } }
}

/** The error for a node's plain-text answer. */
function refusalOf(status: number, body: Buffer, target: Target, retryAfter: string | undefined): Refusal {
  const words = body.toString('utf8').replaceAll(/\s+/g, ' ').trim()
  // A node's own refusal is one short line; longer text may be any page of a proxy.
  const quoted = /^[\w ,.;:'()>/-]+$/.test(words) && words.length <= longestQuote ? `: ${words}` : ''
  const told = (as: number): Refusal =>
    new Refusal(
      as === 404 ? rpcCodes.methodNotFound : rpcCodes.general,
      `the node answered ${status}${quoted}`,
      {
        status: as,
        ...(retryAfter !== undefined &&
          /^\d{1,6}$/.test(retryAfter) && { headers: { 'retry-after': retryAfter } }),
      },
    )
  if (status === 404) {
    return new Refusal(rpcCodes.methodNotFound, `the node has no ${target.label}${quoted}`, { status: 404 })
  }
  return told(status === 413 || status === 429 || status === 503 ? status : 502)
}

function tooLarge(max: number): Refusal {
  return new Refusal(rpcCodes.limit, `the answer is larger than ${max} bytes`, { status: 502 })
}

/** The refusal that reports a failed exchange. */
function toRefusal(error: unknown, { answerBytes }: GatewayConfig): unknown {
  if (!(error instanceof UpstreamFailure)) return error
  if (error.kind === 'tooLarge') return tooLarge(answerBytes)
  const status = error.kind === 'late' ? 504 : 502
  return new Refusal(rpcCodes.general, error.message, { status, cause: error })
}

async function readHeight({ head, rest }: Passed): Promise<bigint> {
  await endUnread(rest)
  try {
    const { result } = JSON.parse(head.toString('utf8')) as { result?: unknown }
    if (typeof result === 'string' && /^0x[0-9a-f]{1,16}$/i.test(result)) return BigInt(result)
  } catch {
    // Invalid JSON is reported below, like any other unusable answer.
  }
  throw new Refusal(rpcCodes.general, 'the node does not tell its height', { status: 502 })
}

async function endUnread(rest: Passed['rest']): Promise<void> {
  // A generator that has not started needs no cleanup.
  await rest?.next()
  await rest?.return(undefined)
}
