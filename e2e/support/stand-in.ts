import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * A service of the API reference alone, in hosted form: a proxy in front of a running service, which lets only the
 * operations of the reference through. Its data API is below /data, its metrics API below /metrics, its node below /node,
 * as if at three addresses.
 */

/** A part of a path that callers choose. */
const any = '[^/:]+'

/** Every REST operation of the API reference, written here a second time: the dashboard's own list is what is tested. */
const reference: readonly (readonly [method: string, api: 'data' | 'metrics', path: string])[] = [
  ['POST', 'data', `/v1/signatureAggregator/${any}/aggregateSignatures`],
  ['GET', 'data', `/v1/signatureAggregator/${any}/aggregateSignatures/${any}`],
  ['GET', 'data', `/v1/networks/${any}/blockchains/${any}/transactions`],
  ['GET', 'data', `/v1/networks/${any}/blockchains`],
  ['GET', 'data', `/v1/networks/${any}/blockchains/${any}/balances`],
  ['GET', 'data', `/v1/networks/${any}/rewards`],
  ['GET', 'data', `/v1/networks/${any}/validators/${any}`],
  ['GET', 'data', `/v1/networks/${any}/blockchains/${any}/nodes/${any}/blocks`],
  ['GET', 'data', `/v1/networks/${any}/blockchains/${any}/vertices`],
  ['GET', 'data', `/v1/chains/${any}/addresses/${any}/transactions:listErc1155`],
  ['GET', 'data', `/v1/chains/${any}/addresses/${any}/balances:listErc20`],
  ['GET', 'data', `/v1/chains/${any}/addresses/${any}/balances:listErc1155`],
  ['GET', 'data', `/v1/chains/${any}/blocks/${any}/transactions`],
  ['GET', 'data', `/v1/chains/${any}/contracts/${any}/deployments`],
  ['GET', 'data', `/v1/chains/${any}/addresses/${any}`],
  ['POST', 'data', `/v1/chains/${any}/nfts/collections/${any}/tokens/${any}:reindex`],
  ['GET', 'metrics', `/v2/chains/${any}/metrics/${any}`],
  ['GET', 'metrics', `/v2/chains/${any}/contracts/${any}/balances`],
  ['GET', 'metrics', `/v1/avg_tps/${any}`],
]

const keyHeader = 'x-glacier-api-key'

/** What is asked of the stand-in; `key` is what the key header held. */
type Asked = { readonly method: string; readonly path: string; readonly key: string | undefined }

type Options = {
  /** The service behind it. */
  readonly upstream: string
  /** The one key that it knows: any other is a 401. */
  readonly key?: string
  /** Requests that are allowed without a key in a window of `windowSeconds`; more are a 429. */
  readonly limit?: number
  readonly windowSeconds?: number
  /** Milliseconds that every answer takes longer. */
  readonly latency?: number
  /** Whether both APIs have an OpenAPI document. */
  readonly hasDocument?: boolean
  /** The answer to what it lacks or does not find, with the path or without. */
  readonly unknownRoute?: (method: string, path: string) => string
}

export type StandIn = {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Refuses so many of the next requests without a key, as if they were beyond the limit. */
  readonly refuseNext: (requests: number) => void
  readonly stop: () => Promise<void>
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': `${keyHeader}, content-type`,
  'access-control-expose-headers':
    'ratelimit-policy, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after',
  'access-control-max-age': '600',
}

/** Starts a stand-in on a free port of this machine. */
export async function startStandIn(options: Options): Promise<StandIn> {
  const { upstream, latency = 0, limit = 100_000, windowSeconds = 2, hasDocument = false } = options
  const { unknownRoute = (method, path) => `Cannot ${method} ${path}` } = options
  const asked: Asked[] = []
  let refusals = 0
  let window = { from: Date.now(), count: 0 }

  const send = (
    response: ServerResponse,
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ): void => {
    response.writeHead(status, { ...cors, 'content-type': 'application/json', ...headers }).end(body)
  }
  const refuse = (
    response: ServerResponse,
    statusCode: number,
    error: string,
    message: string,
    headers: Record<string, string> = {},
  ): void => send(response, statusCode, JSON.stringify({ message, error, statusCode }), headers)

  /** The headers of the rate limit, and whether the request is beyond it. */
  const counted = (hasKey: boolean): { headers: Record<string, string>; isBeyond: boolean } => {
    const now = Date.now()
    if (now - window.from >= windowSeconds * 1000) window = { from: now, count: 0 }
    if (!hasKey) window.count += 1
    const isRefused = !hasKey && refusals > 0
    if (isRefused) refusals -= 1
    const reset = Math.max(1, Math.ceil((window.from + windowSeconds * 1000 - now) / 1000))
    const isBeyond = isRefused || (!hasKey && window.count > limit)
    return {
      isBeyond,
      headers: {
        'ratelimit-policy': `${limit};w=${windowSeconds}`,
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': String(Math.max(0, limit - window.count)),
        'ratelimit-reset': String(reset),
        ...(isBeyond && { 'retry-after': String(reset) }),
      },
    }
  }

  const documentOf = async (api: 'data' | 'metrics'): Promise<string> => {
    const whole = (await (await fetch(`${upstream}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const paths = Object.entries(whole.paths).flatMap(([path, methods]) => {
      const filled = path.replaceAll(/\{[^}]*\}/g, 'x')
      const kept = Object.entries(methods).filter(([method]) => isOf(api, method.toUpperCase(), filled))
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]]
    })
    return JSON.stringify({ ...whole, servers: [{ url: '/' }], paths: Object.fromEntries(paths) as unknown })
  }

  const passOn = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    headers: Record<string, string>,
  ): Promise<void> => {
    const body = request.method === 'POST' ? await text(request) : undefined
    const answer = await fetch(url, {
      method: request.method ?? 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    })
    send(response, answer.status, await answer.text(), headers)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request
    const [, part = '', rest = ''] = /^\/(data|metrics|node)(\/.*)$/.exec(url) ?? []
    if (method === 'OPTIONS') return void response.writeHead(204, cors).end()
    const [path = '', query = ''] = rest.split(/(?=\?)/)
    const given = request.headers[keyHeader]
    const key = typeof given === 'string' ? given : undefined
    asked.push({ method, path: `/${part}${path}`, key })
    await sleep(latency)
    if (part === 'node') {
      if (!path.startsWith('/ext/')) return refuse(response, 404, 'Not Found', '')
      return passOn(request, response, `${upstream}${path}`, {})
    }
    const api = part === 'metrics' ? 'metrics' : 'data'
    if (hasDocument && path === '/openapi.json') return send(response, 200, await documentOf(api))
    // The metrics API takes no key.
    if (api === 'data' && key !== undefined && key !== options.key)
      return refuse(response, 401, 'Unauthorized', 'Invalid API key')
    const { headers, isBeyond } = counted(key !== undefined)
    if (isBeyond) return refuse(response, 429, 'Too Many Requests', 'Rate limit exceeded', headers)
    if (part === '' || !isOf(api, method, path))
      return refuse(response, 404, 'Not Found', unknownRoute(method, `${path}${query}`), headers)
    return passOn(request, response, `${upstream}/hosted${path}${query}`, headers)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => refuse(response, 502, 'Bad Gateway', String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refuseNext: (requests) => {
      refusals = requests
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const patterns = reference.map(([method, api, path]) => ({ method, api, path: new RegExp(`^${path}$`) }))

function isOf(api: 'data' | 'metrics', method: string, path: string): boolean {
  return patterns.some((one) => one.api === api && one.method === method && one.path.test(path))
}

/** The settings of the profile of a stand-in. */
export const profileOfStandIn = ({ url }: Pick<StandIn, 'url'>, more: object = {}): object => ({
  name: 'Stand-in',
  network: 'fuji',
  networkLabel: 'Fuji of the stand-in',
  dataUrl: `${url}/data`,
  metricsUrl: `${url}/metrics`,
  nodeUrl: `${url}/node`,
  keyHeader,
  prices: 'number',
  methods: 'avax',
  ...more,
})
