import type { Hex } from '../../kernel/hex.ts'
import { quantity } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/rpc.ts'
import type { LocalNode } from './blocks.ts'
import { blockParam, quantityFault } from './blocks.ts'
import { hashOfBlock } from './decode.ts'
import type { Entry } from './feed.ts'
import type { LocalMethod } from './local.ts'
import { MethodError, badParam } from './local.ts'
import {
  addressParam,
  expectCount,
  flagParam,
  hashParam,
  hexParam,
  numberParam,
  optionsParam,
} from './params.ts'
import { printed } from './print.ts'
import { missing } from './proof.ts'
import { translate } from './pruned.ts'
import type { ExtraData } from './raw.ts'
import { rawBlock } from './raw.ts'
import type { StateOfBlock } from './roots.ts'
import { firstChanged, intermediateRoots } from './roots.ts'
import type { States } from './state.ts'
import { LostStateError, accountOf, createStates } from './state.ts'
import { EMPTY_ROOT, TrieNodes } from './trie.ts'
import type { RpcAnswer } from '../rpc/jsonrpc.ts'

/** What the methods need to know of their chain. */
export interface DebugOptions {
  readonly kind: 'c' | 'subnet'
  readonly chainId: number
  readonly extraData?: ExtraData | undefined
}

interface FoundBlock extends StateOfBlock {
  readonly hash: Hex
  readonly parentHash: Hex
  readonly transactions: readonly Hex[]
}

/** Accounts in one answer, as released nodes have it. */
const MOST_ACCOUNTS = 256
/** Questions that read whole states and wait for each other. */
const MOST_WAITING = 64
const NO_TRACE = 'required historical state unavailable (reexec=0)'
/** Stands for the newest block where a height is read before the head is looked at. */
const NEWEST = Number.MAX_SAFE_INTEGER
const TAGS: Readonly<Record<string, number>> = {
  earliest: 0,
  latest: NEWEST,
  pending: NEWEST,
  safe: NEWEST,
  finalized: NEWEST,
}

/** A height, as methods take it that want no hash. */
function heightParam(value: unknown, index: number): number {
  if (typeof value !== 'string') throw badParam(index, 'hex string without 0x prefix')
  const fault = value in TAGS ? undefined : quantityFault(value)
  if (fault !== undefined) throw badParam(index, fault)
  return TAGS[value] ?? Number(value)
}

/** What the methods of `debug_` share: blocks, and states that are read one question at a time. */
function createReader(node: LocalNode) {
  const states = createStates(node)
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function read(method: string, at: string): Promise<FoundBlock | undefined> {
    const found = (await node.rpc.call(method, at, false)) as (Entry & { readonly stateRoot: Hex }) | null
    if (found === null) return undefined
    const { hash, parentHash, transactions } = found as unknown as FoundBlock
    return { height: Number(found['number']), hash, parentHash, transactions, root: found.stateRoot }
  }

  return {
    byHash: (hash: Hex) => read('eth_getBlockByHash', hash),
    byHeight: (height: number) => read('eth_getBlockByNumber', quantity(height)),
    /** Runs `work` alone; `lost` gives the words for a state that is not there. */
    async alone<T>(work: (states: States) => Promise<T>, lost: () => MethodError): Promise<T> {
      if (waiting >= MOST_WAITING) throw new MethodError('too many questions about states are waiting')
      waiting += 1
      const result = queue.then(() => work(states))
      queue = result.catch(() => undefined)
      try {
        return await result
      } catch (error) {
        throw error instanceof LostStateError ? lost() : error
      } finally {
        waiting -= 1
      }
    },
  }
}

/**
 * The methods of `debug_` that anvil lacks, as a node of release 1.14 answers them that keeps no preimages, which is the
 * default: states tell hashes of accounts and slots, and where only an address would do the answer is its error.
 */
export function debugMethods(
  starting: Promise<LocalNode>,
  { kind, chainId, extraData }: DebugOptions,
): Readonly<Record<string, LocalMethod>> {
  const reading = starting.then((node) => ({ node, ...createReader(node) }))
  // Whoever asks meets the failure; nobody having asked yet must not end the process.
  reading.catch(() => undefined)

  async function accountRange(params: readonly unknown[]): Promise<unknown> {
    expectCount(params, 6, 6)
    const [at, from, most, nocode, nostorage, incompletes] = params
    const choice = at === null ? undefined : blockParam(NEWEST, at, 0)
    const start = hexParam(from, 1).slice(2)
    const wanted = numberParam(most, 2, 'int')
    const [skipCode, skipStorage, hasHashes] = [nocode, nostorage, incompletes].map((flag, index) =>
      flagParam(flag, index + 3),
    )
    if (choice === undefined) throw new MethodError('either block number or block hash must be specified')
    const { node, byHash, byHeight, alone } = await reading
    const height = 'hash' in choice ? undefined : choice.height === NEWEST ? node.head.number : choice.height
    const block = await ('hash' in choice ? byHash(choice.hash as Hex) : byHeight(height ?? 0))
    if (block === undefined) {
      const name = 'hash' in choice ? choice.hash : `#${choice.height}`
      throw new MethodError(`block ${name} not found`)
    }
    const limit = wanted > 0 && wanted <= MOST_ACCOUNTS ? wanted : MOST_ACCOUNTS
    return alone(
      async (states) => {
        const root = block.root.slice(2)
        const all = (await states.accounts()).filter(({ digits }) => digits >= start)
        const nodes = new TrieNodes()
        const shown: [string, unknown][] = []
        for (const { key, digits } of all) {
          nodes.add((await states.provenAt(block.height, block.root, key)).accountProof)
          // Every account lacks its address: a dump of those that have one is empty.
          if (hasHashes !== true) break
          const value = nodes.get(nodes.root(block.root), digits)
          if (value === undefined) continue
          if (shown.length === limit) {
            const next = Buffer.from(digits, 'hex').toString('base64')
            return { root, accounts: Object.fromEntries(shown), next }
          }
          const { balance, nonce, storageRoot, codeHash } = accountOf(value)
          const code = skipCode === true ? '0x' : await codeOf(node, key, block.height)
          const storage = skipStorage === true ? {} : await dumped(states, block, key, storageRoot)
          const account = {
            balance: balance.toString(),
            nonce: Number(nonce),
            root: storageRoot,
            codeHash,
            ...(code === '0x' ? {} : { code }),
            ...storage,
            key: `0x${digits}`,
          }
          shown.push([`pre(0x${digits})`, account])
        }
        return { root, accounts: Object.fromEntries(shown) }
      },
      () => missing(block.root),
    )
  }

  /** Slots are told by what hashes to them, and nothing is known to: the last one stands for all, as with a real node. */
  async function dumped(states: States, block: FoundBlock, address: Hex, storageRoot: Hex): Promise<object> {
    if (storageRoot === EMPTY_ROOT) return {}
    const last = (await states.slots(block.height, block.root, address)).at(-1)
    const digits = BigInt(last?.value ?? 0).toString(16)
    return { storage: { [`0x${'0'.repeat(64)}`]: digits.length % 2 === 0 ? digits : `0${digits}` } }
  }

  async function storageRangeAt(params: readonly unknown[]): Promise<unknown> {
    expectCount(params, 5, 5)
    const [at, position, contract, from, most] = params
    const { node, byHash, byHeight, alone } = await reading
    const choice = at === null ? undefined : blockParam(node.head.number, at, 0)
    const index = numberParam(position, 1, 'int')
    const address = addressParam(contract, 2)
    const start = hexParam(from, 3).slice(2)
    const limit = numberParam(most, 4, 'int')
    if (choice === undefined) throw new MethodError('invalid arguments; neither block nor hash specified')
    const block = await ('hash' in choice ? byHash(choice.hash as Hex) : byHeight(choice.height))
    if (block === undefined) throw new MethodError('header for hash not found')
    if (block.height === 0) throw new MethodError('no transaction in genesis')
    const parent = await byHash(block.parentHash)
    if (parent === undefined) throw new MethodError(`parent ${block.parentHash} not found`)
    // What earlier transactions of the block did is not in it: a real node reads the trie of the state before the block.
    const slots = await alone(
      (states) => states.slots(parent.height, parent.root, address),
      () => new MethodError(NO_TRACE),
    )
    const isThere = index >= 0 && index < Math.max(block.transactions.length, 1)
    if (!isThere) {
      throw new MethodError(`transaction index ${index} out of range for block ${block.hash}`)
    }
    if (slots.length === 0) return { storage: null, nextKey: null }
    const rest = slots.filter(({ digits }) => digits >= start)
    const count = Math.max(0, limit)
    const next = rest[count]
    return {
      storage: Object.fromEntries(
        rest.slice(0, count).map(({ digits, value }) => [`0x${digits}`, { key: null, value }]),
      ),
      nextKey: next === undefined ? null : `0x${next.digits}`,
    }
  }

  async function modified(first: FoundBlock, last: FoundBlock): Promise<unknown> {
    if (first.height >= last.height) {
      const heights = `(${first.height}) must be less than end block height (${last.height})`
      throw new MethodError(`start block height ${heights}`)
    }
    const { alone } = await reading
    let lost = first.root
    const found = await alone(
      async (states) => {
        await states.provenAt(first.height, first.root, `0x${'0'.repeat(40)}`)
        lost = last.root
        return firstChanged(states, first, last)
      },
      () => missing(lost),
    )
    // The first of them can not be named, and with it none is.
    if (found !== undefined) throw new MethodError(`no preimage found for hash ${found}`)
    return null
  }

  /** The block and the one after which it changed something: a single block is compared with its parent. */
  async function modifiedIn(block: FoundBlock): Promise<unknown> {
    const parent = await (await reading).byHash(block.parentHash)
    if (parent === undefined) throw new MethodError(`block ${block.height} has no parent`)
    return modified(parent, block)
  }

  async function accessibleState(params: readonly unknown[]): Promise<unknown> {
    expectCount(params, 2, 2)
    const { node, alone } = await reading
    const head = node.head.number
    const [from = 0, to = 0] = params.map((value, index) => {
      const height = heightParam(value, index)
      return height === NEWEST ? head : height
    })
    if (from === to) throw new MethodError('from and to needs to be different')
    if (from > head) throw new MethodError(`missing header ${from}`)
    const gone = new MethodError('no state found')
    return alone(
      async (states) => {
        if (await states.isKept(from)) return from
        // What is forgotten is forgotten with everything below it.
        if (to < from) throw gone
        let [low, high] = [from, head]
        while (low < high) {
          const middle = Math.floor((low + high) / 2)
          if (await states.isKept(middle)) high = middle
          else low = middle + 1
        }
        if (low >= to) throw gone
        return low
      },
      () => gone,
    )
  }

  async function traceBlock(params: readonly unknown[]): Promise<unknown> {
    expectCount(params, 1, 2)
    const bytes = hexParam(params[0], 0)
    const options = optionsParam(params[1], 1, 'tracers.TraceConfig')
    const { node, byHash } = await reading
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
  }

  async function printBlock(params: readonly unknown[]): Promise<unknown> {
    expectCount(params, 1, 1)
    const height = numberParam(params[0], 0, 'uint64')
    const { node } = await reading
    const entry = (await node.rpc.call('eth_getBlockByNumber', quantity(height), true)) as Entry | null
    if (entry === null) throw new MethodError(`block #${height} not found`)
    const hashes = (entry['transactions'] as readonly Entry[]).map((tx) => tx['hash'])
    const bytes = await rawBlock(node, { ...entry, transactions: hashes }, extraData)
    const raws = await node.rpc.batch(
      hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    )
    const sizes = raws.map((raw) => (String(raw).length - 2) / 2)
    const extra = (await extraData)?.(height)
    return printed(entry, sizes, { kind, chainId, size: (bytes.length - 2) / 2, extraData: extra })
  }

  return {
    debug_accountRange: accountRange,
    debug_getAccessibleState: accessibleState,
    async debug_getModifiedAccountsByHash(params) {
      expectCount(params, 1, 2)
      const { byHash } = await reading
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
      const { byHeight } = await reading
      const first = numberParam(params[0], 0, 'uint64')
      const last =
        params[1] === undefined || params[1] === null ? undefined : numberParam(params[1], 1, 'uint64')
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
      const { byHash, alone } = await reading
      const block = await byHash(hash)
      if (block === undefined) throw new MethodError(`block ${hash} not found`)
      if (block.height === 0) throw new MethodError('genesis is not traceable')
      const roots = await alone(
        (states) => intermediateRoots(states, block),
        () => new MethodError(NO_TRACE),
      )
      return roots.length === 0 ? null : roots
    },
    debug_preimage(params) {
      expectCount(params, 1, 1)
      hashParam(params[0], 0)
      throw new MethodError('unknown preimage')
    },
    debug_printBlock: printBlock,
    debug_storageRangeAt: storageRangeAt,
    debug_traceBadBlock(params) {
      expectCount(params, 1, 2)
      const hash = hashParam(params[0], 0)
      optionsParam(params[1], 1, 'tracers.TraceConfig')
      // No block is ever refused here.
      throw new MethodError(`bad block ${hash} not found`)
    },
    debug_traceBlock: traceBlock,
  }
}

async function codeOf({ rpc }: LocalNode, address: Hex, height: number): Promise<Hex> {
  return (await rpc.call('eth_getCode', address, quantity(height))) as Hex
}

async function answered(node: LocalNode, method: string, params: readonly unknown[]): Promise<RpcAnswer> {
  try {
    return { jsonrpc: '2.0', id: null, result: await node.rpc.call(method, ...params) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return { jsonrpc: '2.0', id: null, error: { code: error.code, message: error.message } }
  }
}
