import { type Hex, toRlp } from 'viem'
import { numeric, quantity } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/anvil/rpc.ts'
import { blockAt, blockOfHash, blockParam, type LocalNode } from './blocks.ts'
import type { Entry } from './feed.ts'
import { type LocalMethod, MethodError } from './local.ts'
import { blockRlp, headerOf, itemOf } from './block-rlp.ts'

/** The author of all blocks on Avalanche: the address that fees are burned at. */
const coinbase = '0x0100000000000000000000000000000000000000'

/** The header members of a block: all but its transactions, size and uncles. */
function headerFields(block: Entry): Entry {
  const { transactions: _list, uncles: _uncles, size: _size, withdrawals: _none, ...header } = block
  return header
}

/** The requested block; undefined for an unknown hash. */
async function sought(node: LocalNode, value: unknown): Promise<Entry | undefined> {
  const choice = blockParam(node.head.number, value, 0)
  const found = await ('hash' in choice ? blockOfHash(node, choice.hash) : blockAt(node, choice.height))
  if (found === undefined) return undefined
  return (await node.rpc.call('eth_getBlockByNumber', quantity(found.number), false)) as Entry
}

/** The block, or the node's error, which prints an unknown hash as a list of numbers. */
async function chosen(node: LocalNode, value: unknown, what: 'block' | 'header'): Promise<Entry> {
  const found = await sought(node, value)
  if (found !== undefined) return found
  const hash = typeof value === 'string' ? value : (value as { readonly blockHash?: string }).blockHash
  const bytes = Buffer.from(String(hash).slice(2), 'hex')
  throw new MethodError(`${what} #[${[...bytes].join(' ')}] not found`)
}

async function rawTransactions({ rpc }: LocalNode, block: Entry): Promise<readonly Hex[]> {
  const hashes = block['transactions'] as readonly string[]
  const calls = hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] }))
  return (await rpc.batch(calls)) as readonly Hex[]
}

type Receipt = {
  readonly type: string
  readonly status: string
  readonly cumulativeGasUsed: string
  readonly logsBloom: Hex
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

/** A receipt's consensus bytes. */
function rawReceipt({ type, status, cumulativeGasUsed, logsBloom, logs }: Receipt): Hex {
  const list = toRlp([
    numeric(status),
    numeric(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
  ])
  return Number(type) === 0 ? list : `0x${type.slice(2).padStart(2, '0')}${list.slice(2)}`
}

type Frame = {
  readonly gasUsed: Hex
  readonly output?: Hex
  readonly error?: string
}

/** `debug_traceCall` with these parameters. */
type TraceCall = (call: unknown, block: unknown, options: object) => Promise<unknown>

/** The outcome codes of the EVM's call counters. */
const outcomes: Readonly<Record<string, number>> = { 'out of gas': 1, 'execution reverted': 2 }

async function callDetailed(traceCall: TraceCall, call: unknown, block: unknown): Promise<unknown> {
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
  try {
    const { gasUsed, output, error = '' } = (await traceCall(call, block ?? 'latest', tracer)) as Frame
    return { gas: Number(gasUsed), errCode: outcomes[error] ?? 0, err: error, returnData: output ?? '0x' }
  } catch (error) {
    if (error instanceof RpcError) throw new MethodError(error.message)
    throw error
  }
}

/** C-Chain only: the atomic transactions of the block at a height. */
export type ExtraData = Promise<(height: number) => Uint8Array | undefined>

/** A block's bytes as the node stores them. */
export async function rawBlock(
  node: LocalNode,
  block: Entry,
  extraData: ExtraData | undefined,
): Promise<Hex> {
  const raws = await rawTransactions(node, block)
  if (extraData === undefined) return toRlp([headerOf(block), raws.map(itemOf), []])
  const extra = (await extraData)(Number(block['number']))
  return `0x${Buffer.from(blockRlp(block, raws, extra)).toString('hex')}`
}

/** Raw blocks and headers, and other methods of the network's nodes that anvil lacks. */
export function rawMethods(
  starting: Promise<LocalNode>,
  extraData: ExtraData | undefined,
  traceCall: TraceCall,
): Readonly<Record<string, LocalMethod>> {
  /** The header, or null if there is no such block. */
  async function header(method: string, at: unknown): Promise<unknown> {
    const block = (await (await starting).rpc.call(method, at, false)) as Entry | null
    return block === null ? null : headerFields(block)
  }

  return {
    eth_coinbase: () => coinbase,
    eth_etherbase: () => coinbase,
    net_peerCount: () => '0x0',
    eth_getHeaderByNumber: ([block]) => header('eth_getBlockByNumber', block ?? 'latest'),
    eth_getHeaderByHash: ([hash]) => header('eth_getBlockByHash', hash),
    eth_callDetailed: async ([call, block]) => callDetailed(traceCall, call, block),
    debug_getRawHeader: async ([block]) => toRlp(headerOf(await chosen(await starting, block, 'header'))),
    async debug_getRawBlock([at]) {
      const node = await starting
      return rawBlock(node, await chosen(node, at, 'block'), extraData)
    },
    async debug_getRawReceipts([at]) {
      const node = await starting
      const block = await sought(node, at)
      if (block === undefined) return []
      const receipts = await node.rpc.call('eth_getBlockReceipts', block['number'])
      return (receipts as readonly Receipt[]).map(rawReceipt)
    },
    debug_getRawTransaction: async ([hash]) =>
      (await (await starting).rpc.call('eth_getRawTransactionByHash', hash)) ?? '0x',
  }
}
