import { keccak256, toRlp } from 'viem'

type Hex = `0x${string}`
type Item = Hex | readonly Item[]

/** A key of a trie, in hex digits without 0x, and its value in RLP. */
export type MerkleLeaf = readonly [digits: string, value: Hex]

function packed(digits: string, isLeaf: boolean): Hex {
  const isOdd = digits.length % 2 === 1
  return `0x${(isLeaf ? 2 : 0) + (isOdd ? 1 : 0)}${isOdd ? '' : '0'}${digits}`
}

function below(leaves: readonly MerkleLeaf[], depth: number): Item {
  const item = nodeOf(leaves, depth)
  return item === '0x' || (toRlp(item).length - 2) / 2 < 32 ? item : keccak256(toRlp(item))
}

function nodeOf(leaves: readonly MerkleLeaf[], depth: number): Item {
  const [first] = leaves
  if (first === undefined) return '0x'
  if (leaves.length === 1) return [packed(first[0].slice(depth), true), first[1]]
  let end = depth
  while (leaves.every(([digits]) => digits.charAt(end) === first[0].charAt(end))) end += 1
  if (end > depth) return [packed(first[0].slice(depth, end), false), below(leaves, end)]
  const children = [...'0123456789abcdef'].map((digit) =>
    below(
      leaves.filter(([digits]) => digits.charAt(depth) === digit),
      depth + 1,
    ),
  )
  return [...children, '0x']
}

/** The root of a trie that holds these leaves and no others, from the yellow paper's definition. For tests. */
export function merkleRoot(leaves: readonly MerkleLeaf[]): Hex {
  const item = nodeOf(leaves, 0)
  return keccak256(toRlp(item))
}
