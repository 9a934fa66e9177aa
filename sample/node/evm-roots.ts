import { keccak256, toRlp } from 'viem'
import type { Hex } from '../evm/hex.ts'
import type { Account, Change, Difference, States } from './evm-state.ts'
import { LostStateError, accountOf, hashed, isEmptySlot, slotValue } from './evm-state.ts'
import type { Child } from './evm-trie.ts'
import { EMPTY_ROOT, TrieNodes, UnreadNodeError, isSame, rootHash } from './evm-trie.ts'

/** A block's state: its height and the root in its header. */
export interface StateOfBlock {
  readonly height: number
  readonly root: Hex
}

const EMPTY_CODE: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const NO_ACCOUNT: Account = { nonce: 0n, balance: 0n, storageRoot: EMPTY_ROOT, codeHash: EMPTY_CODE }
/** All that anvil has of a trie with nothing in it. */
const EMPTY_NODE = '0x80'
const KEY_DIGITS = 64
const DIGITS = '0123456789abcdef'
/** More accounts than this in one block, or more looks into a trie, and the state counts as not there. */
const MOST_ACCOUNTS = 512
const MOST_LOOKS = 256

function numeric(value: bigint): Hex {
  const digits = value.toString(16)
  return value === 0n ? '0x' : `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

function accountValue({ nonce, balance, storageRoot, codeHash }: Account): Hex {
  return toRlp([numeric(nonce), numeric(balance), storageRoot, codeHash])
}

function slotsIn(...changes: readonly (Change | undefined)[]): Hex[] {
  return [...new Set(changes.flatMap((change) => Object.keys(change?.storage ?? {}) as Hex[]))]
}

/** Runs `work` again and again until the proofs that it lacks have been got by `look`. */
async function withProofs<T>(work: () => T, look: (prefix: string) => Promise<void>): Promise<T> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof UnreadNodeError)) throw error
      await look(error.prefix)
    }
  }
  throw new LostStateError('too many nodes of the state are needed')
}

/**
 * The state's root after each transaction of a block, computed from what the transactions changed. Throws
 * `LostStateError` where the state before the block is not there, or where the last root is not `root`.
 */
export async function intermediateRoots(states: States, { height, root }: StateOfBlock): Promise<Hex[]> {
  const differences = await states.differences(height)
  const before = height - 1
  const addresses = [
    ...new Set(differences.flatMap(({ pre, post }) => Object.keys({ ...pre, ...post }) as Hex[])),
  ]
  if (addresses.length > MOST_ACCOUNTS) throw new LostStateError('the block has changed too many accounts')
  const nodes = new TrieNodes()
  const storages = new Map<Hex, Child>()
  let top: Hex | undefined
  for (const address of addresses) {
    const slots = slotsIn(...differences.flatMap(({ pre, post }) => [pre[address], post[address]]))
    top = await read(address, slots)
  }
  let state: Child = top === undefined ? null : nodes.root(top)
  const roots: Hex[] = []
  for (const difference of differences) {
    await apply(difference)
    roots.push(rootHash(state))
  }
  if (roots.length > 0 && roots.at(-1) !== root) throw new LostStateError(`block ${height} does not add up`)
  return roots

  /** Takes in the proof of an account and of slots of it. Gives the root of the state. */
  async function read(address: Hex, slots: readonly Hex[]): Promise<Hex> {
    const { accountProof, storageProof } = await states.proof(before, address, slots)
    nodes.add(accountProof)
    for (const { proof } of storageProof) nodes.add(proof.filter((node) => node !== EMPTY_NODE))
    const [first] = accountProof
    if (first === undefined) throw new LostStateError(`there is no proof of ${address}`)
    return keccak256(first)
  }

  async function lookAtAccount(prefix: string): Promise<void> {
    const account = (await states.accounts()).find(({ digits }) => digits.startsWith(prefix))
    if (account === undefined) throw new LostStateError(`no account is known at ${prefix}`)
    await read(account.key, [])
  }

  async function lookAtSlot(address: Hex, prefix: string): Promise<void> {
    const slot = (await states.slotsOf(address)).find((each) => hashed(each).digits.startsWith(prefix))
    if (slot === undefined) throw new LostStateError(`no slot of ${address} is known at ${prefix}`)
    await read(address, [slot])
  }

  async function storageAfter(address: Hex, known: Account, changes: Difference): Promise<Hex> {
    const after = changes.post[address]?.storage ?? {}
    let trie = storages.get(address) ?? nodes.root(known.storageRoot)
    for (const slot of slotsIn(changes.pre[address], changes.post[address])) {
      const { digits } = hashed(slot)
      const value = after[slot]
      const next = (): Child =>
        value === undefined || isEmptySlot(value)
          ? nodes.remove(trie, digits)
          : nodes.put(trie, digits, slotValue(value))
      trie = await withProofs(next, (prefix) => lookAtSlot(address, prefix))
    }
    storages.set(address, trie)
    return rootHash(trie)
  }

  async function apply(difference: Difference): Promise<void> {
    for (const address of Object.keys({ ...difference.pre, ...difference.post }) as Hex[]) {
      const { digits } = hashed(address)
      const value = await withProofs(() => nodes.get(state, digits), lookAtAccount)
      const known = value === undefined ? NO_ACCOUNT : accountOf(value)
      const post = difference.post[address]
      const account = post === undefined ? undefined : await changed(address, known, post, difference)
      const next = (): Child =>
        account === undefined ? nodes.remove(state, digits) : nodes.put(state, digits, accountValue(account))
      state = await withProofs(next, lookAtAccount)
    }
  }

  /** An account after a transaction; undefined for one that holds nothing, which no state has. */
  async function changed(
    address: Hex,
    known: Account,
    { balance, nonce, code }: Change,
    difference: Difference,
  ): Promise<Account | undefined> {
    const account = {
      nonce: nonce === undefined ? known.nonce : BigInt(nonce),
      balance: balance === undefined ? known.balance : BigInt(balance),
      storageRoot: await storageAfter(address, known, difference),
      codeHash: code === undefined ? known.codeHash : keccak256(code),
    }
    const isEmpty = account.nonce === 0n && account.balance === 0n && account.codeHash === EMPTY_CODE
    return isEmpty ? undefined : account
  }
}

/**
 * The hash of the first account, in the order of hashes, that a later state has and an earlier one has not, or not so.
 * Undefined when there is none. Hex digits without 0x. Throws `LostStateError` where a state is not there.
 */
export async function firstChanged(
  states: States,
  from: StateOfBlock,
  to: StateOfBlock,
): Promise<string | undefined> {
  const nodes = new TrieNodes()
  const accounts = await states.accounts()
  await look('')
  return walk('', nodes.root(from.root), nodes.root(to.root))

  async function look(prefix: string): Promise<void> {
    const account = accounts.find(({ digits }) => digits.startsWith(prefix))
    if (account === undefined) throw new LostStateError(`no account is known at ${prefix}`)
    for (const { height, root } of [from, to]) {
      nodes.add((await states.provenAt(height, root, account.key)).accountProof)
    }
  }

  async function walk(prefix: string, a: Child, b: Child): Promise<string | undefined> {
    if (b === null || isSame(a, b)) return undefined
    if (prefix.length === KEY_DIGITS) return prefix
    for (const digit of DIGITS) {
      const step = (): readonly [Child, Child] => [nodes.step(a, digit, prefix), nodes.step(b, digit, prefix)]
      const [nextA, nextB] = await withProofs(step, look)
      const found = await walk(prefix + digit, nextA, nextB)
      if (found !== undefined) return found
    }
    return undefined
  }
}
