/**
 * The checker's node client. It shares no code with the indexer, so all figures are computed independently.
 */

import type { Hex } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { callsOfFlat, callsOfFrames, type TracedCalls } from './calls.ts'
import { within } from '../kernel/within.ts'

type Json = { readonly [key: string]: unknown }

export type NodeLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

export type NodeTransaction = {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly value: bigint
  readonly input: string
  readonly gasUsed: bigint
  readonly gasPrice: bigint
  /** Blob gas used and its price; zeros without blobs. */
  readonly blobs: readonly [used: bigint, price: bigint]
  readonly succeeded: boolean
  readonly contractAddress: string | null
  readonly logs: readonly NodeLog[]
  /** What accounts authorized by it (EIP-7702), for this chain or any, by the place in its list. */
  readonly authorizations: readonly NodeAuthorization[]
  /** Access list, authorizations and blobs as text; undefined without any. */
  readonly envelope: string | undefined
}

/** An authorization with a valid signature, and who signed it. */
type NodeAuthorization = {
  readonly index: number
  readonly authority: string
  readonly address: string
  readonly nonce: bigint
}

/** A withdrawal; `amount` is in gwei. */
type NodeWithdrawal = {
  readonly index: bigint
  readonly validator: bigint
  readonly address: string
  readonly amount: bigint
}

/** A successful creation: the deployer, the contract and the transaction. */
export type NodeCreation = { readonly deployer: string; readonly contract: string; readonly txIndex: number }

export type NodeBlock = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly ts: number
  /** The gas used by the transactions; the header of an asynchronous block contains their limits instead. */
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  /** Wei, from the header; 0 in blocks without a base fee. */
  readonly baseFee: bigint
  /** The highest block that the header settles (ACP-194); undefined for a block that settles itself. */
  readonly settledHeight: number | undefined
  readonly bloom: string
  readonly transactions: readonly NodeTransaction[]
  readonly withdrawals: readonly NodeWithdrawal[]
  /** Both are undefined if traces were not requested or the node could not provide them. */
  readonly creations: readonly NodeCreation[] | undefined
  readonly calls: TracedCalls | undefined
}

type NodeTraces = Pick<NodeBlock, 'creations' | 'calls'>

const untraced: NodeTraces = { creations: undefined, calls: undefined }

class AnswerError extends Error {
  readonly code: number | undefined
  constructor(method: string, { code, message }: { code?: number; message?: string }) {
    super(`${method}: ${message ?? 'failed'}`)
    this.code = code
  }
  /** Whether the node does not support the method. */
  get unsupported(): boolean {
    return this.code === -32601 || /method.*(not|n't)|unsupported method/i.test(this.message)
  }
  /** Whether the node no longer has the required state. */
  get isStateGone(): boolean {
    return /state|trie|prun|archive|unavailable|not available/i.test(this.message)
  }
}

/** A JSON-RPC client that reads whole blocks. */
export class NodeReader {
  /** Blocks that the node could not trace: it has pruned their state, or has no trace method. */
  readonly untraceable = { stateGone: 0, unsupported: 0 }
  readonly #url: string
  #id = 0
  #hasBlockReceipts = true
  #chainId: bigint | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** The hash of a block; undefined if the node does not have it. Throws if the node does not answer. */
  async hash(number: number): Promise<string | undefined> {
    const block = (await this.#ask('eth_getBlockByNumber', [text(number), false])) as Json | null
    return block === null ? undefined : String(block['hash'])
  }

  /** The chain id that the node reports. */
  async chainId(): Promise<number> {
    return Number(await this.#ask('eth_chainId', []))
  }

  /**
   * A block with its receipts and, if `traces` is set and the node supports it, what its traces tell. Throws if
   * anything else is missing.
   */
  async block(number: number, traces: boolean): Promise<NodeBlock> {
    const block = (await this.#ask('eth_getBlockByNumber', [text(number), true])) as Json | null
    if (block === null) throw new Error(`the node has no block ${number}`)
    const listed = block['transactions'] as Json[]
    const receipts = await this.#receipts(number, listed)
    const authorizations = await Promise.all(listed.map((transaction) => this.#authorizations(transaction)))
    const transactions = listed.map((transaction, index): NodeTransaction => {
      const receipt = receipts[index]
      if (!receipt || receipt['transactionHash'] !== transaction['hash'])
        throw new Error(`block ${number}: receipts differ`)
      return {
        hash: String(transaction['hash']),
        from: String(transaction['from']).toLowerCase(),
        to: lower(transaction['to']),
        value: BigInt(String(transaction['value'])),
        input: String(transaction['input']),
        gasUsed: BigInt(String(receipt['gasUsed'])),
        gasPrice: BigInt(String(receipt['effectiveGasPrice'] ?? transaction['gasPrice'] ?? 0)),
        blobs: [BigInt(String(receipt['blobGasUsed'] ?? 0)), BigInt(String(receipt['blobGasPrice'] ?? 0))],
        succeeded: receipt['status'] === undefined || Number(receipt['status']) === 1,
        contractAddress: lower(receipt['contractAddress']),
        logs: (receipt['logs'] as Json[]).map((log) => ({
          address: String(log['address']).toLowerCase(),
          topics: log['topics'] as string[],
          data: String(log['data']),
        })),
        authorizations: authorizations[index] ?? [],
        envelope: envelopeText(transaction),
      }
    })
    // A genesis block may contain a height, but no settlement time: it settles itself.
    const settles = Number(block['settledGasUnix'] ?? 0) > 0
    const settledHeight = settles ? Number(block['settledHeight']) : undefined
    const used = transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    return {
      number,
      hash: String(block['hash']),
      parentHash: String(block['parentHash']),
      ts: Number(block['timestamp']),
      gasLimit: BigInt(String(block['gasLimit'])),
      baseFee: BigInt(String(block['baseFeePerGas'] ?? 0)),
      gasUsed: settledHeight === undefined ? BigInt(String(block['gasUsed'])) : used,
      settledHeight,
      bloom: String(block['logsBloom']),
      transactions,
      withdrawals: ((block['withdrawals'] ?? []) as Json[]).map((withdrawal) => ({
        index: BigInt(String(withdrawal['index'])),
        validator: BigInt(String(withdrawal['validatorIndex'])),
        address: String(withdrawal['address']).toLowerCase(),
        amount: BigInt(String(withdrawal['amount'])),
      })),
      ...(traces ? await this.#traces(number, transactions) : untraced),
    }
  }

  /** Recovers the signers by other code than the indexer's (`authorityOf`), which this checks. */
  async #authorizations(transaction: Json): Promise<NodeAuthorization[]> {
    const found: NodeAuthorization[] = []
    for (const [index, entry] of ((transaction['authorizationList'] ?? []) as Json[]).entries()) {
      const chainId = BigInt(String(entry['chainId']))
      this.#chainId ??= BigInt(await this.chainId())
      if (chainId !== 0n && chainId !== this.#chainId) continue
      const word = (name: string): Hex => `0x${BigInt(String(entry[name])).toString(16).padStart(64, '0')}`
      const nonce = BigInt(String(entry['nonce']))
      const address = String(entry['address']).toLowerCase()
      try {
        const authority = await recoverAuthorizationAddress({
          authorization: { chainId: Number(chainId), address: address as Hex, nonce: Number(nonce) },
          signature: { yParity: Number(entry['yParity'] ?? entry['v']), r: word('r'), s: word('s') },
        })
        found.push({ index, authority: authority.toLowerCase(), address, nonce })
      } catch {
        // A signature of nobody has no effect.
      }
    }
    return found
  }

  /** The receipts of a block: in one answer, or one by one if the node lacks `eth_getBlockReceipts`. */
  async #receipts(number: number, transactions: readonly Json[]): Promise<Json[]> {
    if (this.#hasBlockReceipts) {
      try {
        const receipts = (await this.#ask('eth_getBlockReceipts', [text(number)])) as Json[] | null
        if (receipts === null) throw new Error(`the node has no receipts of block ${number}`)
        return receipts
      } catch (error) {
        if (!(error instanceof AnswerError) || !error.unsupported) throw error
        this.#hasBlockReceipts = false
      }
    }
    const receipts: Json[] = []
    for (const { hash } of transactions) {
      receipts.push((await this.#ask('eth_getTransactionReceipt', [hash])) as Json)
    }
    return receipts
  }

  async #traces(number: number, transactions: readonly NodeTransaction[]): Promise<NodeTraces> {
    // A plain transfer makes no calls.
    if (
      transactions.every(
        ({ gasUsed, input, succeeded }) => gasUsed === 21_000n && input === '0x' && succeeded,
      )
    )
      return { creations: [], calls: new Map() }
    const failures: AnswerError[] = []
    try {
      const traces = (await this.#ask('trace_block', [text(number)])) as Json[]
      // A forked anvil has no flat traces of the block from which it was forked, but nested ones.
      const traced = new Set(traces.map((trace) => trace['transactionHash']))
      if (transactions.every(({ hash, gasUsed }) => gasUsed === 0n || traced.has(hash)))
        return { creations: this.#fromFlat(traces), calls: callsOfFlat(traces) }
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error
      failures.push(error)
    }
    try {
      const tracer = { tracer: 'callTracer' }
      const nested = (await this.#ask('debug_traceBlockByNumber', [text(number), tracer])) as Json[]
      const tops = nested.map((trace) => trace['result'] as Json)
      return { creations: tops.flatMap(lasting), calls: callsOfFrames(tops) }
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error
      failures.push(error)
    }
    const supported = failures.filter(({ unsupported }) => !unsupported)
    const other = supported.find(({ isStateGone }) => !isStateGone)
    if (other) throw other
    if (supported.length > 0) this.untraceable.stateGone += 1
    else this.untraceable.unsupported += 1
    return untraced
  }

  /** Reads `trace_block`: a creation lasts if neither it nor a call that contains it failed. */
  #fromFlat(traces: readonly Json[]): NodeCreation[] {
    const failed = new Set(
      traces.filter((trace) => trace['error'] != null).map((trace) => place(trace, addressOf(trace))),
    )
    return traces.flatMap((trace) => {
      const around = addressOf(trace).map((_, index, path) => place(trace, path.slice(0, index)))
      const fails = [...around, place(trace, addressOf(trace))].some((key) => failed.has(key))
      if (trace['type'] !== 'create' || fails || trace['transactionHash'] == null) return []
      const made = (trace['result'] as Json | null)?.['address']
      const from = (trace['action'] as Json)['from']
      const txIndex = Number(trace['transactionPosition'])
      return made == null ? [] : [{ deployer: lower(from) ?? '', contract: lower(made) ?? '', txIndex }]
    })
  }

  /**
   * A contract's answer at a block: 0x text, '0x' if it reverts; 'gone' if the node does not keep the state
   * or does not support calls.
   */
  async call(to: string, data: string, number: number): Promise<string> {
    const { result, error } = await this.#post('eth_call', [{ to, data }, text(number)])
    if (typeof result === 'string') return result
    return /revert|invalid opcode|out of gas|execution|stack/i.test(error?.message ?? '') ? '0x' : 'gone'
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { result, error } = await this.#post(method, params)
    if (error) throw new AnswerError(method, error)
    return result
  }

  async #post(
    method: string,
    params: readonly unknown[],
  ): Promise<{ result?: unknown; error?: { code?: number; message?: string } }> {
    this.#id += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params })
    return within(60_000, async (signal) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(this.#url, { method: 'POST', headers, body, signal })
      return (await answer.json()) as { result?: unknown; error?: { code?: number; message?: string } }
    })
  }
}

const addressOf = (trace: Json): readonly number[] => (trace['traceAddress'] ?? []) as number[]
const place = (trace: Json, path: readonly number[]): string =>
  `${String(trace['transactionPosition'])}:${path.join('.')}`

/** The creations in a call frame and its inner frames, without failed ones. */
function lasting(frame: Json, txIndex: number): NodeCreation[] {
  if (frame['error'] != null) return []
  const inner = ((frame['calls'] ?? []) as Json[]).flatMap((call) => lasting(call, txIndex))
  const creation = String(frame['type']).startsWith('CREATE') && frame['to'] != null
  const own = { deployer: lower(frame['from']) ?? '', contract: lower(frame['to']) ?? '', txIndex }
  return creation ? [own, ...inner] : inner
}

const text = (number: number): string => `0x${number.toString(16)}`
const lower = (value: unknown): string | null => (typeof value === 'string' ? value.toLowerCase() : null)

/** The envelope of a transaction in one form, whether a node lists it or the store has it. */
export function envelopeText(transaction: Json): string | undefined {
  const entries = (name: string) => (transaction[name] ?? []) as Json[]
  const number = (value: unknown): string => BigInt(String(value ?? 0)).toString()
  const parts = [
    ...entries('accessList').map(
      ({ address, storageKeys }) =>
        `access ${String(address)} ${((storageKeys ?? []) as string[]).join(',')}`,
    ),
    ...entries('authorizationList').map(
      (entry) =>
        `authorization ${String(entry['address'])} ${[entry['chainId'], entry['nonce'], entry['r'], entry['s'], entry['yParity'] ?? entry['v']].map(number).join(' ')}`,
    ),
    ...entries('blobVersionedHashes').map((hash) => `blob ${String(hash)}`),
    ...(transaction['maxFeePerBlobGas'] == null
      ? []
      : [`blob fee ${number(transaction['maxFeePerBlobGas'])}`]),
  ]
  return parts.length === 0 ? undefined : parts.join('; ').toLowerCase()
}
