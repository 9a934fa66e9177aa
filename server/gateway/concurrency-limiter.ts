import { overloaded } from './errors.ts'

/** Limits the calls in flight of all clients together. */
type ConcurrencyLimiter = {
  /** Acquires a slot for a client and returns the function that releases it. Throws a Refusal if none is available. */
  acquire(client: string): () => void
}

/**
 * A fair concurrency limiter: a client may hold at most as many slots as are still free. One client alone can hold
 * half of all slots; the rest stays available to others.
 */
export function createConcurrencyLimiter(slots: number): ConcurrencyLimiter {
  const held = new Map<string, number>()
  let free = slots
  return {
    acquire(client) {
      const own = held.get(client) ?? 0
      if (free === 0) throw overloaded(`${slots} calls are in progress, try again`)
      if (own >= free)
        throw overloaded(`${own} of your calls are in progress and ${free} slots are free, try again`)
      free -= 1
      held.set(client, own + 1)
      return () => {
        free += 1
        const rest = (held.get(client) ?? 1) - 1
        if (rest > 0) held.set(client, rest)
        else held.delete(client)
      }
    },
  }
}
