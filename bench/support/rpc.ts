import { Agent, request } from 'node:http'

type Answer = {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** A minimal JSON-RPC client, to measure the node alone. */
export type BareRpc = {
  /** One call. Throws the node's error. */
  call(method: string, params: readonly unknown[] | Readonly<Record<string, unknown>>): Promise<unknown>
  /** Several calls in one request, answered in their order. */
  batch(calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<unknown[]>
  close(): void
}

/** Opens at most `connections` keep-alive connections to a node. */
export function openRpc(url: string, connections: number): BareRpc {
  const { hostname, port, pathname } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: connections, noDelay: true })

  const post = (payload: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify(payload))
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const sent = request({ hostname, port, path: pathname, method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()))
          } catch (error) {
            reject(new Error('the node did not answer with JSON', { cause: error }))
          }
        })
      })
      sent.once('error', reject)
      sent.end(body)
    })

  const resultOf = (method: string, answer: Answer | undefined): unknown => {
    if (!answer) throw new Error(`${method}: no answer`)
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  return {
    async call(method, params) {
      return resultOf(method, (await post({ jsonrpc: '2.0', id: 0, method, params })) as Answer)
    },
    async batch(calls) {
      const payload = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
      const answers = new Map(((await post(payload)) as Answer[]).map((answer) => [answer.id, answer]))
      return calls.map(([method], id) => resultOf(method, answers.get(id)))
    },
    close: () => agent.destroy(),
  }
}
