/**
 * The websockets that this process has open to nodes. When avalanchego 1.14 is asked to alias an endpoint or a
 * chain, it first waits until no websocket to its API is open, and answers no requests until then. The caller of
 * an alias method therefore closes these sockets first; their owners reopen them.
 */
const held = new Map<() => void, string>()

/**
 * Registers a socket with its URL and a function that closes it immediately. Call the result when it has
 * closed.
 */
export function holdSocket(url: string, end: () => void): () => void {
  held.set(end, new URL(url).host)
  return () => held.delete(end)
}

/** Closes all sockets to the host of a URL, regardless of protocol. */
export function closeSockets(url: string): void {
  const { host } = new URL(url)
  for (const [end, at] of held) if (at === host) end()
}
