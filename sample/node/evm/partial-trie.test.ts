import { type Hex, keccak256, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../kernel/random.ts'
import { partialTrie, UnknownNode } from './partial-trie.ts'

const empty: Hex = '0x'

/**
 * The root of a trie with these keys and values, by its definition (Yellow Paper, appendix D): of all entries at once, so
 * that no change of a trie is involved.
 */
function nodesOf(entries: readonly (readonly [string, Hex])[], at = 0): Hex {
  const [first, ...others] = entries
  if (first === undefined) return empty
  if (others.length === 0) return toRlp([hp(first[0].slice(at), true), first[1]])
  let same = at
  while (entries.every(([key]) => key[same] === first[0][same])) same += 1
  if (same > at) return toRlp([hp(first[0].slice(at, same), false), keccak256(nodesOf(entries, same))])
  const children = Array.from({ length: 16 }, (_, digit) => {
    const node = nodesOf(
      entries.filter(([key]) => Number.parseInt(key[at] ?? '', 16) === digit),
      at + 1,
    )
    return node === empty ? empty : keccak256(node)
  })
  return toRlp([...children, empty])
}

function hp(path: string, isLeaf: boolean): Hex {
  const flag = isLeaf ? 2 : 0
  return path.length % 2 === 1 ? `0x${flag + 1}${path}` : `0x${flag}0${path}`
}

const rootOf = (entries: ReadonlyMap<string, Hex>): Hex => keccak256(nodesOf([...entries]))

describe('a trie', () => {
  test('has after every change the root of its entries', () => {
    const random = randomOf('partial-trie')
    const entries = new Map<string, Hex>()
    const trie = partialTrie('0x')
    // Few digits, so that keys share long beginnings.
    const key = (): string => Array.from({ length: 6 }, () => random.pick(['3', '3', '3', 'a'])).join('')
    for (let change = 0; change < 150; change += 1) {
      const chosen = key()
      if (entries.has(chosen) && random.chance(0.6)) {
        entries.delete(chosen)
        trie.remove(chosen)
      } else {
        const value: Hex = `0x${random
          .below(1 << 30)
          .toString(16)
          .padStart(80, '7')}`
        entries.set(chosen, value)
        trie.put(chosen, value)
      }
      expect(trie.root).toBe(entries.size === 0 ? '0x' : rootOf(entries))
      if (entries.size > 0) expect(keccak256(trie.prove(key())[0] ?? '0x')).toBe(trie.root)
    }
  })

  test('says which node it lacks, and continues once it has that', () => {
    const value: Hex = `0x${'12'.repeat(40)}`
    const keys = ['11', '12', 'ab', 'ac', 'ad']
    const whole = partialTrie('0x')
    for (const key of keys) whole.put(key, value)
    const part = partialTrie(whole.root)
    part.add(whole.prove('11'))
    const proof = whole.prove('ab')
    const { root } = whole
    expect(() => part.prove('ab')).toThrow(UnknownNode)
    // Without 11 and 12 the branch at the root is an extension to the others.
    part.remove('11')
    expect(() => part.remove('12')).toThrow(UnknownNode)
    part.add(proof)
    part.remove('12')
    expect(part.root).toBe(rootOf(new Map(keys.slice(2).map((key) => [key, value]))))
    expect(part.root).not.toBe(root)
  })
})
