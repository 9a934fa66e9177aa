import http from 'node:http'

/** An error answer of a node. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message}`)
    this.code = code
  }
}

export type RpcCall = {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** A client with one keep-alive connection to a node, so calls arrive in order. */
export type RpcClient = {
  /** The result of one call. Throws `RpcError` when the node refuses it. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
  /** Sends the calls as one batch, which the node may run in any order. Throws on the first failure. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>
  /** Sends the calls as one batch; a refused call has its `RpcError` in place of a result. */
  settleBatch(calls: readonly RpcCall[]): Promise<unknown[]>
  close(): void
}

type Answer = {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Longer than any call takes; detects a node that hangs. */
const timeoutMs = 120_000

/** A client of the node on a local port, looked up for every call: a restarted node has another. */
export function createRpcClient(portOf: () => number): RpcClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1, noDelay: true })

  function post(payload: unknown): Promise<unknown> {
    const body = Buffer.from(JSON.stringify(payload))
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const request = http.request(
        { host: '127.0.0.1', port: portOf(), method: 'POST', agent, headers },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            try {
              resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')))
            } catch (error) {
              reject(new Error('the node answered with something that is not JSON', { cause: error }))
            }
          })
        },
      )
      request.on('error', reject)
      request.setTimeout(timeoutMs, () => {
        request.destroy(new Error(`the node did not answer within ${timeoutMs / 1000} s`))
      })
      request.end(body)
    })
  }

  function errorOf(method: string, { code, message }: NonNullable<Answer['error']>): RpcError {
    return new RpcError(method, code, message)
  }

  async function settleBatch(calls: readonly RpcCall[]): Promise<unknown[]> {
    if (calls.length === 0) return []
    const payload = calls.map(({ method, params = [] }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const answers = (await post(payload)) as readonly Answer[]
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(({ method }, id) => {
      const answer = byId.get(id)
      if (answer === undefined) return new RpcError(method, 0, 'left out of the batch answer')
      return answer.error === undefined ? answer.result : errorOf(method, answer.error)
    })
  }

  return {
    async call(method, ...params) {
      const answer = (await post({ jsonrpc: '2.0', id: 1, method, params })) as Answer
      if (answer.error !== undefined) throw errorOf(method, answer.error)
      return answer.result
    },
    async batch(calls) {
      const results = await settleBatch(calls)
      for (const result of results) if (result instanceof RpcError) throw result
      return results
    },
    settleBatch,
    close: () => agent.destroy(),
  }
}
