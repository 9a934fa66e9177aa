import { type Hex, keccak256, toRlp } from 'viem'
import { weiPerNano } from '../../evm/anvil/settle.ts'
import { isHex, lower, numeric, quantity } from '../../kernel/hex.ts'
import { accountChangesOf } from '../../primary/account-changes.ts'
import { blockOfHash, blockParam, type LocalNode } from './blocks.ts'
import { type PartialTrie, partialTrie, UnknownNode } from './partial-trie.ts'
import type { RpcAnswer, RpcRequest } from '../rpc/jsonrpc.ts'
import type { ExtraData } from './raw.ts'

/**
 * anvil keeps the state of a block when it makes the next one. The balances that the atomic transactions of the next C
 * block bring or take have been set by then (`settleAccounts`), so the state that anvil has for the block before is that
 * with these changes. They are known, and are taken back here.
 */
export type States = {
  /** What the next block's atomic transactions did to an account in anvil's state of a block below the head. */
  aheadOf(height: number, address: string): Promise<Ahead>
  /** The accounts whose balance or nonce differs in that state, as they were after the block. */
  before(height: number): Promise<Overrides>
  /**
   * anvil's proof of an account and its storage keys after the block at a height, in the state with this root. The proof
   * has the root of another state if anvil no longer has this one.
   */
  prove(address: Hex, keys: readonly string[], height: number, stateRoot: Hex): Promise<AccountProof>
}

/** Balances and nonces by address, as a call assumes them (geth's state overrides). */
type Overrides = Readonly<Record<Hex, { readonly balance: Hex; readonly nonce: Hex }>>

/** Wei and nonces. */
type Ahead = { readonly balance: bigint; readonly nonce: bigint }

export type AccountProof = {
  readonly accountProof: readonly Hex[]
  readonly balance: Hex
  readonly nonce: Hex
  readonly codeHash: Hex
  readonly storageHash: Hex
  readonly storageProof: readonly { readonly key: string; readonly proof: readonly string[] }[]
}

/** The hash of no code. */
export const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
/** A way of so many digits is longer than any in a trie of the sample's size. */
const longestPrefix = 5

/** The states of a chain's node; `extraData` for the C-Chain only. */
export function statesOf(node: LocalNode, extraData: ExtraData | undefined): States {
  /** The changes in anvil's state of a block by what comes next, by address in lower case. */
  async function changesAfter(height: number): Promise<ReadonlyMap<Hex, Ahead>> {
    const changes = new Map<Hex, Ahead>()
    if (extraData === undefined) return changes
    for (const { account, amount, exports } of accountChangesOf((await extraData)(height + 1))) {
      const address: Hex = `0x${account}`
      const before = changes.get(address) ?? { balance: 0n, nonce: 0n }
      changes.set(address, {
        balance: before.balance + amount * weiPerNano,
        nonce: before.nonce + BigInt(exports),
      })
    }
    return changes
  }

  const read = async (address: string, keys: readonly string[], height: number): Promise<AccountProof> =>
    (await node.rpc.call('eth_getProof', address, keys, quantity(height))) as AccountProof

  /** Adds the nodes on the way to keys with this prefix: those in the proof of any such account. */
  async function addWay(trie: PartialTrie, prefix: string, height: number): Promise<void> {
    if (prefix.length > longestPrefix) throw new UnknownNode(prefix)
    for (let number = 1; ; number += 1) {
      const address: Hex = `0x${number.toString(16).padStart(40, '0')}`
      if (!keyOf(address).startsWith(prefix)) continue
      trie.add((await read(address, [], height)).accountProof)
      return
    }
  }

  /** Does `work`, and adds the nodes that it turns out to need. */
  async function withNodes(trie: PartialTrie, height: number, work: () => void): Promise<void> {
    for (let missing: UnknownNode | undefined; ;) {
      try {
        work()
        return
      } catch (error) {
        if (!(error instanceof UnknownNode) || error.prefix === missing?.prefix) throw error
        missing = error
      }
      await addWay(trie, missing.prefix, height)
    }
  }

  return {
    async aheadOf(height, address) {
      const changes = await changesAfter(height)
      return changes.get(lower(address as Hex)) ?? { balance: 0n, nonce: 0n }
    },
    async before(height) {
      const found: Record<Hex, { balance: Hex; nonce: Hex }> = {}
      for (const [address, ahead] of await changesAfter(height)) {
        const now = await read(address, [], height)
        found[address] = { balance: less(now.balance, ahead.balance), nonce: less(now.nonce, ahead.nonce) }
      }
      return found
    },
    async prove(address, keys, height, stateRoot) {
      const found = await read(address, keys, height)
      const [top] = found.accountProof
      if (top === undefined || keccak256(top) === stateRoot) return found
      const changes = await changesAfter(height)
      if (changes.size === 0) return found
      const trie = partialTrie(keccak256(top))
      trie.add(found.accountProof)
      let proof = found
      for (const [changed, ahead] of changes) {
        const now = await read(changed, [], height)
        trie.add(now.accountProof)
        const before = {
          ...now,
          balance: less(now.balance, ahead.balance),
          nonce: less(now.nonce, ahead.nonce),
        }
        const isAbsent =
          BigInt(before.balance) === 0n && BigInt(before.nonce) === 0n && now.codeHash === emptyCode
        await withNodes(trie, height, () => {
          if (isAbsent) trie.remove(keyOf(changed))
          else trie.put(keyOf(changed), leafOf(before))
        })
        if (changed === lower(address)) proof = { ...proof, balance: before.balance, nonce: before.nonce }
      }
      const key = keyOf(address)
      let accountProof: readonly Hex[] = []
      await withNodes(trie, height, () => (accountProof = trie.prove(key)))
      return { ...proof, accountProof }
    },
  }
}

/** The methods that tell a figure of an account, which is at the same place of `Ahead`. */
const accountFigures: ReadonlyMap<string, keyof Ahead> = new Map([
  ['eth_getBalance', 'balance'],
  ['eth_getTransactionCount', 'nonce'],
])

/** The methods that run a call on the state of a block; anvil takes no overrides for an access list. */
const runningMethods: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas', 'debug_traceCall'])

/**
 * Whether a call or the answer to it may have to be corrected (`asOfBlock`, `correctAccount`): it names a block other than
 * the head.
 */
export function mayBeAhead({ method, params }: RpcRequest): boolean {
  if (!(accountFigures.has(method) || runningMethods.has(method)) || !Array.isArray(params)) return false
  const block = (params as readonly unknown[])[1]
  return isHex(block) || (typeof block === 'object' && block !== null)
}

/** The height of the block that a parameter names; undefined for one at the head, or that there is not. */
async function heightBelow(node: LocalNode, head: number, block: unknown): Promise<number | undefined> {
  const choice = blockParam(head, block, 1)
  const height = 'height' in choice ? choice.height : (await blockOfHash(node, choice.hash))?.number
  return height !== undefined && height < head ? height : undefined
}

/**
 * A call with the accounts as they were after the block on whose state it runs, while the block at `head` is the newest.
 * What the caller assumes of an account goes before that.
 */
export async function asOfBlock(
  node: LocalNode,
  states: States,
  request: RpcRequest,
  head: number,
): Promise<RpcRequest> {
  if (!runningMethods.has(request.method) || !mayBeAhead(request)) return request
  const [call, block, options, ...rest] = request.params as readonly unknown[]
  const height = await heightBelow(node, head, block)
  const before = height === undefined ? {} : await states.before(height)
  if (Object.keys(before).length === 0) return request
  const isTrace = request.method === 'debug_traceCall'
  const given = (isTrace ? (options as Options)?.stateOverrides : (options as Given)) ?? {}
  const assumed: Record<string, object> = { ...before }
  for (const [address, account] of Object.entries(given)) {
    const key = lower(address as Hex)
    assumed[key] = { ...assumed[key], ...account }
  }
  const changed = isTrace ? { ...(options as Options), stateOverrides: assumed } : assumed
  return { ...request, params: [call, block, changed, ...rest] }
}

type Given = Readonly<Record<string, object>> | null | undefined
type Options = { readonly stateOverrides?: Given } | null | undefined

/** anvil's answer to a call that was made while the block at `head` was the newest, as of the block that it names. */
export async function correctAccount(
  node: LocalNode,
  states: States,
  request: RpcRequest,
  head: number,
  answer: RpcAnswer,
): Promise<RpcAnswer> {
  const figure = accountFigures.get(request.method)
  const { result } = answer
  if (figure === undefined || !mayBeAhead(request) || !isHex(result)) return answer
  const [address, block] = request.params as readonly unknown[]
  const height = await heightBelow(node, head, block)
  if (height === undefined) return answer
  const ahead = await states.aheadOf(height, String(address))
  return { ...answer, result: less(result, ahead[figure]) }
}

/** A quantity less an amount. */
function less(value: Hex, amount: bigint): Hex {
  const left = BigInt(value) - amount
  return quantity(left > 0n ? left : 0n)
}

/** The key of an account in the trie of a state. */
const keyOf = (address: Hex): string => keccak256(lower(address)).slice(2)

/** An account as the trie of a state holds it. */
function leafOf({ nonce, balance, storageHash, codeHash }: AccountProof): Hex {
  return toRlp([numeric(nonce), numeric(balance), storageHash, codeHash])
}
