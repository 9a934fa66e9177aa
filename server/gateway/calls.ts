import type { NodeEndpoint } from '../../contract/node/node-methods.ts'
import type { GatewayConfig } from '../kernel/settings/config.ts'
import { noId, Refusal, rpcCodes } from './errors.ts'
import { AmbiguousJson, readTopLevel, type ObjectMembers, type TopLevel } from './json-text.ts'
import { modulesMethod, namespacesOf } from './modules.ts'
import { findMethod, type KnownMethod } from './names.ts'

/** One call that may pass. */
export type Call = {
  /** The JSON of the call's id; undefined for a notification, which gets no answer. */
  readonly id: string | undefined
  readonly method: KnownMethod
  readonly params: unknown
  /** The parameters as the caller wrote them; undefined when absent. */
  readonly paramsText: string | undefined
  /** The text sent to the node: assembled from checked parts, with values as the caller wrote them. */
  readonly text: string
  /** The namespaces that this caller may use; for `rpc_modules` only. */
  readonly namespaces: ReadonlySet<string> | undefined
}

/**
 * One call of a message: either it may pass, or the gateway answers it with this text, which is undefined for a
 * notification.
 */
export type Item = { readonly call: Call } | { readonly answer: string | undefined }

/** The calls of one body or socket message, in order. */
export type Message = { readonly isBatch: boolean; readonly items: readonly Item[] }

/** The calls of a message that may pass. */
export const callsOf = ({ items }: Pick<Message, 'items'>): Call[] =>
  items.flatMap((item) => ('call' in item ? [item.call] : []))

/** A refused call of a batch. JSON-RPC 2.0 never answers notifications, even those that fail. */
export const refusedItem = (refusal: Refusal, id: string | undefined, isNotification: boolean): Item => ({
  answer: isNotification ? undefined : refusal.text(id ?? noId),
})

/** A message that is refused as a whole, with the answer's body. */
export type RefusedMessage = { readonly status: number; readonly text: string }

/** The rules that a message is checked against. */
export type Rules = {
  /** The kinds of endpoint that the message may address. */
  readonly endpoints: readonly NodeEndpoint[]
  readonly takesBatches: boolean
  readonly isSocket: boolean
  readonly config: GatewayConfig
  /** Checks the settings and the caller's privileges for a method under this name. Throws a Refusal. */
  readonly admit: (method: KnownMethod, name: string) => void
}

/** The deepest nesting of a value that is accepted. */
const deepest = 64
/** The longest id of a call that is passed on, in characters. */
const longestId = 256

/**
 * Parses and checks a message before any of it is passed on. Method names must match the catalogue exactly; unknown
 * members, duplicate keys and nested batches are refused. Each call of a batch is checked separately.
 */
export function readMessage(text: string, rules: Rules): Message | RefusedMessage {
  const top = parse(text)
  if (top.kind === 'refused') return refuse(top.refusal, top.id)
  if (top.kind === 'other') return refuse(new Refusal(rpcCodes.invalidRequest, 'invalid request'))
  if (top.kind === 'object') {
    const read = readCall(text, top.value, top.members, rules)
    return read.refusal ? refuse(read.refusal, read.id) : { isBatch: false, items: [{ call: read.call }] }
  }
  return checkBatch(text, top, rules) ?? { isBatch: true, items: readItems(text, top, rules) }
}

type List = Extract<TopLevel, { kind: 'list' }>

function readItems(text: string, { values, members }: List, rules: Rules): Item[] {
  // Members are collected only for objects directly inside the list.
  const objects = members.values()
  return values.map((value) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const own = isObject ? objects.next().value : undefined
    const { call, refusal, id } = readCall(text, value, own, rules)
    if (!refusal) return { call }
    const isNotification = own !== undefined && !own.has('id') && refusal.code !== rpcCodes.invalidRequest
    return refusedItem(refusal, id, isNotification)
  })
}

/** JSON that is refused before its calls are read, with the id if it is one call that has one. */
type RefusedText = { readonly kind: 'refused'; readonly refusal: Refusal; readonly id: string | undefined }

function parse(text: string): TopLevel | RefusedText {
  try {
    return readTopLevel(text, deepest)
  } catch (error) {
    if (error instanceof AmbiguousJson) {
      const refusal = new Refusal(rpcCodes.invalidRequest, `invalid request: ${error.message}`)
      // A batch that is refused as a whole answers none of its calls.
      const isCall = text.trimStart().startsWith('{')
      return { kind: 'refused', refusal, id: isCall ? idOf(text, error.found[0]) : undefined }
    }
    if (error instanceof SyntaxError)
      return { kind: 'refused', refusal: new Refusal(rpcCodes.parse, 'parse error'), id: undefined }
    throw error
  }
}

/** The refusal of a batch as a whole. */
function checkBatch(
  text: string,
  { values, members }: List,
  { takesBatches, config }: Rules,
): RefusedMessage | undefined {
  if (!takesBatches) {
    return refuse(new Refusal(rpcCodes.parse, 'json: cannot unmarshal array: this endpoint takes no batches'))
  }
  if (values.length === 0) return refuse(new Refusal(rpcCodes.invalidRequest, 'empty batch'))
  if (values.length <= config.batchItems) return undefined
  const tooLarge = new Refusal(rpcCodes.invalidRequest, `batch too large: at most ${config.batchItems} calls`)
  return { status: 400, text: `[${tooLarge.text(idOf(text, members[0]) ?? noId)}]` }
}

type ReadCall =
  | { readonly call: Call; readonly refusal?: undefined; readonly id: string | undefined }
  | { readonly call?: undefined; readonly refusal: Refusal; readonly id: string | undefined }

function readCall(text: string, value: unknown, members: ObjectMembers | undefined, rules: Rules): ReadCall {
  const id = idOf(text, members)
  try {
    if (!members) throw new Refusal(rpcCodes.invalidRequest, 'invalid request')
    return { id, call: toCall(text, value as Record<string, unknown>, members, id, rules) }
  } catch (error) {
    if (error instanceof Refusal) return { id, refusal: error }
    throw error
  }
}

function toCall(
  text: string,
  value: Readonly<Record<string, unknown>>,
  members: ObjectMembers,
  id: string | undefined,
  rules: Rules,
): Call {
  const read = (key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined)
  if (read('jsonrpc') !== '2.0')
    throw new Refusal(rpcCodes.invalidRequest, 'invalid request: jsonrpc must be 2.0')
  if (members.has('id') && (id === undefined || id.length > longestId)) {
    throw new Refusal(
      rpcCodes.invalidRequest,
      'invalid request: the ID must be a short text, a number or null',
    )
  }
  const name = read('method')
  if (typeof name !== 'string')
    throw new Refusal(rpcCodes.invalidRequest, 'invalid request: the method must be a text')
  const params = read('params')
  if (params !== undefined && (typeof params !== 'object' || params === null) && params !== null) {
    throw new Refusal(rpcCodes.invalidParams, 'non-array args')
  }
  const method = allowedMethod(name, rules)
  const written = members.get('params')
  const paramsText = written && text.slice(written.start, written.end)
  return {
    id,
    method,
    params,
    paramsText,
    text: [
      '{"jsonrpc":"2.0"',
      id === undefined ? '' : `,"id":${id}`,
      `,"method":"${method.nodeName}"`,
      paramsText === undefined ? '' : `,"params":${paramsText}`,
      '}',
    ].join(''),
    namespaces: method.nodeName === modulesMethod ? namespacesOf((each) => passes(each, rules)) : undefined,
  }
}

function passes(name: string, rules: Rules): boolean {
  try {
    allowedMethod(name, rules)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function allowedMethod(name: string, rules: Rules): KnownMethod {
  const method = findMethod(rules.endpoints, name)
  const shown = name.slice(0, 64)
  if (!method) {
    throw new Refusal(rpcCodes.methodNotFound, `the method ${shown} does not exist/is not available`)
  }
  if (method.facts.isSocketOnly && !rules.isSocket) {
    throw new Refusal(rpcCodes.methodNotFound, 'notifications not supported')
  }
  rules.admit(method, shown)
  return method
}

/** The JSON of a call's id as its caller wrote it, if it is a text, a number or null. */
function idOf(text: string, members: ObjectMembers | undefined): string | undefined {
  const member = members?.get('id')
  if (!member) return undefined
  const id = text.slice(member.start, member.end)
  return /^["\d-]|^null$/.test(id) ? id : undefined
}

/** The JSON of the id of a message that is one call, as far as it can be read. */
export function idOfMessage(text: string): string | undefined {
  const top = parse(text)
  if (top.kind === 'refused') return top.id
  return top.kind === 'object' ? idOf(text, top.members) : undefined
}

function refuse(refusal: Refusal, id: string | undefined = undefined): RefusedMessage {
  return { status: refusal.status, text: refusal.text(id ?? noId) }
}
