import { expect, test } from 'vitest'
import { NetworkFacts } from './network-facts.ts'
import { networkCounts } from './network-recount.ts'

test('a UTXO that another chain sent after the last block counts in the open hour', () => {
  const facts = new NetworkFacts()
  const hour = 3_600
  // The P-Chain's last block is at 2 h + 100 s; the C-Chain exported at 2 h + 200 s, and again in the hour after.
  for (const ts of [hour + 1, 2 * hour + 100, 2 * hour + 200, 3 * hour + 5]) facts.add('pUtxo', ts)
  const boundaries = [hour, 2 * hour, 2 * hour + 101]
  expect(networkCounts.pUtxos(facts, boundaries).map(({ amount }) => amount)).toEqual([1n, 3n])
})
