import { setTimeout as delay } from 'node:timers/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Json, SimulatedChain } from './simulated-chain.ts'

/** The ways in which the node can fail. */
export const faults = [
  'status 429',
  'status 503',
  'html',
  'cut json',
  'error inside 200',
  'missing batch id',
  'shuffled batch',
  'foreign batch id',
  'reset',
  'null block',
  'missing receipt',
  'empty logs',
  'other receipts',
  'altered sender value',
] as const
export type Fault = (typeof faults)[number] | 'stalled body' | 'status 401'

/** The chain that a node serves: simulated or recorded. */
export type ServedChain = Pick<SimulatedChain, 'id' | 'height' | 'at' | 'hash'>

type SimulatedNodeOptions = {
  chain: ServedChain
  /** Decides for each HTTP request whether it fails. */
  fault?: () => Fault | undefined
  traces?: 'debug' | 'trace' | 'none'
}

type Call = { id: number; method: string; params: unknown[] }

/** A JSON-RPC node over HTTP that serves a simulated chain and fails as the test demands. */
export class SimulatedNode {
  chain: ServedChain
  fault: () => Fault | undefined
  /** The reported head, if it should lag behind the chain's. */
  reportedHead: number | undefined
  /** Whether the node knows the tag `latest`. */
  knowsLatest = true
  /** The block of the tag `finalized`; null before there is one, undefined for a node that does not know the tag. */
  finalized: number | null | undefined = null
  /** All requested methods, in order, with their first parameter. */
  readonly asked: { method: string; first: unknown }[] = []
  requests = 0
  /** The node's trace method. */
  traces: 'debug' | 'trace' | 'none'
  /** Whether the node has `eth_getBlockReceipts`. It always has the receipts of single transactions. */
  hasBlockReceipts = true
  /** Milliseconds before each answer. */
  latency = 0
  /** Number of newest blocks that it can trace; Infinity means all. */
  statesKept = Infinity
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })

  constructor(options: SimulatedNodeOptions) {
    this.chain = options.chain
    this.fault = options.fault ?? (() => undefined)
    this.traces = options.traces ?? 'debug'
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/rpc`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString()) as Call | Call[]
    this.requests += 1
    if (this.latency > 0) await delay(this.latency)
    const fault = this.fault()
    if (fault === 'reset') return void request.socket.destroy()
    if (fault === 'status 429') return void response.writeHead(429, { 'retry-after': '0' }).end('slow down')
    if (fault === 'status 401') return void response.writeHead(401).end('who are you?')
    if (fault === 'status 503') return void response.writeHead(503).end('{"error":"down"}')
    if (fault === 'html') return void response.writeHead(200).end('<html><body>Bad gateway</body></html>')
    const calls = Array.isArray(body) ? body : [body]
    let answers: Json[] = calls.map((call) => this.#answer(call, fault))
    if (Array.isArray(body)) {
      if (fault === 'missing batch id') answers = answers.slice(1)
      if (fault === 'shuffled batch') answers.reverse()
      if (fault === 'foreign batch id') answers = answers.map((answer) => ({ ...answer, id: 1e9 }))
    }
    const text = JSON.stringify(Array.isArray(body) ? answers : answers[0])
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    if (fault === 'cut json') return void response.end(text.slice(0, text.length / 2)).destroy()
    if (fault === 'stalled body') return void response.write(text.slice(0, 10))
    response.end(text)
  }

  #answer({ id, method, params }: Call, fault: Fault | undefined): Json {
    this.asked.push({ method, first: params[0] })
    if (fault === 'error inside 200')
      return { jsonrpc: '2.0', id, error: { code: -32000, message: 'header not found' } }
    if (this.#isPruned(method, params)) {
      const message = 'required historical state unavailable (reexec=128)'
      return { jsonrpc: '2.0', id, error: { code: -32000, message } }
    }
    const result = this.#result(method, params, fault)
    if (result === undefined)
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `the method ${method} does not exist` } }
    return { jsonrpc: '2.0', id, result }
  }

  #receipt(hash: string, head: number): Json | undefined {
    for (let number = head; number >= 0; number -= 1) {
      const found = this.chain.at(number)?.receipts.find((receipt) => receipt['transactionHash'] === hash)
      if (found) return found
    }
    return undefined
  }

  #isPruned(method: string, params: unknown[]): boolean {
    const offered = { debug: 'debug_traceBlockByNumber', trace: 'trace_block', none: undefined }[this.traces]
    return method === offered && Number(params[0]) <= this.chain.height - this.statesKept
  }

  #result(method: string, params: unknown[], fault: Fault | undefined): unknown {
    const head = Math.min(this.reportedHead ?? this.chain.height, this.chain.height)
    const tags: Record<string, number> = { latest: head, finalized: this.finalized ?? Number.NaN }
    const number = tags[String(params[0])] ?? Number(params[0])
    const found = number <= head ? this.chain.at(number) : undefined
    switch (method) {
      case 'eth_chainId':
        return `0x${this.chain.id.toString(16)}`
      case 'eth_blockNumber':
        return `0x${head.toString(16)}`
      case 'web3_clientVersion':
        return 'simulated/1'
      case 'eth_getBlockByNumber': {
        if (params[0] === 'latest' && !this.knowsLatest) return undefined
        if (params[0] === 'finalized' && this.finalized === undefined) return undefined
        if (!found || (fault === 'null block' && params[1] === true)) return null
        const transactions = found.block['transactions'] as Json[]
        if (fault === 'altered sender value' && params[1] === true) {
          return { ...found.block, transactions: transactions.map((item) => ({ ...item, value: '0x1' })) }
        }
        return params[1] === true
          ? found.block
          : { ...found.block, transactions: transactions.map((item) => item['hash']) }
      }
      case 'eth_getTransactionReceipt':
        return this.#receipt(String(params[0]), head) ?? null
      case 'eth_getBlockReceipts': {
        if (!this.hasBlockReceipts) return undefined
        if (!found) return null
        if (fault === 'missing receipt') return found.receipts.slice(1)
        if (fault === 'empty logs') return found.receipts.map((receipt) => ({ ...receipt, logs: [] }))
        if (fault === 'other receipts') return this.chain.at(number - 1)?.receipts ?? []
        return found.receipts
      }
      case 'debug_traceBlockByNumber':
        return this.traces === 'debug' ? found?.traces : undefined
      case 'trace_block':
        return this.traces === 'trace' && found
          ? found.traces.flatMap((trace, index) => flatten(trace, index))
          : undefined
      default:
        return undefined
    }
  }
}

/** The same calls in the format of `trace_block`. */
function flatten(trace: Json, position: number): Json[] {
  const walk = (frame: Json, address: number[]): Json[] => {
    const creation = String(frame['type']).startsWith('CREATE')
    const failed = frame['error'] !== undefined
    const isLost = failed && !String(frame['error']).includes('revert')
    const calls = (frame['calls'] ?? []) as Json[]
    const own: Json = {
      type: creation ? 'create' : 'call',
      action: {
        from: frame['from'],
        value: frame['value'],
        gas: frame['gas'],
        ...(creation
          ? { init: frame['input'], creationMethod: String(frame['type']).toLowerCase() }
          : { to: frame['to'], input: frame['input'], callType: String(frame['type']).toLowerCase() }),
      },
      result: isLost
        ? null
        : {
            gasUsed: frame['gasUsed'],
            ...(creation
              ? { address: frame['to'], code: frame['output'] ?? '0x' }
              : { output: frame['output'] ?? '0x' }),
          },
      ...(failed && { error: frame['error'] }),
      traceAddress: address,
      subtraces: calls.length,
      transactionHash: trace['txHash'],
      transactionPosition: position,
    }
    return [own, ...calls.flatMap((call, index) => walk(call, [...address, index]))]
  }
  return walk(trace['result'] as Json, [])
}
