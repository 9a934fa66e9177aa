import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import { parseLossless } from '../../contract/base/json.ts'
import { inEnglish } from '../../contract/base/english.ts'
import type { Operation } from '../../contract/base/operation.ts'
import { failuresOf } from '../../contract/document/statuses.ts'
import { badRequest, errorAnswer, HttpError } from '../kernel/http-errors.ts'
import type { Access, Surface } from './access.ts'
import { asksForHosted, toHostedForm } from './hosted-form.ts'
import { toJson } from './json.ts'
import { lackedFields, sentFields } from './sent-fields.ts'

declare module 'fastify' {
  // Only an interface merges with the module's own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** The id of the contract's operation of this route. */
    operation?: string
  }
}

/** A handler's input: parameters and body, parsed with the contract's schemas. */
type Input<O extends Operation> = {
  readonly params: z.output<O['params']>
  readonly query: z.output<O['query']>
  readonly body: NonNullable<O['body']> extends infer B
    ? B extends Operation['params']
      ? z.output<B>
      : undefined
    : undefined
  readonly request: FastifyRequest
}

/** An answer that is JSON text already, for example rows written by PostgreSQL. */
export class JsonText {
  readonly text: string
  /** Set once the text has been validated: a cached answer is validated once. */
  checked = false
  constructor(text: string) {
    this.text = text
  }
}

/** An answer that is not JSON, such as a picture, with the tag of its content (RFC 9110, 8.8.3). */
export class MediaAnswer {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
  /** An undefined one is not sent, although all other answers have it. */
  readonly headers: Readonly<Record<string, string | undefined>>
  constructor(media: {
    type: string
    body: Buffer
    etag: string
    headers?: Readonly<Record<string, string | undefined>>
  }) {
    this.type = media.type
    this.body = media.body
    this.etag = media.etag
    this.headers = media.headers ?? {}
  }
}

/** An answer that is sent while it is made. It is not validated: its JSON may be larger than memory. */
export class StreamAnswer {
  readonly type: string
  readonly body: Readable
  readonly headers: Readonly<Record<string, string>>
  constructor(type: string, body: Readable, headers: Readonly<Record<string, string>> = {}) {
    this.type = type
    this.body = body
    this.headers = headers
  }
}

type SetHeaders = (headers: Readonly<Record<string, string>>) => void

/** An operation of the contract and its handler. */
export type Implementation = {
  readonly operation: Operation
  /** `setHeaders` adds to the headers of every answer. */
  readonly handle: (input: Input<Operation>, setHeaders: SetHeaders) => unknown
  readonly body?: BodyLimit
  /** What its callers need a proof for (server/http/access.ts); without it, it is open to whoever reaches the service. */
  readonly surface?: Surface
}

/** The body limit of an operation in bytes, instead of the service's `limits.bodyBytes`. */
export type BodyLimit = {
  readonly bytes: number
  /** The message of the 400 for a larger body. */
  readonly complaint: string
}

/** The route options for such bodies. */
export function routeOfBody({ bytes, complaint }: BodyLimit): RouteShorthandOptions {
  return {
    bodyLimit: bytes,
    errorHandler(error) {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') throw badRequest([complaint])
      throw error
    },
  }
}

/** What a handler returns: the answer, JsonText with the answer's JSON, a stream, or an answer that is not JSON. */
type Handled<O extends Operation> = z.input<O['response']> | JsonText | MediaAnswer | StreamAnswer

/** Binds a handler to its operation. */
export function implement<O extends Operation>(
  operation: O,
  handle: (input: Input<O>) => Promise<Handled<O>> | Handled<O>,
  body?: BodyLimit,
): Implementation {
  // The binding parses with the operation's own schemas, so the handler gets the types of its operation.
  return { operation, handle: handle as unknown as Implementation['handle'], ...(body && { body }) }
}

/** An implementation whose callers need a proof, which is checked before anything of the request is read. */
export const behind = (surface: Surface, implementation: Implementation): Implementation => ({
  ...implementation,
  surface,
})

type BindOptions = {
  readonly access: Access
  /** Of the answers in JsonText, one in this many is validated against the contract. */
  readonly checkEvery: number
}

/**
 * Makes a route of every operation. An operation without an implementation answers 501. Requests are parsed with the
 * contract (400 with a line for each invalid field). Answers are validated with it before they are sent: an invalid
 * one, and a status that the document does not have for the operation, is a 500, with details in the log.
 */
export function bindOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  implementations: readonly Implementation[],
  options: BindOptions,
): void {
  const found = new Map(implementations.map((item) => [item.operation.id, item]))
  for (const operation of operations) {
    const implementation = found.get(operation.id)
    app.route({
      method: operation.method,
      url: routePath(operation.path),
      config: { operation: operation.id },
      ...(implementation?.body && routeOfBody(implementation.body)),
      ...(implementation?.surface !== undefined && options.access.guard(implementation.surface)),
      handler: implementation
        ? handler(implementation, options)
        : (_request, reply) => reply.code(501).send(errorAnswer(501, `${operation.id} is not implemented`)),
    })
  }
}

/** The router's pattern for a path of the contract: `{x}` is a parameter, a colon is literal. */
export function routePath(path: string): string {
  return path.replaceAll(':', '::').replaceAll(/\{(\w+)\}(.)?/g, (_text, name: string, next = '') => {
    if (next === ':') return `:${name}(^[^/:]+):`
    return next === '.' ? `:${name}(^[^/.]+).` : `:${name}${next}`
  })
}

function handler({ operation, handle }: Implementation, options: BindOptions) {
  let texts = 0
  const sent = sentFields(operation.response)
  const check = (answer: unknown): void => checkAnswer(operation, sent, answer)
  const declared: ReadonlySet<number> = new Set(failuresOf(operation))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const input = readInput(operation, request)
    let answer
    try {
      answer = await handle(input, (headers) => void reply.headers(headers))
    } catch (error) {
      if (!(error instanceof HttpError) || declared.has(error.status)) throw error
      throw new AnswerMismatch(`${operation.id}: the status ${error.status} is not in its document`, {
        cause: error,
      })
    }
    if (answer instanceof MediaAnswer) return sendMedia(operation, answer, request, reply)
    if (answer instanceof StreamAnswer) return sendStream(operation, answer, request, reply)
    const isHosted = asksForHosted(request.originalUrl)
    void reply.code(operation.success).type('application/json; charset=utf-8')
    if (answer instanceof JsonText) {
      if (!answer.checked && texts++ % options.checkEvery === 0) check(parseLossless(answer.text))
      answer.checked = true
      // An answer without a body has the same form everywhere.
      if (!isHosted || answer.text === '') return reply.send(answer.text)
      return reply.send(toJson(toHostedForm(request.params, parseLossless(answer.text))))
    }
    check(answer)
    return reply.send(toJson(isHosted ? toHostedForm(request.params, answer) : answer))
  }
}

/** Sends an answer while it is made. */
function sendStream(
  { success }: Operation,
  { type, body, headers }: StreamAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // An answer that breaks off resets its connection: to HTTP/1.0, which nginx speaks to a service unless told otherwise,
  // the end of the connection is the end of the answer.
  body.once('error', () => request.raw.socket.resetAndDestroy())
  return reply
    .code(success)
    .type(type)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .send(body)
}

/** The entity tag of all that an answer is made from; weak, because the same answer may travel compressed. */
export const weakTag = (content: string | Buffer): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`

/** Whether an `If-None-Match` header has the tag; weakly, as RFC 9110 demands (13.1.2). */
export function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/** Sends an answer that is not JSON; a 304 without it if the caller has it already. */
function sendMedia(
  { id, success, mediaTypes }: Operation,
  { type, body, etag, headers }: MediaAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (mediaTypes?.includes(type) !== true) throw new AnswerMismatch(`${id}: ${type} is not in the contract`)
  for (const [name, value] of Object.entries({ ...headers, etag })) {
    if (value === undefined) reply.removeHeader(name)
    else void reply.header(name, value)
  }
  if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.code(success).type(type).send(body)
}

/** An answer that violates the contract: a defect of the service, reported in the log only. */
class AnswerMismatch extends Error {
  override readonly name = 'AnswerMismatch'
}

function checkAnswer(operation: Operation, sent: ReturnType<typeof sentFields>, answer: unknown): void {
  const result = operation.response.safeParse(answer, inEnglish)
  const problems = result.success
    ? lackedFields(answer, sent).map((path) => `${path}: is always sent`)
    : describe(result.error)
  if (problems.length > 0) throw new AnswerMismatch(`${operation.id}: ${problems.join('; ')}`)
}

/** The input of a request, parsed with the contract. Throws a 400 with a line for each invalid field. */
export function readInput<O extends Operation>(operation: O, request: FastifyRequest): Input<O> {
  const problems: string[] = []
  const params = parse(operation.params, request.params, problems)
  const query = parse(operation.query, request.query, problems)
  const body = operation.body ? parse(operation.body, request.body ?? {}, problems) : undefined
  if (problems.length === 0) problems.push(...unstorable({ params, query, body }))
  if (problems.length > 0) throw badRequest(problems)
  return {
    params: params as Input<O>['params'],
    query: query as Input<O>['query'],
    body: body as Input<O>['body'],
    request,
  }
}

function parse(schema: z.ZodMiniType, value: unknown, problems: string[]): unknown {
  const result = schema.safeParse(value, inEnglish)
  if (result.success) return result.data
  problems.push(...describe(result.error))
  return undefined
}

/** The fields with characters that PostgreSQL's text can't hold: NUL, and halves of pairs of UTF-16. */
function unstorable(input: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      if (/[\0\p{Cs}]/u.test(value)) problems.push(`${path.join('.')}: has a NUL, or half of a character`)
    } else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) visit(each, [...path, name])
  }
  for (const part of Object.values(input)) visit(part, [])
  return problems
}

function describe(error: z.core.$ZodError): string[] {
  return error.issues.map((issue) => {
    const field = issue.path.map(String).join('.')
    return field === '' ? issue.message : `${field}: ${issue.message}`
  })
}
