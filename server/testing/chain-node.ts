import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A node's answer to one call: its result, or the message of its error. */
type NodeReply = { readonly result: unknown } | { readonly error: string }

/** A test's own JSON-RPC node. */
type ChainNode = { readonly url: string; readonly asked: string[]; close(): Promise<void> }

/** Starts a node that answers each call by the test's function; it does not answer if that returns undefined. */
export async function startChainNode(
  reply: (method: string, params: readonly unknown[]) => NodeReply | undefined,
): Promise<ChainNode> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] }
      asked.push(`${method} ${JSON.stringify(params)}`)
      const found = reply(method, params)
      if (!found) return
      const rest = 'error' in found ? { error: { code: -32000, message: found.error } } : found
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...rest }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
