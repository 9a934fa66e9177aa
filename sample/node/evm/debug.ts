import type { Hex } from 'viem'
import { inspect } from 'node:util'
import { quantity } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/anvil/rpc.ts'
import type { RpcAnswer } from '../rpc/jsonrpc.ts'
import { type BlockChoice, blockParam, type LocalNode, quantityFault } from './blocks.ts'
import { hashOfBlock } from './decode.ts'
import type { Entry } from './feed.ts'
import { badParam, type LocalMethod, MethodError } from './local.ts'
import { taking } from './params.ts'
import { missing } from './proof.ts'
import { traceUnavailable, translate } from './pruned.ts'
import { type ExtraData, rawBlock } from './raw.ts'

type Block = {
  readonly height: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly root: Hex
  readonly transactionCount: number
}

/** The newest block, in places that read a height before the head is known. */
const newest = Number.MAX_SAFE_INTEGER
const headTags: readonly unknown[] = ['latest', 'pending', 'safe', 'finalized']

/** The height parameter of methods that accept no hash. */
function heightParam(value: unknown, index: number, head: number): number {
  if (value === 'earliest') return 0
  if (headTags.includes(value)) return head
  const fault = typeof value === 'string' ? quantityFault(value) : 'hex string without 0x prefix'
  if (fault !== undefined) throw badParam(index, fault)
  return Number(value)
}

async function blockWith({ rpc }: LocalNode, method: string, at: string): Promise<Block | undefined> {
  const found = (await rpc.call(method, at, false)) as
    (Pick<Block, 'hash' | 'parentHash'> & { number: Hex; stateRoot: Hex; transactions: unknown[] }) | null
  if (found === null) return undefined
  const { hash, parentHash, number, stateRoot, transactions } = found
  return { height: Number(number), hash, parentHash, root: stateRoot, transactionCount: transactions.length }
}

/**
 * The `debug_…` methods that anvil lacks, with the messages of a node of release 1.14. anvil cannot iterate over a
 * state, so methods that list or compare states answer as a pruned node does.
 */
export function debugMethods(
  starting: Promise<LocalNode>,
  extraData: ExtraData | undefined,
): Readonly<Record<string, LocalMethod>> {
  const byHash = async (hash: Hex): Promise<Block | undefined> =>
    blockWith(await starting, 'eth_getBlockByHash', hash)
  const byHeight = async (height: number): Promise<Block | undefined> =>
    blockWith(await starting, 'eth_getBlockByNumber', quantity(height))

  async function isKept(height: number): Promise<boolean> {
    try {
      await (await starting).rpc.call('eth_getBalance', `0x${'0'.repeat(40)}`, quantity(height))
      return true
    } catch (error) {
      if (error instanceof RpcError) return false
      throw error
    }
  }

  function modified(first: Block, last: Block): never {
    if (first.height >= last.height) {
      const heights = `(${first.height}) must be less than end block height (${last.height})`
      throw new MethodError(`start block height ${heights}`)
    }
    throw missing(first.root)
  }

  /** Compares a single block with its parent. */
  async function modifiedIn(block: Block): Promise<never> {
    const parent = await byHash(block.parentHash)
    if (parent === undefined) throw new MethodError(`block ${block.height} has no parent`)
    return modified(parent, block)
  }

  /** Why the block of an answer is none: the node prints its number or hash. */
  const blockNotFound = (name: string): MethodError => new MethodError(`block ${name} not found`)
  const chosen = (choice: BlockChoice): Promise<Block | undefined> =>
    'hash' in choice ? byHash(choice.hash as Hex) : byHeight(choice.height)

  return {
    debug_accountRange: taking(['any', 'hex', 'int', 'flag', 'flag', 'flag'], async (at) => {
      const { head } = await starting
      if (at === null) throw new MethodError('either block number or block hash must be specified')
      const choice = blockParam(newest, at, 0)
      const isHead = 'height' in choice && choice.height === newest
      const block = await chosen(isHead ? { height: head.number } : choice)
      if (block === undefined) throw blockNotFound('hash' in choice ? choice.hash : `#${choice.height}`)
      throw missing(block.root)
    }),
    debug_getAccessibleState: taking(['any', 'any'], async (...bounds) => {
      const head = (await starting).head.number
      const [from, to] = [heightParam(bounds[0], 0, head), heightParam(bounds[1], 1, head)]
      if (from === to) throw new MethodError('from and to needs to be different')
      if (from > head) throw new MethodError(`missing header ${from}`)
      if (await isKept(from)) return from
      // States are pruned from the oldest on, so a binary search finds the first one that is kept.
      let [low, high] = [from, head]
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        if (await isKept(middle)) high = middle
        else low = middle + 1
      }
      if (low >= to) throw new MethodError('no state found')
      return low
    }),
    debug_getModifiedAccountsByHash: taking(['hash', 'hash?'], async (first, last) => {
      const start = await byHash(first)
      if (start === undefined) throw new MethodError(`start block ${first.slice(2)} not found`)
      if (last === undefined) return modifiedIn(start)
      const end = await byHash(last)
      if (end === undefined) throw new MethodError(`end block ${last.slice(2)} not found`)
      return modified(start, end)
    }),
    debug_getModifiedAccountsByNumber: taking(['uint64', 'uint64?'], async (first, last) => {
      const start = await byHeight(first)
      if (start === undefined) throw new MethodError(`start block ${first.toString(16)} not found`)
      if (last === undefined) return modifiedIn(start)
      const end = await byHeight(last)
      if (end === undefined) throw new MethodError(`end block ${last} not found`)
      return modified(start, end)
    }),
    debug_intermediateRoots: taking(['hash', 'tracer?'], async (hash) => {
      const block = await byHash(hash)
      if (block === undefined) throw blockNotFound(hash)
      throw new MethodError(block.height === 0 ? 'genesis is not traceable' : traceUnavailable)
    }),
    debug_preimage: taking(['hash'], () => {
      throw new MethodError('unknown preimage')
    }),
    debug_printBlock: taking(['uint64'], async (height) => {
      const block = await (await starting).rpc.call('eth_getBlockByNumber', quantity(height), true)
      if (block === null) throw blockNotFound(`#${height}`)
      return inspect(block, { depth: null, maxArrayLength: null, maxStringLength: null })
    }),
    debug_storageRangeAt: taking(['any', 'int', 'address', 'hex', 'int'], async (at, index) => {
      const { head } = await starting
      if (at === null) throw new MethodError('invalid arguments; neither block nor hash specified')
      const block = await chosen(blockParam(head.number, at, 0))
      if (block === undefined) throw new MethodError('header for hash not found')
      if (block.height === 0) throw new MethodError('no transaction in genesis')
      if (index < 0 || index >= Math.max(block.transactionCount, 1)) {
        throw new MethodError(`transaction index ${index} out of range for block ${block.hash}`)
      }
      throw new MethodError(traceUnavailable)
    }),
    // The sample's chains never reject a block.
    debug_traceBadBlock: taking(['hash', 'tracer?'], (hash) => {
      throw new MethodError(`bad block ${hash} not found`)
    }),
    debug_traceBlock: taking(['hex', 'tracer?'], async (bytes, options) => {
      const node = await starting
      const block = await byHash(hashOfBlock(bytes))
      const own = block && (await node.rpc.call('eth_getBlockByNumber', quantity(block.height), false))
      if (block === undefined || (await rawBlock(node, own as Entry, extraData)) !== bytes) {
        throw new MethodError('the block is none of this chain, and no other is traced here')
      }
      if (block.height === 0) throw new MethodError('genesis is not traceable')
      const method = 'debug_traceBlockByHash'
      const call = [block.hash, ...(options === undefined ? [] : [options])]
      const answer = await translate(
        { jsonrpc: '2.0', id: null, method, params: call },
        await answered(node, method, call),
        { head: node.head.number, stateRootOf: () => Promise.resolve(block.root) },
      )
      if (answer.error !== undefined) throw new MethodError(answer.error.message, answer.error.code)
      return answer.result
    }),
  }
}

async function answered(node: LocalNode, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  try {
    return { jsonrpc: '2.0', id: null, result: await node.rpc.call(method, ...params) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { jsonrpc: '2.0', id: null, error: { code: error.code, message: error.message } }
  }
}
