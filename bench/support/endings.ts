const endings = new Set<() => Promise<void>>()

/**
 * Names what must be ended when the benchmark is interrupted: programs that would outlive it. Returns an
 * action that ends it in the ordinary way, once.
 */
export function endLater(end: () => Promise<void>): () => Promise<void> {
  endings.add(end)
  return async () => {
    if (endings.delete(end)) await end()
  }
}

/** Ends everything on Ctrl-C or a polite kill, the last started first, and then this process. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const all = [...endings].toReversed()
      endings.clear()
      void Promise.allSettled(all.map((end) => end())).then(() => process.exit(130))
    })
  }
}
