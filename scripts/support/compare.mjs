// Asks two services for the same things: every GET operation of their OpenAPI document, with parameters taken from what
// the operations answer.

/** Fields that depend on when a service asked its node, or on the server that holds its rows. */
const own = new Set([
  'nodeSeenTimestamp',
  'requestId',
  'nextPageToken',
  'uptimePerformance',
  'avalancheGoVersion',
  'clientVersion',
  'sampledTimestamp',
  'metadataLastUpdatedTimestamp',
  'elapsedMilliseconds',
  'sampleTimestamp',
  'freeBytes',
  'bytes',
])

/** At most so many values are kept for a parameter, and so many requests made of an operation. */
const max = { values: 4, requests: 6 }

/** An answer without what may differ; one that is not JSON as it is. */
export function comparable(text) {
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => (own.has(key) ? undefined : value))
  } catch {
    return text
  }
}

/** Where the answers of an operation are about the process or its server, only the statuses are compared. */
export const ofTheService = [
  /\/v1\/status\/storage$/,
  /^\/v1\/watch/,
  /\/prices/,
  /^\/(?:health|ready|metrics)/,
  /\/uptime/i,
]

/** Paths of every GET operation, filled with values that earlier answers of `base` contain. */
export async function listRequests(base, extra = []) {
  const ask = async (path) => {
    const answer = await fetch(base + path)
    const text = await answer.text()
    if (answer.ok && (answer.headers.get('content-type') ?? '').includes('json')) {
      try {
        harvest(JSON.parse(text), '')
      } catch {
        // A stream of lines.
      }
    }
  }
  const { paths } = await (await fetch(`${base}/openapi.json`)).json()
  const operations = Object.entries(paths).flatMap(([path, { get, parameters = [] }]) =>
    get ? [{ path, parameters: [...parameters, ...(get.parameters ?? [])] }] : [],
  )
  const values = new Map()
  const keep = (name, value) => {
    const known = values.get(name) ?? []
    if (known.length < max.values && !known.includes(String(value)))
      values.set(name, [...known, String(value)])
  }
  function harvest(value, key) {
    if (Array.isArray(value)) for (const each of value.slice(0, 30)) harvest(each, key)
    else if (value !== null && typeof value === 'object') {
      if (value.blockIndex !== undefined) keep('positions', `${value.blockNumber}-${value.blockIndex}`)
      for (const [name, each] of Object.entries(value)) harvest(each, name)
    }
    if (typeof value === 'string' || typeof value === 'number') sort(key, String(value))
  }
  /** What an answer's field can be the parameter of. */
  function sort(key, value) {
    keep(key, value)
    if (/^0x[0-9a-f]{64}$/i.test(value) && /txHash|transactionHash/i.test(key)) keep('txHash', value)
    if (/blockHash/i.test(key)) keep('blockId', value)
    if (/^blockNumber$/i.test(key)) keep('blockId', value)
    if (/^0x[0-9a-f]{40}$/i.test(value))
      keep(/token|contract/i.test(key) || key === 'address' ? 'token' : 'address', value)
  }
  const filled = new Set(extra)
  for (const path of extra) await ask(path)
  // Lists first, whose answers name what the next round asks for.
  for (let round = 0; round < 3; round += 1) {
    const before = filled.size
    for (const operation of operations)
      for (const path of fill(operation, values)) {
        if (filled.has(path)) continue
        filled.add(path)
        await ask(path)
      }
    if (filled.size === before) break
  }
  const reached = operations.filter(({ path }) =>
    [...filled].some((each) => patternOf(path).test(each.split('?')[0])),
  )
  return {
    requests: [...filled],
    operations: operations.length,
    missed: operations.filter((each) => !reached.includes(each)).map(({ path }) => path),
  }
}

const patternOf = (path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Requests of an operation for the known values of its parameters. */
function fill({ path, parameters }, values) {
  const evmChain = /\/chains\/\{chainId\}/.test(path)
  const candidates = ({ name, in: place, schema = {} }) => {
    const found = schema.enum ?? schema.anyOf?.flatMap((each) => each.enum ?? [])
    if (found?.length > 0 && name !== 'chainId') return place === 'path' ? found : found.slice(0, 2)
    if (name === 'network') return ['fuji']
    if (name === 'chainId' && evmChain)
      return (values.get('chainId') ?? []).filter((value) => /^\d+$/.test(value))
    if (name === 'blockchainId') return ['p-chain', 'x-chain', 'c-chain']
    if (/address/i.test(name) && evmChain)
      return [...(values.get('token') ?? []), ...(values.get('address') ?? [])].filter((value) =>
        value.startsWith('0x'),
      )
    if (name === 'txHash' && evmChain)
      return (values.get('txHash') ?? []).filter((value) => value.startsWith('0x'))
    if (name === 'blockId' && evmChain)
      return (values.get('blockId') ?? []).filter((value) => !/[G-Zg-z]/.test(value.slice(2)))
    return values.get(name) ?? []
  }
  let filled = [path]
  for (const parameter of parameters.filter(({ in: place }) => place === 'path')) {
    const some = candidates(parameter)
    filled = filled.flatMap((each, index) =>
      some
        // Not only the first of each: the second request takes the second value, and so on.
        .map((_, at) => some[(at + index) % some.length])
        .map((value) => each.replace(`{${parameter.name}}`, encodeURIComponent(value))),
    )
  }
  const required = parameters.filter(({ in: place, required: must }) => place === 'query' && must)
  let queries = ['']
  for (const parameter of required)
    queries = queries.flatMap((query) =>
      candidates(parameter)
        .slice(0, 2)
        .map((value) => `${query}${query ? '&' : '?'}${parameter.name}=${encodeURIComponent(value)}`),
    )
  const all = filled.flatMap((each) => queries.map((query) => each + query))
  const limit = /\{metric\}/.test(path) ? 200 : max.requests * 2
  return all.slice(0, limit)
}
