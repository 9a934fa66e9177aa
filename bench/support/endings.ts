const endings = new Set<() => Promise<void>>()

/**
 * Registers an action that ends a program if the benchmark is interrupted, because the program would outlive
 * it. Returns a function that runs the action normally, once.
 */
export function endLater(end: () => Promise<void>): () => Promise<void> {
  endings.add(end)
  return async () => {
    if (endings.delete(end)) await end()
  }
}

/** On Ctrl-C or SIGTERM, ends everything in reverse order of start, and then this process. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const all = [...endings].toReversed()
      endings.clear()
      void Promise.allSettled(all.map((end) => end())).then(() => process.exit(130))
    })
  }
}
