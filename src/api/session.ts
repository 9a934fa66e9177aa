import * as z from 'zod/mini'
import { dashboardConfig, hasOperation, type DashboardConfig, type Profile } from '../../contract/profile.ts'
import type { Operation, ResponseOf } from '../../contract/base/operation.ts'
import { waitFor } from '../lib/connection.ts'
import { createStore, createStoredStore } from '../lib/storage/store.ts'
import { pagePath, urlOfFile } from '../lib/place.ts'
import { profileOfLocation } from '../lib/profile-path.ts'
import { createClient, transport, type Client, type Request } from './client.ts'
import { markReachable, requestFailed, markUnreachable } from './connection.ts'
import { ApiError, errorOfAnswer, unreached } from './errors.ts'
import { canAnswer, substituteOf } from './substitutes.ts'

/** The deployment that this page uses, and the configuration with all others. */
type Session = { config: DashboardConfig; profile: Profile; client: Client }

const keysSchema = z.record(z.string(), z.string())

/**
 * API keys by the place that they were entered for (`keyPlace`). They are stored in this browser and sent to their
 * profile's own URLs only: a profile that has moved to other URLs has none.
 */
export const keys = createStoredStore<Readonly<Record<string, string>>>('ridgeline.keys', (stored) => {
  const result = keysSchema.safeParse(stored)
  return result.success ? result.data : {}
})

/** What a profile's key is stored under: the URLs that it is sent to, empty for the dashboard's own service. */
export const keyPlace = ({ dataUrl, metricsUrl }: Profile): string =>
  [...new Set([dataUrl, metricsUrl])].join(' ')

/** The API key of a profile that this browser has; undefined without one. */
export const keyOf = (profile: Profile): string | undefined => keys.get()[keyPlace(profile)]

/**
 * What a request outside the client has of a profile's key besides its own headers: the key's header, and no redirect,
 * which would take the key to another place.
 */
export function keyed(
  profile: Profile,
  headers: Readonly<Record<string, string>> = {},
): Pick<RequestInit, 'redirect'> & { headers: Record<string, string> } {
  const key = keyOf(profile)
  return key ? { headers: { ...headers, [profile.keyHeader]: key }, redirect: 'error' } : { headers }
}

/** The end of a rate limit in Unix milliseconds; 0 without one. Pages show the countdown. */
export const rateLimit = createStore(0)

/** Milliseconds within which /config.json must arrive. */
const deadline = 10_000

async function readConfig(): Promise<DashboardConfig> {
  let response: Response
  const ended = waitFor()
  try {
    response = await transport.send(urlOfFile('config.json'), {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(deadline),
    })
  } catch (cause) {
    markUnreachable()
    throw unreached(cause)
  } finally {
    ended()
  }
  markReachable()
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  const body: unknown = await response.json().catch(() => undefined)
  if (import.meta.env.MODE === 'static') return (await import('./static-config.ts')).readStaticConfig(body)
  const result = dashboardConfig.safeParse(body)
  if (!result.success)
    throw new ApiError('answer', 'The service sent no readable /config.json.', { cause: result.error })
  return result.data
}

async function start(): Promise<Session> {
  const config = await readConfig()
  const wanted = profileOfLocation(pagePath()) ?? config.defaultProfile
  const found = config.profiles.find((one) => one.id === wanted)
  if (!found)
    throw new ApiError('status', `This service knows no profile named “${wanted}”.`, {
      status: 404,
      name: 'Unknown profile',
    })
  const isUnknown = found.isOther === true && found.offeredOperations === undefined
  const profile =
    isUnknown && found.missingOperations.length === 0
      ? await (await import('./discovery.ts')).askedProfile(found)
      : found
  return sessionOf(config, profile)
}

function sessionOf(config: DashboardConfig, profile: Profile): Session {
  const client = createClient({
    profile,
    key: keyOf(profile),
    ...(profile.isOther === true && {
      onRefused: async (operation, url, error) => {
        const { understand } = await import('./discovery.ts')
        const understood = await understand(operation, url, error, answered.has(operation.id))
        if (understood.operation !== undefined) await learnLack(understood.operation)
        return understood
      },
      onAnswered: ({ id }) => answered.add(id),
    }),
    onRequest: () => {
      const ended = waitFor()
      return (outcome) => {
        ended()
        if (outcome === 'answered') markReachable()
        else if (outcome === 'failed') requestFailed()
      }
    },
    onRateLimit: (seconds) => rateLimit.set(Date.now() + seconds * 1000),
  })
  return { config, profile, client }
}

/** Operations that the deployment has answered since the page was loaded. */
const answered = new Set<string>()

/**
 * The request that is under way for each operation that the deployment has not answered yet, unless its profile tells what
 * it has: parts of a page that ask at the same moment learn from one request whether there is such a route.
 */
const firstAsked = new Map<string, Promise<void>>()
const noop = (): void => undefined

/** Told of a session that replaces the one before. */
const listeners = new Set<(next: Session) => void>()
export const onSession = (listener: (next: Session) => void): unknown => listeners.add(listener)

/** Replaces the session: its deployment turned out to lack an operation. */
async function learnLack(operationId: string): Promise<void> {
  const before = current
  if (before === undefined) return
  const { config, profile } = await before
  if (current !== before || profile.missingOperations.includes(operationId)) return
  const missingOperations = [...profile.missingOperations, operationId]
  const next = sessionOf(config, { ...profile, missingOperations })
  current = Promise.resolve(next)
  for (const listener of listeners) listener(next)
}

let current: Promise<Session> | undefined

/** Milliseconds for which a failed start answers all callers: each component asks, but one request is enough. */
const pauseAfterFailure = 1_000

/** The session of this page, started once; the first caller a second after a failure starts it again. */
export function session(): Promise<Session> {
  if (!current) {
    const beginning = start()
    current = beginning
    beginning.catch(() => setTimeout(() => current === beginning && restartSession(), pauseAfterFailure))
  }
  return current
}

/** Starts the session again after a key has changed. */
export function restartSession(): void {
  current = undefined
}

/** Calls an operation of the session's deployment: see `createClient`. What it lacks is answered otherwise if possible. */
export async function call<O extends Operation>(
  operation: O,
  request: Request<O> = {},
): Promise<ResponseOf<O>> {
  const { client, profile } = await session()
  const replace = async (): Promise<ResponseOf<O>> => {
    const substitute = await substituteOf(profile, operation.id)
    if (!substitute) {
      const { notOffered } = await import('./lacking.ts')
      throw notOffered(operation, (id) => canAnswer(profile, id))
    }
    return (await substitute(request as Request<Operation>, profile)) as ResponseOf<O>
  }
  if (!hasOperation(profile, operation.id)) return replace()
  const isUntold = profile.isOther === true && profile.offeredOperations === undefined
  const first = isUntold && !answered.has(operation.id) ? firstAsked.get(operation.id) : undefined
  if (first) {
    await first
    return call(operation, request)
  }
  try {
    const asked = client.call(operation, request)
    if (isUntold && !answered.has(operation.id)) {
      const ended = asked.then(noop, noop).finally(() => firstAsked.delete(operation.id))
      firstAsked.set(operation.id, ended)
    }
    return await asked
  } catch (error) {
    // The service has just turned out to lack it.
    if (error instanceof ApiError && error.operation === operation.id) return replace()
    throw error
  }
}
