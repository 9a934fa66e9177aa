import { localTokenHeader } from '../../../contract/base/local-token.ts'
import {
  maxBatchItems,
  nodeEndpoints,
  nodeIndexes,
  nodeMethods,
  type NodeEndpoint,
  type NodeMethod,
} from '../../../contract/node/node-methods.ts'
import type { NodeTarget } from './node-targets.ts'
import { parseLossless } from '../../../contract/base/json.ts'

type Names = NodeTarget['names']

const byName = new Map<string, NodeMethod>()
for (const one of nodeMethods) {
  if (one.nodeMethod !== undefined && !byName.has(one.nodeMethod)) byName.set(one.nodeMethod, one)
}
for (const one of nodeMethods) byName.set(one.method, one)

/** Methods with the same name on two endpoints: the node's own, and that of its chains. */
const chainTwins = new Map(
  nodeMethods.flatMap((one) =>
    one.endpoint === 'chainAdmin' && one.nodeMethod !== undefined ? [[one.nodeMethod, one] as const] : [],
  ),
)

/** A method of the catalogue by either of its names; undefined for an unknown one. */
export const methodOf = (name: string): NodeMethod | undefined => byName.get(name)

/** The name of a method on a node. */
export const nameOn = (method: NodeMethod, names: Names): string =>
  names === 'node' ? (method.nodeMethod ?? method.method) : method.method

/** One call as the user wrote it. */
export type Call = { jsonrpc: string; id: unknown; method: string; params: unknown }

/** The contents of the editor: calls, or the reason why they are invalid. */
type Written = { calls: readonly Call[]; isBatch: boolean } | { wrong: string }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses the editor's text: a call or a list of calls, with integers of any size. Missing `jsonrpc`, `id` and
 * `params` are filled in; ids count from 1.
 */
export function parseCalls(text: string): Written {
  if (text.trim() === '') return { wrong: 'Write a call, or choose an example.' }
  let value: unknown
  try {
    value = parseLossless(text)
  } catch (error) {
    return { wrong: `This is not valid JSON${error instanceof Error ? `: ${error.message}` : ''}.` }
  }
  const isBatch = Array.isArray(value)
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.length === 0) return { wrong: 'A batch holds at least one call.' }
  if (items.length > maxBatchItems)
    return { wrong: `${items.length} calls are too many: a batch holds ${maxBatchItems} at most.` }
  const calls: Call[] = []
  for (const [index, item] of items.entries()) {
    const place = isBatch ? `Call ${index + 1}` : 'The call'
    if (!isObject(item)) return { wrong: `${place} is not an object with a method.` }
    const { method, params, id, jsonrpc } = item
    if (typeof method !== 'string' || method === '') return { wrong: `${place} has no method.` }
    const known = methodOf(method)
    calls.push({
      jsonrpc: typeof jsonrpc === 'string' ? jsonrpc : '2.0',
      id: id === undefined ? index + 1 : id,
      method,
      params: params === undefined ? (known ? (Array.isArray(known.params) ? [] : {}) : []) : params,
    })
  }
  return { calls, isBatch }
}

const mark = '\u0000big'

/** JSON with bigints as integers, which `JSON.stringify` refuses. */
export function writeLossless(value: unknown, indent?: number): string {
  const marked = JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? `${mark}${item}` : item),
    indent,
  )
  return marked.replace(/"\\u0000big(-?\d+)"/g, '$1')
}

/** The request body for the calls of an editor. */
export const bodyOf = ({ calls, isBatch }: { calls: readonly Call[]; isBatch: boolean }): string =>
  writeLossless(isBatch ? calls : calls[0])

/** The chosen destination of a call; `auto` derives it from the method. */
export type Wish = { endpoint: NodeEndpoint | 'auto'; chain: string; index: string }

const guesses: readonly (readonly [RegExp, NodeEndpoint])[] = [
  [/^(eth|net|web3|debug|txpool|personal|rpc|warp)_/, 'evm'],
  [/^admin_/, 'chainAdmin'],
  [/^admin\./, 'admin'],
  [/^(svc|avax)\./, 'atomic'],
  [/^platform\./, 'p'],
  [/^avm\./, 'x'],
  [/^info\./, 'info'],
  [/^health\./, 'health'],
  [/^index\./, 'index'],
  [/^validators\./, 'validators'],
]

/** The endpoint of a method: that of the catalogue, else by the method's prefix. */
function endpointOf(method: string): NodeEndpoint | undefined {
  return methodOf(method)?.endpoint ?? guesses.find(([pattern]) => pattern.test(method))?.[1]
}

/** The path of an endpoint on a node. */
export function pathOf(endpoint: NodeEndpoint, names: Names, wish: Pick<Wish, 'chain' | 'index'>): string {
  const { path, nodePath } = nodeEndpoints[endpoint]
  // Index names contain a slash; only known ones are accepted.
  const index = nodeIndexes.find((one) => one === wish.index) ?? nodeIndexes[0]
  return (names === 'node' ? (nodePath ?? path) : path)
    .replace('{chain}', encodeURIComponent(wish.chain))
    .replace('{index}', index)
}

type Route = { path: string; endpoint: NodeEndpoint } | { wrong: string }

/** The endpoint for the calls of an editor: one for all, which must accept batches when there are several. */
export function routeOf(
  { calls, isBatch }: { calls: readonly Call[]; isBatch: boolean },
  names: Names,
  wish: Wish,
): Route {
  const found = new Set(
    calls.map(({ method }) => (wish.endpoint === 'auto' ? endpointOf(method) : wish.endpoint)),
  )
  const [endpoint] = found
  if (found.size > 1) return { wrong: 'The calls belong to different endpoints: a batch goes to one.' }
  if (endpoint === undefined) return { wrong: 'It is not known which endpoint has this method: choose one.' }
  if (isBatch && !nodeEndpoints[endpoint].isBatchable)
    return { wrong: 'This endpoint takes one call at a time; nodes take batches for EVM methods only.' }
  return { path: pathOf(endpoint, names, wish), endpoint }
}

/** The catalogue's entry for a call at an endpoint: both administrations share names on released nodes. */
export function factsOf(call: Call, endpoint: NodeEndpoint): NodeMethod | undefined {
  const twin = chainTwins.get(call.method)
  return endpoint === 'chainAdmin' && twin ? twin : methodOf(call.method)
}

/** A method's example as text for the editor. */
export function exampleText(method: NodeMethod, names: Names): string {
  return writeLossless({ method: nameOn(method, names), params: method.params }, 2)
}

/** The editor's text with one more call, as a batch. */
export function withCall(text: string, method: NodeMethod, names: Names): string {
  const example = { method: nameOn(method, names), params: method.params }
  const written = parseCalls(text)
  if ('wrong' in written) return writeLossless([example], 2)
  const before = written.calls.map(({ method: name, params }) => ({ method: name, params }))
  return writeLossless([...before, example], 2)
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The calls as a curl command; with the local token from its file if they need it. */
export function curlOf(url: string, body: string, isTokenNeeded = false): string {
  return [
    `curl ${shellQuoted(url)}`,
    `-H 'content-type: application/json'`,
    ...(isTokenNeeded ? [`-H "${localTokenHeader}: $(cat .ridgeline/token)"`] : []),
    `--data ${shellQuoted(body)}`,
  ].join(' \\\n  ')
}

/** JSON text as JavaScript: integers that JavaScript would round become bigints. */
const script = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'bigint' ? `${mark}${item}` : item,
  ).replace(/"\\u0000big(-?\d+)"/g, '$1n')

/** The calls as viem code; several are sent as one batch. */
export function viemOf(url: string, { calls }: { calls: readonly Call[] }): string {
  const request = ({ method, params }: Call): string =>
    `client.request<{ Parameters: unknown; ReturnType: unknown }>({ method: ${script(method)}, params: ${script(params)} })`
  const transport = calls.length > 1 ? `http(${script(url)}, { batch: true })` : `http(${script(url)})`
  const [first] = calls
  const asked =
    calls.length > 1 || !first
      ? `const results = await Promise.all([\n${calls.map((call) => `  ${request(call)},`).join('\n')}\n])`
      : `const result = await ${request(first)}`
  return `import { createClient, http } from 'viem'\n\nconst client = createClient({ transport: ${transport} })\n${asked}\n`
}
