import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Node } from '../primary/world.ts'
import type { ConnectionParts } from './connection.ts'
import { serve } from './connection.ts'
import { host } from './identity.ts'

/** A node's open port. */
export type Listener = {
  readonly port: number
  /** Closes the port and every connection. */
  close(): Promise<void>
}

/** The connections of one node: one for each certificate. */
export type ListenerParts = Omit<ConnectionParts, 'admit' | 'release'>

/** Connections that one node takes. */
const mostConnections = 256

/**
 * Listens for peers with a node's own certificate, on `wanted` if that port is free and on one of the system's choice
 * else.
 */
export async function listen(
  node: Node,
  wanted: number,
  parts: (port: number) => ListenerParts,
): Promise<Listener> {
  const sockets = new Set<Socket>()
  const certificates = new Set<string>()
  const server = createServer({
    ...node.certificate.pem(),
    minVersion: 'TLSv1.3',
    requestCert: true,
    // There is no authority: a node is who its certificate makes it.
    rejectUnauthorized: false,
  })
  server.maxConnections = mostConnections
  let port = 0
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('secureConnection', (socket) => {
    serve(socket, {
      ...parts(port),
      admit(certificate) {
        if (certificates.has(certificate)) return false
        certificates.add(certificate)
        return true
      },
      release: (certificate) => certificates.delete(certificate),
    })
  })
  // Somebody who speaks no TLS, or hangs up in mid-handshake.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  const open = async (at: number): Promise<void> => {
    server.listen(at, host)
    await once(server, 'listening')
  }
  try {
    await open(wanted)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    await open(0)
  }
  port = (server.address() as AddressInfo).port
  return {
    port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
