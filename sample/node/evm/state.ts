import { createGunzip } from 'node:zlib'
import { fromRlp, keccak256, toRlp } from 'viem'
import type { Hex } from '../../kernel/hex.ts'
import { isHex, lower, numeric, quantity } from '../../kernel/hex.ts'
import type { RpcClient } from '../../evm/rpc.ts'
import { RpcError } from '../../evm/rpc.ts'
import type { LocalNode } from './blocks.ts'
import { EMPTY_ROOT, TrieNodes, rootHash } from './trie.ts'

/** An account or a slot with the hash that it is known by in a trie: 64 hex digits. */
export interface Hashed {
  readonly key: Hex
  readonly digits: string
}

/** The state is not kept any more, or can not be told for certain. */
export class LostStateError extends Error {
  override readonly name = 'LostStateError'
}

/** What a trie has of an account. Wei. */
export interface Account {
  readonly nonce: bigint
  readonly balance: bigint
  readonly storageRoot: Hex
  readonly codeHash: Hex
  /** What a node of the network has besides. */
  readonly more: readonly Hex[]
}

export interface Proof {
  readonly accountProof: readonly Hex[]
  readonly storageHash: Hex
  readonly storageProof: readonly { readonly value: Hex; readonly proof: readonly Hex[] }[]
}

/** What one transaction did to an account, as anvil's tracer tells it. A slot that is empty afterwards is left out. */
export interface Change {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, Hex>>
}
export type Changes = Readonly<Record<Hex, Change>>

/** Before and after a transaction: accounts that are gone afterwards are in `pre` only. */
export interface Difference {
  readonly pre: Changes
  readonly post: Changes
  /** Slots that were read or written of accounts that took part: anvil's tries hold each of them from then on, be it zero. */
  readonly loaded: Readonly<Record<Hex, readonly Hex[]>>
  /** Accounts that were looked at and that nobody had heard of: anvil keeps some of them, with nothing in them. */
  readonly unborn: readonly Hex[]
}

interface Frame {
  readonly type: string
  readonly to?: Hex
  readonly error?: string
  readonly calls?: readonly Frame[]
}

interface Kept {
  readonly height: number
  /** In the order of their hashes. */
  readonly accounts: readonly Hashed[]
  /** The slots that hold something, by account. */
  readonly storage: ReadonlyMap<Hex, Readonly<Record<Hex, Hex>>>
}

/** As deep as a node that forgets old states goes back; what it costs to go back grows with every block. */
const DEEPEST = 32
const SLOT_BYTES = 32
/** In anvil's dump the accounts come before all blocks and transactions, of which nothing is needed here. */
const ACCOUNTS = '"accounts":'
const AFTER_ACCOUNTS = /"best_block_number":"?(0x[0-9a-f]+|\d+)"?,/
const MOST_DUMP_CHARACTERS = 256 * 1024 * 1024

export function hashed(key: Hex): Hashed {
  return { key, digits: keccak256(key).slice(2) }
}

/** A storage value as its trie holds it. */
export function slotValue(value: Hex): Hex {
  return toRlp(numeric(value))
}

/** The accounts that took part in a call and what it called, but for what was undone. */
function partners({ type, to, error, calls = [] }: Frame): Hex[] {
  if (error !== undefined) return []
  // Borrowed code works on the caller's storage.
  const own = to === undefined || type === 'DELEGATECALL' || type === 'CALLCODE' ? [] : [lower(to)]
  return [...own, ...calls.flatMap(partners)]
}

/** An account's value in the trie of a state. */
export function accountOf(value: Hex): Account {
  const [nonce = '0x', balance = '0x', storageRoot = EMPTY_ROOT, codeHash = '0x', ...more] = fromRlp(
    value,
    'hex',
  ) as Hex[]
  const amount = (digits: Hex): bigint => (digits === '0x' ? 0n : BigInt(digits))
  return { nonce: amount(nonce), balance: amount(balance), storageRoot, codeHash, more }
}

/** Reads the accounts in anvil's dump, which is JSON in gzip, up to where they end. */
async function readAccounts(dump: Hex): Promise<Kept> {
  const unpacked = createGunzip()
  unpacked.end(Buffer.from(dump.slice(2), 'hex'))
  const parts: string[] = []
  let length = 0
  let tail = ''
  let height: number | undefined
  for await (const chunk of unpacked) {
    const text = (chunk as Buffer).toString('latin1')
    parts.push(text)
    length += text.length
    if (length > MOST_DUMP_CHARACTERS) throw new LostStateError('the state is too large to be read')
    const found = AFTER_ACCOUNTS.exec(tail + text)
    tail = text.slice(-64)
    if (found === null) continue
    height = Number(found[1])
    break
  }
  unpacked.destroy()
  const all = parts.join('')
  const [from, to] = [all.indexOf(ACCOUNTS), all.search(AFTER_ACCOUNTS)]
  if (height === undefined || from < 0 || to < from) throw new LostStateError('the state has another form')
  const text = all
    .slice(from + ACCOUNTS.length, to)
    .trimEnd()
    .replace(/,$/, '')
  const accounts = Object.entries(
    JSON.parse(text) as Readonly<Record<Hex, { readonly storage: Readonly<Record<Hex, Hex>> }>>,
  ).map(([address, { storage }]) => [lower(address as Hex), storage] as const)
  return {
    height,
    accounts: accounts.map(([address]) => hashed(address)).toSorted((a, b) => (a.digits < b.digits ? -1 : 1)),
    storage: new Map(accounts),
  }
}

function isNothing({ balance = '0x0', nonce = 0, code = '0x' }: Change): boolean {
  return BigInt(balance) === 0n && nonce === 0 && code === '0x'
}

/** The slots of an account that a transaction had to do with. */
export function slotsOf({ pre, post, loaded }: Difference, address: Hex): Hex[] {
  const changed = Object.keys({ ...pre[address]?.storage, ...post[address]?.storage }) as Hex[]
  return [...new Set([...changed, ...(loaded[address] ?? [])])]
}

/** Reads the states that anvil keeps, each against the root that its block names. */
export interface States {
  /** Every account there has been, in the order of the hashes. */
  accounts(): Promise<readonly Hashed[]>
  /** Anvil's proof at a height. Throws `LostStateError`. */
  proof(height: number, address: Hex, slots?: readonly Hex[]): Promise<Proof>
  /** A proof of the state that the block of the height names the root of. Throws `LostStateError`. */
  provenAt(height: number, root: Hex, address: Hex, slots?: readonly Hex[]): Promise<Proof>
  /**
   * The slots of a contract after the block of a height, in the order of their hashes, with the zeros that anvil's trie
   * holds. Throws `LostStateError`.
   */
  slots(height: number, root: Hex, address: Hex): Promise<readonly (Hashed & { readonly value: Hex })[]>
  /** What each transaction of a block has changed. Throws `LostStateError`. */
  differences(height: number): Promise<readonly Difference[]>
  /** Whether the state after the block of a height is there. */
  isKept(height: number): Promise<boolean>
  /** Every slot of a contract that is known of now. */
  knownSlots(address: Hex): Promise<readonly Hex[]>
}

async function guarded<T>(call: Promise<unknown>): Promise<T> {
  try {
    return (await call) as T
  } catch (error) {
    if (error instanceof RpcError) throw new LostStateError(error.message)
    throw error
  }
}

export function createStates(node: Pick<LocalNode, 'rpc' | 'head'>): States {
  const { rpc }: { rpc: RpcClient } = node
  /** One dump serves all who ask until the next block. */
  let kept: { readonly hash: Hex; readonly state: Promise<Kept> } | undefined

  function newest(): Promise<Kept> {
    const { hash } = node.head
    if (kept?.hash !== hash) {
      const state = rpc.call('anvil_dumpState').then((dump) => {
        if (!isHex(dump)) throw new LostStateError('anvil_dumpState gave no bytes')
        return readAccounts(dump)
      })
      kept = { hash, state }
      // What failed is tried again by the next who asks.
      state.catch(() => (kept = undefined))
    }
    return kept.state
  }

  const proof: States['proof'] = (height, address, slots = []) =>
    guarded<Proof>(rpc.call('eth_getProof', address, slots, quantity(height)))

  const provenAt: States['provenAt'] = async (height, root, address, slots) => {
    const found = await proof(height, address, slots)
    const [top] = found.accountProof
    if (top === undefined || keccak256(top) !== root) throw new LostStateError(`state ${root} is not there`)
    return found
  }

  async function differences(height: number): Promise<readonly Difference[]> {
    const tracers = [
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
      { tracer: 'prestateTracer' },
      { tracer: 'callTracer' },
    ]
    const calls = tracers.map((tracer) => ({
      method: 'debug_traceBlockByNumber',
      params: [quantity(height), tracer],
    }))
    type Traces<T> = readonly { readonly result?: T }[]
    const [changes, before, frames] = await guarded<
      readonly [Traces<Pick<Difference, 'pre' | 'post'>>, Traces<Changes>, Traces<Frame>]
    >(rpc.batch(calls))
    return changes.map(({ result }, index) => {
      const [known, frame] = [before[index]?.result, frames[index]?.result]
      if (result === undefined || known === undefined || frame === undefined) {
        throw new LostStateError(`block ${height} can not be traced`)
      }
      const loaded = [...new Set(partners(frame))].map(
        (address) => [address, Object.keys(known[address]?.storage ?? {})] as const,
      )
      const unborn = Object.entries(known).flatMap(([address, account]) =>
        isNothing(account) && !(address in result.post) ? [address as Hex] : [],
      )
      return { ...result, loaded: Object.fromEntries(loaded) as Difference['loaded'], unborn }
    })
  }

  /** The slots of a contract that blocks after `height`, up to that of the dump, have touched. */
  async function touchedSince(height: number, newestHeight: number, address: Hex): Promise<Hex[]> {
    if (newestHeight - height > DEEPEST) throw new LostStateError(`block ${height} is too far back`)
    const touched = new Set<Hex>()
    for (let number = height + 1; number <= newestHeight; number += 1) {
      for (const difference of await differences(number)) {
        for (const slot of slotsOf(difference, address)) touched.add(slot)
      }
    }
    return [...touched]
  }

  return {
    proof,
    provenAt,
    differences,
    accounts: async () => (await newest()).accounts,
    knownSlots: async (address) => Object.keys((await newest()).storage.get(address) ?? {}) as Hex[],
    async slots(height, root, address) {
      const state = await newest()
      const touched = await touchedSince(height, state.height, address)
      const { storageHash, storageProof } = await provenAt(height, root, address, touched)
      const proven = new TrieNodes()
      for (const { proof: shown } of storageProof) proven.add(shown)
      const values = new Map(Object.entries(state.storage.get(address) ?? {}) as [Hex, Hex][])
      for (const slot of touched) {
        const value = proven.get(proven.root(storageHash), hashed(slot).digits)
        if (value === undefined) values.delete(slot)
        else values.set(slot, fromRlp(value, 'hex') as Hex)
      }
      const list = [...values]
        .map(([slot, value]) => ({ ...hashed(slot), value: padded(value) }))
        .toSorted((a, b) => (a.digits < b.digits ? -1 : 1))
      const nodes = new TrieNodes()
      let trie = nodes.root(EMPTY_ROOT)
      for (const { digits, value } of list) trie = nodes.put(trie, digits, slotValue(value))
      if (rootHash(trie) !== storageHash) throw new LostStateError(`the slots of ${address} do not add up`)
      return list
    },
    async isKept(height) {
      try {
        await rpc.call('eth_getBalance', `0x${'0'.repeat(40)}`, quantity(height))
        return true
      } catch (error) {
        if (error instanceof RpcError) return false
        throw error
      }
    },
  }
}

function padded(value: Hex): Hex {
  return `0x${value.slice(2).padStart(2 * SLOT_BYTES, '0')}`
}
