/*
 * A client of the node's own JSON-RPC, to compare the pages with. It shares no code with the indexer, makes one call
 * after another and throws on any failure.
 */
export type NodeTransaction = {
  readonly hash: string
  readonly type: string
  readonly from: string
  readonly to: string | null
  readonly value: string
  readonly input: string
  readonly nonce: string
  readonly gas: string
  readonly transactionIndex: string
  readonly blockNumber: string
  readonly blockHash: string
}

export type NodeBlock = {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly timestamp: string
  readonly miner: string
  readonly gasUsed: string
  readonly gasLimit: string
  readonly baseFeePerGas: string
  readonly size: string
  readonly stateRoot: string
  readonly transactions: readonly NodeTransaction[]
}

export type NodeLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly logIndex: string
}

type NodeReceipt = {
  readonly transactionHash: string
  readonly status: string
  readonly gasUsed: string
  readonly cumulativeGasUsed: string
  readonly effectiveGasPrice: string
  readonly contractAddress: string | null
  readonly from: string
  readonly to: string | null
  readonly logs: readonly NodeLog[]
}

/** A call of the callTracer with its internal calls. */
export type NodeCall = {
  readonly type: string
  readonly from: string
  readonly to?: string
  readonly value?: string
  readonly input?: string
  readonly error?: string
  readonly calls?: readonly NodeCall[]
}

/** The calls of one node that the tests need. Quantities stay the node's hex; `BigInt` reads them. */
export type Node = {
  /** Gives an order that has no result. Throws on an error. */
  order(method: string, params: readonly unknown[]): Promise<void>
  call<Result>(method: string, params: readonly unknown[]): Promise<Result>
  head(): Promise<number>
  block(height: number): Promise<NodeBlock>
  receipts(height: number): Promise<readonly NodeReceipt[]>
  receipt(hash: string): Promise<NodeReceipt>
  /** The call tree of every transaction of a block, in their order. */
  traces(height: number): Promise<readonly NodeCall[]>
}

export const quantity = (value: number): string => `0x${value.toString(16)}`

/** A client of the node at a JSON-RPC URL. Throws on an error and on a missing result. */
export function nodeAt(url: string): Node {
  let id = 0
  async function ask<Result>(method: string, params: readonly unknown[]): Promise<Result | null | undefined> {
    id += 1
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    })
    const answer = (await response.json()) as { result?: Result | null; error?: { message: string } }
    if (answer.error !== undefined)
      throw new Error(`${method} ${JSON.stringify(params)}: ${answer.error.message}`)
    return answer.result
  }
  async function call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const result = await ask<Result>(method, params)
    if (result == null) throw new Error(`${method} ${JSON.stringify(params)}: nothing`)
    return result
  }
  return {
    order: async (method, params) => void (await ask(method, params)),
    call,
    head: async () => Number(await call<string>('eth_blockNumber', [])),
    block: (height) => call('eth_getBlockByNumber', [quantity(height), true]),
    receipts: (height) => call('eth_getBlockReceipts', [quantity(height)]),
    receipt: (hash) => call('eth_getTransactionReceipt', [hash]),
    traces: async (height) => {
      const traced = await call<readonly { result: NodeCall }[]>('debug_traceBlockByNumber', [
        quantity(height),
        { tracer: 'callTracer' },
      ])
      return traced.map(({ result }) => result)
    },
  }
}
