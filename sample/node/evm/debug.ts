import { inspect } from 'node:util'
import { type Hex, quantity } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/anvil/rpc.ts'
import type { RpcAnswer } from '../rpc/jsonrpc.ts'
import { blockParam, type LocalNode, quantityFault } from './blocks.ts'
import { hashOfBlock } from './decode.ts'
import type { Entry } from './feed.ts'
import { badParam, type LocalMethod, MethodError } from './local.ts'
import {
  addressParam,
  expectCount,
  flagParam,
  hashParam,
  hexParam,
  numberParam,
  optionsParam,
} from './params.ts'
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
const tags: Readonly<Record<string, number>> = {
  earliest: 0,
  latest: newest,
  pending: newest,
  safe: newest,
  finalized: newest,
}

/** The height parameter of methods that accept no hash. */
function heightParam(value: unknown, index: number): number {
  if (typeof value !== 'string') throw badParam(index, 'hex string without 0x prefix')
  const fault = value in tags ? undefined : quantityFault(value)
  if (fault !== undefined) throw badParam(index, fault)
  return tags[value] ?? Number(value)
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

  return {
    async debug_accountRange(params) {
      expectCount(params, 6, 6)
      const [at, start, limit, ...flags] = params
      const choice = at === null ? undefined : blockParam(newest, at, 0)
      hexParam(start, 1)
      numberParam(limit, 2, 'int')
      for (const [index, flag] of flags.entries()) flagParam(flag, index + 3)
      if (choice === undefined) throw new MethodError('either block number or block hash must be specified')
      const { head } = await starting
      const block = await ('hash' in choice
        ? byHash(choice.hash as Hex)
        : byHeight(choice.height === newest ? head.number : choice.height))
      const name = 'hash' in choice ? choice.hash : `#${choice.height}`
      if (block === undefined) throw new MethodError(`block ${name} not found`)
      throw missing(block.root)
    },
    async debug_getAccessibleState(params) {
      expectCount(params, 2, 2)
      const head = (await starting).head.number
      const [from = 0, to = 0] = params.map((value, index) => {
        const height = heightParam(value, index)
        return height === newest ? head : height
      })
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
    },
    async debug_getModifiedAccountsByHash(params) {
      expectCount(params, 1, 2)
      const [first, last] = params.map((value, index) =>
        value === null ? undefined : hashParam(value, index),
      )
      if (first === undefined) throw badParam(0, 'hex string without 0x prefix')
      const start = await byHash(first)
      if (start === undefined) throw new MethodError(`start block ${first.slice(2)} not found`)
      if (last === undefined) return modifiedIn(start)
      const end = await byHash(last)
      if (end === undefined) throw new MethodError(`end block ${last.slice(2)} not found`)
      return modified(start, end)
    },
    async debug_getModifiedAccountsByNumber(params) {
      expectCount(params, 1, 2)
      const [first = 0, last] = params.map((value, index) =>
        value === null && index === 1 ? undefined : numberParam(value, index, 'uint64'),
      )
      const start = await byHeight(first)
      if (start === undefined) throw new MethodError(`start block ${first.toString(16)} not found`)
      if (last === undefined) return modifiedIn(start)
      const end = await byHeight(last)
      if (end === undefined) throw new MethodError(`end block ${last} not found`)
      return modified(start, end)
    },
    async debug_intermediateRoots(params) {
      expectCount(params, 1, 2)
      const hash = hashParam(params[0], 0)
      optionsParam(params[1], 1, 'tracers.TraceConfig')
      const block = await byHash(hash)
      if (block === undefined) throw new MethodError(`block ${hash} not found`)
      if (block.height === 0) throw new MethodError('genesis is not traceable')
      throw new MethodError(traceUnavailable)
    },
    debug_preimage(params) {
      expectCount(params, 1, 1)
      hashParam(params[0], 0)
      throw new MethodError('unknown preimage')
    },
    async debug_printBlock(params) {
      expectCount(params, 1, 1)
      const height = numberParam(params[0], 0, 'uint64')
      const block = await (await starting).rpc.call('eth_getBlockByNumber', quantity(height), true)
      if (block === null) throw new MethodError(`block #${height} not found`)
      return inspect(block, { depth: null, maxArrayLength: null, maxStringLength: null })
    },
    async debug_storageRangeAt(params) {
      expectCount(params, 5, 5)
      const [at, position, contract, start, limit] = params
      const { head } = await starting
      const choice = at === null ? undefined : blockParam(head.number, at, 0)
      const index = numberParam(position, 1, 'int')
      addressParam(contract, 2)
      hexParam(start, 3)
      numberParam(limit, 4, 'int')
      if (choice === undefined) throw new MethodError('invalid arguments; neither block nor hash specified')
      const block = await ('hash' in choice ? byHash(choice.hash as Hex) : byHeight(choice.height))
      if (block === undefined) throw new MethodError('header for hash not found')
      if (block.height === 0) throw new MethodError('no transaction in genesis')
      if (index < 0 || index >= Math.max(block.transactionCount, 1)) {
        throw new MethodError(`transaction index ${index} out of range for block ${block.hash}`)
      }
      throw new MethodError(traceUnavailable)
    },
    debug_traceBadBlock(params) {
      expectCount(params, 1, 2)
      const hash = hashParam(params[0], 0)
      optionsParam(params[1], 1, 'tracers.TraceConfig')
      // The sample's chains never reject a block.
      throw new MethodError(`bad block ${hash} not found`)
    },
    async debug_traceBlock(params) {
      expectCount(params, 1, 2)
      const bytes = hexParam(params[0], 0)
      const options = optionsParam(params[1], 1, 'tracers.TraceConfig')
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
    },
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
