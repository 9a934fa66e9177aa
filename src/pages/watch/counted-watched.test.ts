import { expect, test } from 'vitest'
import type { Watched, WatchKind } from '../../lib/storage/watch-list.ts'
import { countedWatched } from './counted-watched.ts'

const list = (...kinds: WatchKind[]): Watched[] =>
  kinds.map((kind, index) => ({ kind, place: 'fuji', id: String(index) }))

test.each<[Watched[], string]>([
  [[], 'nothing'],
  [list('token'), '1 token'],
  [list('wallet', 'validator', 'address'), '2 addresses and 1 validator'],
  [list('token', 'l1Validator', 'validator', 'validator'), '2 validators, 1 L1 validator and 1 token'],
])('a list is counted in words: %#', (entries, words) => {
  expect(countedWatched(entries)).toBe(words)
})
