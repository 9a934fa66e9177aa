import { overloaded } from './errors.ts'

/** Places for what is underway at once, shared by clients. */
export type Places = {
  /** Takes one for a client; what it returns gives it back. Throws a Refusal where the client may not have it. */
  take(client: string): () => void
}

/**
 * Makes `most` places. A client may have as many as are left beside them: alone it has half of all,
 * however many it asks for, and the rest waits for others.
 */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>()
  let left = most
  return {
    take(client) {
      const own = taken.get(client) ?? 0
      if (left === 0) throw overloaded(`${most} calls are underway, try again`)
      if (own >= left) throw overloaded(`${own} of your calls are underway, as many as places are left`)
      left -= 1
      taken.set(client, own + 1)
      return () => {
        left += 1
        const rest = (taken.get(client) ?? 1) - 1
        if (rest > 0) taken.set(client, rest)
        else taken.delete(client)
      }
    },
  }
}
