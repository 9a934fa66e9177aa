import { type Hex, keccak256, numberToHex, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { Random } from '../../testing/random.ts'
import { RlpWriter } from './rlp.ts'
import { indexedTrieRoot } from './trie.ts'

/** A trie built literally, one key at a time: children by nibble, and a value. */
type Branch = { readonly children: Map<number, Branch>; value?: Hex }

function put(root: Branch, key: Hex, value: Hex): void {
  let branch = root
  for (const digit of key.slice(2)) {
    const nibble = Number.parseInt(digit, 16)
    const next: Branch = branch.children.get(nibble) ?? { children: new Map() }
    branch.children.set(nibble, next)
    branch = next
  }
  branch.value = value
}

type Nested = Hex | Nested[]

function nodeOf(branch: Branch, path: string): Nested {
  const [only] = branch.children
  if (branch.value !== undefined) return [compact(path, 2), branch.value]
  if (branch.children.size === 1 && only) {
    const below = nodeOf(only[1], path + only[0].toString(16))
    return below
  }
  const items: Nested[] = Array.from({ length: 17 }, (_, nibble) => {
    const child = branch.children.get(nibble)
    return child ? nameOf(nodeOf(child, '')) : '0x'
  })
  return path === '' ? items : [compact(path, 0), nameOf(items)]
}

function nameOf(node: Nested): Nested {
  const encoded = toRlp(node)
  return encoded.length < 2 + 64 ? node : keccak256(encoded)
}

const compact = (path: string, flag: number): Hex =>
  path.length % 2 === 1 ? `0x${flag + 1}${path}` : `0x${flag}0${path}`

function rootOf(values: readonly Hex[]): Hex {
  const root: Branch = { children: new Map() }
  for (const [index, value] of values.entries()) {
    put(root, toRlp(index === 0 ? '0x' : even(numberToHex(index))), value)
  }
  return keccak256(toRlp(nodeOf(root, '')))
}

const even = (hex: Hex): Hex => (hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`)

describe('indexedTrieRoot', () => {
  test('equals the root of a trie built one key at a time', () => {
    const random = new Random(11)
    const kept = new RlpWriter(16)
    for (const count of [1, 2, 3, 15, 16, 17, 55, 127, 128, 129, 130, 255, 256, 257, 300, 700]) {
      const values = Array.from({ length: count }, () => random.bytes(random.between(2, 90)) as Hex)
      const bytes = values.map((value) => Buffer.from(value.slice(2), 'hex'))
      expect(indexedTrieRoot(bytes), `${count} values`).toBe(rootOf(values))
      expect(indexedTrieRoot(bytes, kept.clear()), `${count} values, a kept writer`).toBe(rootOf(values))
    }
  })

  test('embeds nodes of less than 32 bytes in their parents', () => {
    const values = Array.from(
      { length: 20 },
      (_, index): Hex => `0x80${numberToHex(index, { size: 1 }).slice(2)}`,
    )
    expect(indexedTrieRoot(values.map((value) => Buffer.from(value.slice(2), 'hex')))).toBe(rootOf(values))
  })
})
