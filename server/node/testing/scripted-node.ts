import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as received by the node. */
type Asked = { readonly method: string; readonly params: readonly unknown[]; readonly id: unknown }

/** Handles a request: returns a result, throws a `NodeError`, or takes the response over. */
export type Script = (asked: Asked, response: ServerResponse, request: IncomingMessage) => unknown

/** A JSON-RPC error for a script to throw. */
export class NodeError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A node on loopback that answers as the test's script says. */
export type ScriptedNode = {
  readonly url: string
  readonly asked: Asked[]
  script: Script
  close(): Promise<void>
}

/** Starts a node; `script` may be replaced at any time. */
export async function startScriptedNode(script: Script): Promise<ScriptedNode> {
  const node = { asked: [] as Asked[], script }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const asked = JSON.parse(body) as Asked
      node.asked.push(asked)
      const answer = (fields: object): void => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...fields }))
      }
      try {
        const result = node.script(asked, response, request)
        if (result !== undefined) answer({ result })
      } catch (error) {
        if (!(error instanceof NodeError)) throw error
        const { code, message, data } = error
        answer({ error: { code, message, ...(data !== undefined && { data }) } })
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(node, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
