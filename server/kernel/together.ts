import { setMaxListeners } from 'node:events'

/**
 * Combines tasks that run until a signal into one that ends when all of them have. The first failure stops
 * the others, and the combined task rejects with it.
 */
export function together<Options extends { readonly signal: AbortSignal }>(
  ...tasks: readonly ((options: Options) => Promise<void>)[]
): (options: Options) => Promise<void> {
  return async (options) => {
    const stop = new AbortController()
    const signal = AbortSignal.any([options.signal, stop.signal])
    // The tasks have workers for each chain, each of which listens.
    setMaxListeners(0, signal)
    const running = tasks.map((task) =>
      task({ ...options, signal }).catch((error: unknown) => {
        stop.abort()
        throw error
      }),
    )
    const results = await Promise.allSettled(running)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}
