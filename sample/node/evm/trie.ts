import { fromRlp, keccak256, toRlp } from 'viem'
import type { Hex } from '../../kernel/hex.ts'

/** The RLP of a node: bytes, or a list of them. */
type Item = Hex | readonly Item[]
/** A place in a trie: null where there is nothing. */
export type Child = TrieNode | null

/** Known by its hash only. */
interface Unread {
  readonly kind: 'unread'
  readonly hash: Hex
}
/** A key's rest in hex digits and its value. */
interface Leaf {
  readonly kind: 'leaf'
  readonly digits: string
  readonly value: Hex
}
interface Extension {
  readonly kind: 'extension'
  readonly digits: string
  readonly child: TrieNode
}
interface Branch {
  readonly kind: 'branch'
  readonly children: readonly Child[]
}
export type TrieNode = Unread | Leaf | Extension | Branch

/** The hash of a trie without anything in it. */
export const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** A node of the trie is needed that no proof has shown yet. */
export class UnreadNodeError extends Error {
  override readonly name = 'UnreadNodeError'
  /** The first hex digits of the keys below it. */
  readonly prefix: string

  constructor(prefix: string) {
    super(`no proof has shown the node at ${prefix}`)
    this.prefix = prefix
  }
}

/** Nodes of Merkle tries by their hashes, as proofs tell them. */
export class TrieNodes {
  readonly #known = new Map<Hex, Hex>()

  /** Takes in the nodes of a proof, each in RLP. */
  add(proof: readonly Hex[]): void {
    for (const rlp of proof) this.#known.set(keccak256(rlp), rlp)
  }

  /** The root of a trie by its hash. */
  root(hash: Hex): Child {
    return hash === EMPTY_ROOT ? null : { kind: 'unread', hash }
  }

  /** A node that can be looked into. Throws `UnreadNodeError` where no proof has shown it. */
  read(node: TrieNode, prefix: string): Leaf | Extension | Branch {
    if (node.kind !== 'unread') return node
    const rlp = this.#known.get(node.hash)
    if (rlp === undefined) throw new UnreadNodeError(prefix)
    const read = nodeOf(fromRlp(rlp, 'hex'))
    if (read === null || read.kind === 'unread') throw new Error('a node in a proof is no node')
    return read
  }

  /** The value at a key of hex digits; undefined where there is none. */
  get(node: Child, key: string, depth = 0): Hex | undefined {
    if (node === null) return undefined
    const here = this.read(node, key.slice(0, depth))
    const rest = key.slice(depth)
    if (here.kind === 'leaf') return here.digits === rest ? here.value : undefined
    if (here.kind === 'branch') return this.get(here.children[digitAt(rest, 0)] ?? null, key, depth + 1)
    return rest.startsWith(here.digits) ? this.get(here.child, key, depth + here.digits.length) : undefined
  }

  /** What is below a node for the keys that go on with a digit; `prefix` is where the node stands. */
  step(node: Child, digit: string, prefix: string): Child {
    if (node === null) return null
    const here = this.read(node, prefix)
    if (here.kind === 'branch') return here.children[digitAt(digit, 0)] ?? null
    if (!here.digits.startsWith(digit)) return null
    return here.kind === 'leaf' ? cutLeaf(here, 0) : cutExtension(here, 0)
  }

  /** The trie with a value at a key. */
  put(node: Child, key: string, value: Hex, depth = 0): TrieNode {
    const rest = key.slice(depth)
    if (node === null) return { kind: 'leaf', digits: rest, value }
    const here = this.read(node, key.slice(0, depth))
    if (here.kind === 'branch') {
      const at = digitAt(rest, 0)
      return withChild(here, at, this.put(here.children[at] ?? null, key, value, depth + 1))
    }
    if (here.kind === 'leaf' && here.digits === rest) return { ...here, value }
    if (here.kind === 'extension' && rest.startsWith(here.digits)) {
      const child = this.put(here.child, key, value, depth + here.digits.length)
      return { ...here, child }
    }
    const shared = sharedLength(here.digits, rest)
    const old = here.kind === 'leaf' ? cutLeaf(here, shared) : cutExtension(here, shared)
    const fork = withChild(
      withChild(EMPTY_BRANCH, digitAt(here.digits, shared), old),
      digitAt(rest, shared),
      { kind: 'leaf', digits: rest.slice(shared + 1), value },
    )
    return shared === 0 ? fork : { kind: 'extension', digits: rest.slice(0, shared), child: fork }
  }

  /** The trie without a key. */
  remove(node: Child, key: string, depth = 0): Child {
    if (node === null) return null
    const here = this.read(node, key.slice(0, depth))
    const rest = key.slice(depth)
    if (here.kind === 'leaf') return here.digits === rest ? null : node
    if (here.kind === 'extension') {
      if (!rest.startsWith(here.digits)) return node
      const below = key.slice(0, depth + here.digits.length)
      const child = this.remove(here.child, key, depth + here.digits.length)
      return child === here.child ? node : this.#lengthened(here.digits, child, below)
    }
    const at = digitAt(rest, 0)
    const before = here.children[at] ?? null
    const after = this.remove(before, key, depth + 1)
    if (after === before) return node
    const left = withChild(here, at, after)
    const [only, ...more] = left.children.flatMap((child, index) => (child === null ? [] : [index]))
    if (only === undefined || more.length > 0) return left
    const digit = only.toString(16)
    return this.#lengthened(digit, left.children[only] ?? null, key.slice(0, depth) + digit)
  }

  /** A node with more digits before it; `prefix` is where it stands. */
  #lengthened(digits: string, node: Child, prefix: string): Child {
    if (node === null) return null
    const here = this.read(node, prefix)
    if (here.kind === 'branch') return { kind: 'extension', digits, child: node }
    return { ...here, digits: digits + here.digits }
  }
}

const EMPTY_BRANCH: Branch = { kind: 'branch', children: Array.from({ length: 16 }, () => null) }
const HASH_LENGTH = 66
/** Shorter nodes stand in their parent, longer ones are known by their hash there. */
const SHORTEST_HASHED = 32

function digitAt(digits: string, index: number): number {
  return Number.parseInt(digits.charAt(index), 16)
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1
  return length
}

function withChild(branch: Branch, at: number, child: Child): Branch {
  return { kind: 'branch', children: branch.children.with(at, child) }
}

function cutLeaf(leaf: Leaf, shared: number): TrieNode {
  return { ...leaf, digits: leaf.digits.slice(shared + 1) }
}

function cutExtension({ digits, child }: Extension, shared: number): TrieNode {
  const rest = digits.slice(shared + 1)
  return rest === '' ? child : { kind: 'extension', digits: rest, child }
}

function nodeOf(item: Item): Child {
  if (typeof item === 'string') {
    if (item === '0x') return null
    if (item.length === HASH_LENGTH) return { kind: 'unread', hash: item }
    throw new Error('a node in a proof is no node')
  }
  if (item.length === 17) return { kind: 'branch', children: item.slice(0, 16).map(nodeOf) }
  const [path, value] = item
  if (item.length !== 2 || typeof path !== 'string' || value === undefined) {
    throw new Error('a node in a proof is no node')
  }
  // The first digit tells what the node is, and whether another follows that means nothing.
  const mark = digitAt(path, 2)
  const digits = path.slice(mark % 2 === 1 ? 3 : 4)
  if (mark >= 2) {
    if (typeof value !== 'string') throw new Error('a leaf in a proof has no value')
    return { kind: 'leaf', digits, value }
  }
  const child = nodeOf(value)
  if (child === null) throw new Error('an extension in a proof leads nowhere')
  return { kind: 'extension', digits, child }
}

function pathOf(digits: string, isLeaf: boolean): Hex {
  const mark = (isLeaf ? 2 : 0) + (digits.length % 2)
  return `0x${mark}${digits.length % 2 === 1 ? '' : '0'}${digits}`
}

function itemOf(node: Leaf | Extension | Branch): Item {
  if (node.kind === 'leaf') return [pathOf(node.digits, true), node.value]
  if (node.kind === 'extension') return [pathOf(node.digits, false), childItem(node.child)]
  return [...node.children.map((child) => (child === null ? '0x' : childItem(child))), '0x']
}

function childItem(node: TrieNode): Item {
  if (node.kind === 'unread') return node.hash
  const item = itemOf(node)
  const rlp = toRlp(item)
  return (rlp.length - 2) / 2 < SHORTEST_HASHED ? item : keccak256(rlp)
}

/** The hash of a trie by its root. */
export function rootHash(root: Child): Hex {
  if (root === null) return EMPTY_ROOT
  return root.kind === 'unread' ? root.hash : keccak256(toRlp(itemOf(root)))
}

/** Whether two places of tries hold the same. */
export function isSame(a: Child, b: Child): boolean {
  if (a === null || b === null) return a === b
  if (a.kind === 'unread' || b.kind === 'unread') {
    return a.kind === 'unread' && b.kind === 'unread' && a.hash === b.hash
  }
  return toRlp(itemOf(a)) === toRlp(itemOf(b))
}
