import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const watchedSchema = z.array(z.object({ chainId: z.string(), address: z.string() }))

/** An address that the person keeps an eye on; the address is in lower case. */
export type Watched = z.infer<typeof watchedSchema>[number]

/** The watch list, newest first. It never leaves the browser. */
export const watched = createStoredStore<readonly Watched[]>('ridgeline.watched', (stored) => {
  const result = watchedSchema.safeParse(stored)
  return result.success ? result.data : []
})

const isSame = (one: Watched, chainId: string, address: string): boolean =>
  one.chainId === chainId && one.address === address.toLowerCase()

/** Whether a list holds an address of a chain. */
export const holds = (list: readonly Watched[], chainId: string, address: string): boolean =>
  list.some((one) => isSame(one, chainId, address))

/** Puts an address on the watch list, or takes it off. */
export function toggleWatched(chainId: string, address: string): void {
  watched.set((list) =>
    holds(list, chainId, address)
      ? list.filter((one) => !isSame(one, chainId, address))
      : [{ chainId, address: address.toLowerCase() }, ...list],
  )
}
