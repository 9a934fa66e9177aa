import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:tls'
import type { Node } from '../primary/world.ts'
import { type ConnectionParts, serve } from './connection.ts'
import { host } from './identity.ts'

/** A node's open port. */
export type Listener = {
  readonly port: number
  /** Closes the port and every connection. */
  close(): Promise<void>
}

/** The connections of one node: one for each certificate. */
type ListenerParts = Omit<ConnectionParts, 'admit' | 'release'>

/** Connections that one node takes. */
const maxConnections = 256

/**
 * Listens for peers with the node's own certificate, on `wanted` if that port is free, otherwise on a port
 * chosen by the system.
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
    // There is no certificate authority: the certificate itself determines the node id.
    rejectUnauthorized: false,
  })
  server.maxConnections = maxConnections
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
  // A client that does not speak TLS or that disconnects during the handshake.
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
