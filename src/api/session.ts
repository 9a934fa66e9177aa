import * as z from 'zod/mini'
import { dashboardConfig, type DashboardConfig, type Profile } from '../../contract/profile.ts'
import type { Operation, ResponseOf } from '../../contract/base/operation.ts'
import { waitFor } from '../lib/connection.ts'
import { createStore, createStoredStore } from '../lib/storage/store.ts'
import { profileOfLocation } from '../lib/profile-path.ts'
import { createClient, type Client, type Request } from './client.ts'
import { markReachable, requestFailed, markUnreachable } from './connection.ts'
import { ApiError, errorOfAnswer } from './errors.ts'

/** The deployment that this page uses, and the configuration with all others. */
type Session = { config: DashboardConfig; profile: Profile; client: Client }

const keysSchema = z.record(z.string(), z.string())

/** API keys by profile id. They are stored in this browser and sent to their profile's own URLs only. */
export const keys = createStoredStore<Readonly<Record<string, string>>>('ridgeline.keys', (stored) => {
  const result = keysSchema.safeParse(stored)
  return result.success ? result.data : {}
})

/** The end of a rate limit in Unix milliseconds; 0 without one. Pages show the countdown. */
export const rateLimit = createStore(0)

/** Milliseconds within which /config.json must arrive. */
const deadline = 10_000

async function readConfig(): Promise<DashboardConfig> {
  let response: Response
  const ended = waitFor()
  try {
    response = await fetch('/config.json', {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(deadline),
    })
  } catch (cause) {
    markUnreachable()
    throw new ApiError('network', 'The service could not be reached.', { name: 'Network', cause })
  } finally {
    ended()
  }
  markReachable()
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  const result = dashboardConfig.safeParse(await response.json().catch(() => undefined))
  if (!result.success)
    throw new ApiError('answer', 'The service sent no readable /config.json.', { cause: result.error })
  return result.data
}

async function start(): Promise<Session> {
  const config = await readConfig()
  const wanted = profileOfLocation(location.pathname) ?? config.defaultProfile
  const profile = config.profiles.find((one) => one.id === wanted)
  if (!profile)
    throw new ApiError('status', `This service knows no profile named “${wanted}”.`, {
      status: 404,
      name: 'Unknown profile',
    })
  const client = createClient({
    profile,
    key: keys.get()[profile.id],
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

/** Calls an operation of the session's deployment: see `createClient`. */
export async function call<O extends Operation>(operation: O, request?: Request<O>): Promise<ResponseOf<O>> {
  const { client } = await session()
  return client.call(operation, request)
}
