import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const watchedSchema = z.array(z.object({ network: z.string(), nodeId: z.string() }))

/** A node that the person keeps an eye on. */
export type WatchedNode = z.infer<typeof watchedSchema>[number]

/** The watched nodes, newest first. The list never leaves the browser. */
export const watchedNodes = createStoredStore<readonly WatchedNode[]>('ridgeline.watchedNodes', (stored) => {
  const result = watchedSchema.safeParse(stored)
  return result.success ? result.data : []
})

const isSame = (one: WatchedNode, network: string, nodeId: string): boolean =>
  one.network === network && one.nodeId === nodeId

/** Whether a list holds a node of a network. */
export const holdsNode = (list: readonly WatchedNode[], network: string, nodeId: string): boolean =>
  list.some((one) => isSame(one, network, nodeId))

/** Puts a node on the watch list, or takes it off. */
export function toggleWatchedNode(network: string, nodeId: string): void {
  watchedNodes.set((list) =>
    holdsNode(list, network, nodeId)
      ? list.filter((one) => !isSame(one, network, nodeId))
      : [{ network, nodeId }, ...list],
  )
}
