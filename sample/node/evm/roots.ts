import { keccak256, toRlp } from 'viem'
import type { Hex } from '../../kernel/hex.ts'
import { numeric } from '../../kernel/hex.ts'
import type { Account, Change, Difference, Hashed, States } from './state.ts'
import { LostStateError, accountOf, hashed, slotValue, slotsOf } from './state.ts'
import type { Child } from './trie.ts'
import { EMPTY_ROOT, TrieNodes, UnreadNodeError, isSame, rootHash } from './trie.ts'

/** A block's state: its height and the root in its header. */
export interface StateOfBlock {
  readonly height: number
  readonly root: Hex
}

const EMPTY_CODE: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const NO_ACCOUNT: Account = {
  nonce: 0n,
  balance: 0n,
  storageRoot: EMPTY_ROOT,
  codeHash: EMPTY_CODE,
  more: [],
}
/** All that anvil has of a trie with nothing in it. */
const EMPTY_NODE = '0x80'
const KEY_DIGITS = 64
const DIGITS = '0123456789abcdef'
/** More accounts than this in one block, or more looks into a trie, and the state counts as not there. */
const MOST_ACCOUNTS = 512
const MOST_LOOKS = 256

function accountValue({ nonce, balance, storageRoot, codeHash, more }: Account): Hex {
  return toRlp([numeric(nonce), numeric(balance), storageRoot, codeHash, ...more])
}

/** The accounts that a transaction changed, or read slots of. */
function addressesOf({ pre, post, loaded }: Difference): Hex[] {
  const read = Object.entries(loaded).flatMap(([address, slots]) =>
    slots.length > 0 ? [address as Hex] : [],
  )
  return [...new Set([...(Object.keys({ ...pre, ...post }) as Hex[]), ...read])]
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
  const addresses = [...new Set(differences.flatMap(addressesOf))]
  if (addresses.length > MOST_ACCOUNTS) throw new LostStateError('the block has changed too many accounts')
  const nodes = new TrieNodes()
  const storages = new Map<Hex, Child>()
  let top: Hex | undefined
  for (const address of addresses) {
    const slots = differences.flatMap((difference) => slotsOf(difference, address))
    top = await read(address, [...new Set(slots)])
  }
  const born = await bornOf(states, height, differences)
  let state: Child = top === undefined ? null : nodes.root(top)
  const roots: Hex[] = []
  for (const [index, difference] of differences.entries()) {
    await apply(difference)
    for (const { digits } of born[index] ?? []) {
      const next = (): Child => nodes.put(state, digits, accountValue(NO_ACCOUNT))
      state = await withProofs(next, lookAtAccount)
    }
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
    const slot = (await states.knownSlots(address)).find((each) => hashed(each).digits.startsWith(prefix))
    if (slot === undefined) throw new LostStateError(`no slot of ${address} is known at ${prefix}`)
    await read(address, [slot])
  }

  async function storageAfter(address: Hex, known: Account, changes: Difference): Promise<Hex> {
    const after = changes.post[address]?.storage ?? {}
    let trie = storages.get(address) ?? nodes.root(known.storageRoot)
    for (const slot of slotsOf(changes, address)) {
      const { digits } = hashed(slot)
      // What is empty afterwards is left out of the changes; anvil's trie holds it as a zero.
      const isChanged = slot in (changes.pre[address]?.storage ?? {})
      const value = after[slot] ?? (isChanged ? '0x0' : undefined)
      const next = (): Child =>
        value === undefined && nodes.get(trie, digits) !== undefined
          ? trie
          : nodes.put(trie, digits, slotValue(value ?? '0x0'))
      trie = await withProofs(next, (prefix) => lookAtSlot(address, prefix))
    }
    storages.set(address, trie)
    return rootHash(trie)
  }

  async function apply(difference: Difference): Promise<void> {
    for (const address of addressesOf(difference)) {
      const { digits } = hashed(address)
      const value = await withProofs(() => nodes.get(state, digits), lookAtAccount)
      const known = value === undefined ? NO_ACCOUNT : accountOf(value)
      const isGone = address in difference.pre && !(address in difference.post)
      const account = isGone ? undefined : await changed(address, known, difference)
      const next = (): Child =>
        account === undefined ? nodes.remove(state, digits) : nodes.put(state, digits, accountValue(account))
      state = await withProofs(next, lookAtAccount)
    }
  }

  /** An account after a transaction; undefined for one that holds nothing, which no state has. */
  async function changed(address: Hex, known: Account, difference: Difference): Promise<Account | undefined> {
    const { balance, nonce, code }: Change = difference.post[address] ?? {}
    const account = {
      nonce: nonce === undefined ? known.nonce : BigInt(nonce),
      balance: balance === undefined ? known.balance : BigInt(balance),
      storageRoot: await storageAfter(address, known, difference),
      codeHash: code === undefined ? known.codeHash : keccak256(code),
      more: known.more,
    }
    const isEmpty = account.nonce === 0n && account.balance === 0n && account.codeHash === EMPTY_CODE
    return isEmpty ? undefined : account
  }
}

/**
 * The accounts with nothing in them that each transaction of a block left in the state. Throws `LostStateError` where
 * it may have been one or another.
 */
async function bornOf(
  states: States,
  height: number,
  differences: readonly Difference[],
): Promise<readonly (readonly Hashed[])[]> {
  const all = differences.map(({ unborn }) => unborn)
  const born = new Map<Hex, Hashed>()
  for (const address of new Set(all.flat())) {
    const account = hashed(address)
    if ((await isThere(states, height - 1, account)) || !(await isThere(states, height, account))) continue
    const places = all.filter((each) => each.includes(address))
    if (places.length > 1 || differences.some((each) => addressesOf(each).includes(address))) {
      throw new LostStateError(`it is not certain when ${address} came`)
    }
    born.set(address, account)
  }
  return all.map((each) => each.flatMap((address) => born.get(address) ?? []))
}

async function isThere(states: States, height: number, { key, digits }: Hashed): Promise<boolean> {
  const { accountProof } = await states.proof(height, key)
  const nodes = new TrieNodes()
  nodes.add(accountProof)
  const [top] = accountProof
  return top !== undefined && nodes.get(nodes.root(keccak256(top)), digits) !== undefined
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
