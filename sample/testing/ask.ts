/** An unparsed answer of a node. */
type Asked = {
  readonly status: number
  readonly type: string | null
  readonly text: string
}

/** Sends a body to a path of the node. */
export async function send(url: string, body: string, type = 'application/json'): Promise<Asked> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

/** The whole answer to one JSON-RPC call. */
export async function answerOf(
  url: string,
  method: string,
  ...params: readonly unknown[]
): Promise<{ id: unknown; result?: unknown; error?: { code: number; message: string } }> {
  const { text } = await send(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return JSON.parse(text) as { id: unknown }
}

/** The result of one JSON-RPC call; throws when there is none. */
export async function resultOf<T>(url: string, method: string, ...params: readonly unknown[]): Promise<T> {
  const answer = await answerOf(url, method, ...params)
  if ('result' in answer) return answer.result as T
  throw new Error(`${method}: ${answer.error?.message ?? 'no result'}`)
}

/** The members of a block that these tests read. */
export type TestBlock = {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly timestamp: string
  readonly transactions: readonly string[]
}

/** All blocks of a chain, the first one first. */
export async function allBlocks(url: string): Promise<TestBlock[]> {
  const head = Number(await resultOf<string>(url, 'eth_blockNumber'))
  const calls = Array.from({ length: head + 1 }, (_, number) => ({
    jsonrpc: '2.0',
    id: number,
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  }))
  const { text } = await send(url, JSON.stringify(calls))
  return (JSON.parse(text) as { result: TestBlock }[]).map(({ result }) => result)
}
