/**
 * The websockets that this process holds open to nodes. avalanchego 1.14 waits until no websocket is open at
 * its API before it gives an endpoint or a chain a new name, and until then it answers nobody at all. Whoever
 * asks for a name lets go of the own sockets first; their owners open them again.
 */
const held = new Map<() => void, string>()

/** Registers a socket by its URL and how it is ended at once. Call the result when it has closed. */
export function holdSocket(url: string, end: () => void): () => void {
  held.set(end, new URL(url).host)
  return () => held.delete(end)
}

/** Ends every socket to the host of a URL, whatever its protocol. */
export function letGoOfSockets(url: string): void {
  const { host } = new URL(url)
  for (const [end, at] of held) if (at === host) end()
}
