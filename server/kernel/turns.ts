const waiting: (() => void)[] = []

/**
 * Resolves in an event loop turn that no other caller gets. A node's answers arrive in bursts, and each takes
 * a millisecond or two to check and decode. Processing a burst in one turn would delay database rows and
 * other requests.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}
