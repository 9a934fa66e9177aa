import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands between a program and PostgreSQL, and sees everything that the program sends. */
type StoreRelay = {
  /** The URL of the database by way of the relay. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts a relay to a database. `onSent` is called with each piece that a client sends, before it reaches the server; if it
 * returns false, that piece does not reach it any more, and nothing else on its connection. If it returns a number, that
 * many bytes of the piece reach the server, and both sides see the connection reset. What the server has received
 * when a client ends is executed, as with a client that has no relay.
 */
export async function startStoreRelay(
  databaseUrl: string,
  onSent: (bytes: number) => boolean | number,
): Promise<StoreRelay> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    // A killed client resets its connection.
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    const upstream = keep(connectTo(databaseUrl))
    let isLost = false
    keep(client)
      .on('data', (piece: Buffer) => {
        if (isLost) return
        const passes = onSent(piece.length)
        if (passes === true) return void upstream.write(piece)
        isLost = true
        if (passes === false) return void upstream.end()
        upstream.end(piece.subarray(0, passes))
        client.resetAndDestroy()
      })
      .on('close', () => upstream.end())
    upstream.on('data', (piece: Buffer) => client.write(piece)).on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async stop() {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function connectTo(databaseUrl: string): Socket {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  const folder = searchParams.get('host')
  return folder === null
    ? connect(Number(port), hostname)
    : connect({ path: `${folder}/.s.PGSQL.${port === '' ? 5432 : port}` })
}
