import postgres from 'postgres'
import type { Database } from './database.ts'

type Listening = {
  /** Resolves when the connection is lost or dropped. */
  readonly lost: Promise<void>
  /** Closes the connection. */
  drop(): void
}

/**
 * Listens on channels with a connection of its own that has the settings of a pool; resolves once it does. The driver's
 * own `listen` connects again by itself, but tells nobody while it cannot.
 */
export async function listenTo(
  database: Database,
  channels: Readonly<Record<string, (payload: string) => void>>,
): Promise<Listening> {
  let onLost: () => void = () => undefined
  const lost = new Promise<void>((resolve) => {
    onLost = resolve
  })
  // The driver accepts its own parsed options; only the types differ.
  const sql = postgres({
    ...database.options,
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    onclose: () => onLost(),
    onnotify: (channel: string, payload: string) => channels[channel]?.(payload),
  } as unknown as postgres.Options<Record<string, never>>)
  const drop = (): void => {
    onLost()
    sql.end({ timeout: 0 }).catch(() => undefined)
  }
  try {
    for (const channel of Object.keys(channels)) await sql.unsafe(`listen "${channel}"`)
  } catch (error) {
    drop()
    throw error
  }
  return { lost: lost.then(drop), drop }
}
