import { type Hex, fromRlp, keccak256, toRlp } from 'viem'

/** A node that a change needs is not among the known ones: it is on the way to keys that begin with these digits. */
export class UnknownNode extends Error {
  override readonly name = 'UnknownNode'
  readonly prefix: string

  constructor(prefix: string) {
    super(`the node at ${prefix} is not known`)
    this.prefix = prefix
  }
}

/** A branch has seventeen items, a leaf and an extension two: their path and what is there. */
type TrieNode = readonly Hex[]
type PathNode = { readonly path: string; readonly isLeaf: boolean; readonly content: Hex }

const nothing: Hex = '0x'
const branchItems = 17

/**
 * The part of a Merkle Patricia trie (Yellow Paper, appendix D) that some of its proofs show, to change and to prove again.
 * Keys are hex digits without 0x. Every value must be of 32 bytes or more, as accounts are, so that every node but the root
 * is referred to by its hash.
 */
export type PartialTrie = {
  readonly root: Hex
  /** Adds the nodes of a proof. */
  add(proof: readonly Hex[]): void
  /** Sets a value. Throws `UnknownNode`. */
  put(key: string, value: Hex): void
  /** Removes a value, which must be there. Throws `UnknownNode`. */
  remove(key: string): void
  /** The nodes from the root towards a key, as `eth_getProof` lists them. Throws `UnknownNode`. */
  prove(key: string): Hex[]
}

/** A trie with this root. */
export function partialTrie(root: Hex): PartialTrie {
  const nodes = new Map<Hex, TrieNode>()
  let top = root

  function nodeAt(hash: Hex, prefix: string): TrieNode {
    const node = nodes.get(hash)
    if (node === undefined) throw new UnknownNode(prefix)
    return node
  }

  function keep(node: TrieNode): Hex {
    const hash = keccak256(toRlp(node))
    nodes.set(hash, node)
    return hash
  }

  const keepPath = (path: string, isLeaf: boolean, content: Hex): Hex =>
    keep([compact(path, isLeaf), content])

  /** A branch with the given children by digit. */
  function keepBranch(children: Readonly<Record<string, Hex>>): Hex {
    return keep(Array.from({ length: branchItems }, (_, digit) => children[digit.toString(16)] ?? nothing))
  }

  /** What a branch refers to behind a digit: the content itself for an extension that would have no path. */
  function behind(path: string, isLeaf: boolean, content: Hex): Hex {
    return path === '' && !isLeaf ? content : keepPath(path, isLeaf, content)
  }

  function put(ref: Hex, key: string, at: number, value: Hex): Hex {
    const rest = key.slice(at)
    if (ref === nothing) return keepPath(rest, true, value)
    const node = nodeAt(ref, key.slice(0, at))
    if (node.length === branchItems) {
      const digit = Number.parseInt(rest[0] ?? '0', 16)
      return keep(node.with(digit, put(node[digit] ?? nothing, key, at + 1, value)))
    }
    const { path, isLeaf, content } = pathNode(node)
    let same = 0
    while (same < path.length && path[same] === rest[same]) same += 1
    if (same === path.length) {
      return keepPath(path, isLeaf, isLeaf ? value : put(content, key, at + same, value))
    }
    const branch = keepBranch({
      [path[same] ?? '']: behind(path.slice(same + 1), isLeaf, content),
      [rest[same] ?? '']: keepPath(rest.slice(same + 1), true, value),
    })
    return same === 0 ? branch : keepPath(path.slice(0, same), false, branch)
  }

  /** The node that a path leads to, which may be put together with a node behind it. */
  function lengthen(path: string, ref: Hex, prefix: string): Hex {
    const node = nodeAt(ref, prefix)
    if (node.length === branchItems) return path === '' ? ref : keepPath(path, false, ref)
    const next = pathNode(node)
    return keepPath(path + next.path, next.isLeaf, next.content)
  }

  function remove(ref: Hex, key: string, at: number): Hex {
    const rest = key.slice(at)
    const prefix = key.slice(0, at)
    const node = nodeAt(ref, prefix)
    if (node.length !== branchItems) {
      const { path, isLeaf, content } = pathNode(node)
      if (isLeaf) return nothing
      return lengthen(path, remove(content, key, at + path.length), prefix + path)
    }
    const digit = Number.parseInt(rest[0] ?? '0', 16)
    const children = node.with(digit, remove(node[digit] ?? nothing, key, at + 1))
    const left = children.flatMap((child, index) => (child === nothing ? [] : [{ child, index }]))
    const [only, another] = left
    if (only === undefined || another !== undefined) return keep(children)
    const first = only.index.toString(16)
    return lengthen(first, only.child, prefix + first)
  }

  return {
    get root() {
      return top
    },
    add(proof) {
      for (const each of proof) nodes.set(keccak256(each), fromRlp(each, 'hex') as TrieNode)
    },
    put(key, value) {
      top = put(top, key, 0, value)
    },
    remove(key) {
      top = remove(top, key, 0)
    },
    prove(key) {
      const proof: Hex[] = []
      for (let ref = top, at = 0; ref !== nothing;) {
        const node = nodeAt(ref, key.slice(0, at))
        proof.push(toRlp(node))
        if (node.length === branchItems) {
          ref = node[Number.parseInt(key[at] ?? '0', 16)] ?? nothing
          at += 1
          continue
        }
        const { path, isLeaf, content } = pathNode(node)
        if (isLeaf || !key.startsWith(path, at)) break
        ref = content
        at += path.length
      }
      return proof
    },
  }
}

/** The path of a leaf or an extension in its encoding: a digit with flags, a zero for an even length, the digits. */
function compact(path: string, isLeaf: boolean): Hex {
  const isOdd = path.length % 2 === 1
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  return `0x${flags}${isOdd ? '' : '0'}${path}`
}

function pathNode([encoded = nothing, content = nothing]: TrieNode): PathNode {
  const flags = Number.parseInt(encoded[2] ?? '0', 16)
  return { path: encoded.slice(flags % 2 === 1 ? 3 : 4), isLeaf: flags >= 2, content }
}
