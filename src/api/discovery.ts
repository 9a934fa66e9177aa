import * as z from 'zod/mini'
import type { Operation } from '../../contract/base/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { Profile } from '../../contract/profile.ts'
import { errorOfAnswer, isUnsupported, refusal, type ApiError } from './errors.ts'
import { notOffered } from './lacking.ts'
import { canAnswer } from './substitutes.ts'

/** What a profile lacks where it does not have an operation, in words. */
export function wordsOfLack(operationId: string, profile: Profile): string {
  const operation = operations.find(({ id }) => id === operationId)
  if (!operation) throw new TypeError(`no operation has the ID ${operationId}`)
  return notOffered(operation, (id) => canAnswer(profile, id)).message
}

/** What an OpenAPI document says of its routes. */
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  servers: z.optional(z.array(z.object({ url: z.string() }))),
})

/** Milliseconds within which a document must arrive: pages wait for it. */
const deadline = 5_000

const baseOf = (url: string): string => url.replace(/\/$/, '')

/** A route without the names of its parameters, which services choose. */
const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`

/** The routes in the OpenAPI document of a service; undefined if it has none that can be read. */
async function routesOf(url: string): Promise<Set<string> | undefined> {
  try {
    const response = await fetch(`${baseOf(url)}/openapi.json`, {
      headers: { accept: 'application/json' },
      credentials: 'omit',
      signal: AbortSignal.timeout(deadline),
    })
    if (!response.ok) return undefined
    const { paths, servers } = document.parse(await response.json())
    // A server's URL may hold the first part of every path.
    const before = baseOf(new URL(servers?.[0]?.url ?? '', `${baseOf(url)}/`).pathname)
    const own = baseOf(new URL(url).pathname)
    const prefix = before.startsWith(own) ? before.slice(own.length) : before
    return new Set(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => routeOf(method, `${prefix}${path}`)),
      ),
    )
  } catch {
    // No document, or none for this origin: its answers will tell.
    return undefined
  }
}

/**
 * A profile with what its service lacks according to its OpenAPI document, or its two documents; unchanged if there is
 * none.
 */
export async function askedProfile(profile: Profile): Promise<Profile> {
  const { dataUrl, metricsUrl } = profile
  const data = routesOf(dataUrl)
  const [ofData, ofMetrics] = await Promise.all([data, metricsUrl === dataUrl ? data : routesOf(metricsUrl)])
  const isMissing = (operation: Operation): boolean => {
    const path = routeOf(operation.method, operation.path)
    const routes = operation.path.startsWith('/v2/') || operation.api === 'metrics' ? ofMetrics : ofData
    return routes !== undefined && !routes.has(path)
  }
  const missing = operations.filter(isMissing).map(({ id }) => id)
  const missingOperations = [...new Set([...profile.missingOperations, ...missing])]
  if (ofMetrics === undefined || missing.includes('countDistinct')) return { ...profile, missingOperations }
  // Another Ridgeline service, with all of its metrics.
  const { metrics: _, ...rest } = profile
  return { ...rest, missingOperations }
}

/** The answers of services to a route that they cannot have, by its base URL. */
const strangers = new Map<string, Promise<ApiError | undefined>>()
const nowhere = '/v1/there-is-no-such-route'

function answerToNowhere(base: string): Promise<ApiError | undefined> {
  let answer = strangers.get(base)
  if (!answer) {
    answer = fetch(`${base}${nowhere}`, { credentials: 'omit' }).then(
      (response) => (response.ok ? undefined : errorOfAnswer(response, 0)),
      () => undefined,
    )
    strangers.set(base, answer)
  }
  return answer
}

/** A message without the path of its request, whichever part of the URL it names: a proxy may have cut its beginning. */
function withoutPath(message: string, url: string, base: string): string {
  const { pathname, search } = new URL(url)
  const path = pathname.slice(new URL(base).pathname.replace(/\/$/, '').length)
  return [pathname, path]
    .flatMap((one) => [`${one}${search}`, one, decodeURIComponent(one)])
    .reduce((text, part) => text.replaceAll(part, ''), message)
}

/** Parameters that name a place, not a thing that may be missing there. */
const places = new Set(['chainId', 'network', 'blockchainId', 'metric'])

/**
 * What a refusal means: the error itself if what was asked for does not exist, or that the service does not offer the
 * operation. A route that it lacks is answered like one that no service has: if that answer repeats the path, or differs
 * from the refusal, it decides. Else both can be meant, unless the operation `wasAnswered` before, or names no thing.
 */
export async function understand(
  operation: Operation,
  url: string,
  error: ApiError,
  wasAnswered: boolean,
): Promise<ApiError> {
  if (wasAnswered) return error
  if (isUnsupported(error) || error.status === 405) return notOffered(operation)
  const base = url.slice(0, url.length - new URL(url).search.length - pathOf(operation, url).length)
  const stranger = await answerToNowhere(base)
  if (stranger?.status !== error.status) return error
  const nowhereUrl = `${base}${nowhere}`
  if (withoutPath(stranger.message, nowhereUrl, base) !== withoutPath(error.message, url, base)) return error
  if (stranger.message !== error.message) return notOffered(operation)
  const isList = Object.keys(operation.params.shape).every((name) => places.has(name))
  if (isList) return notOffered(operation)
  return refusal(
    `The service answered ${error.status} ${error.name}: nothing has this ID, or it does not offer to ask by it.`,
  )
}

/** The path of an operation in a URL. */
function pathOf(operation: Operation, url: string): string {
  const { pathname } = new URL(url)
  const [first = ''] = operation.path.split('{', 1)
  return pathname.slice(pathname.indexOf(first))
}
