import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStats } from '../../kernel/indexer-stats.ts'
import { testPace } from '../testing/harness.ts'
import { PrimaryNode } from './node.ts'
import { RecordedNode } from './testing/recorded-node.ts'

const { signal } = new AbortController()
let recorded: RecordedNode
let url: string

beforeEach(async () => {
  recorded = new RecordedNode()
  recorded.behaviour.hasIndex = true
  url = await recorded.start()
})
afterEach(() => recorded.stop())

const nodeOf = (maxBytes?: number): PrimaryNode =>
  new PrimaryNode({
    url,
    timeout: 5_000,
    concurrency: 1,
    stats: createStats(),
    pace: testPace,
    ...(maxBytes !== undefined && { maxBytes }),
  })

test('containers that do not fit into one answer are requested in smaller numbers, and all arrive', async () => {
  const whole = nodeOf()
  const all = await whole.containers('pBlocks', 0, 1_024, signal)
  whole.close()
  expect(all).toHaveLength(10)

  // The largest container fits into an answer; all ten together do not.
  const largest = Math.max(...all.map(({ bytes }) => 2 * bytes.length))
  const node = nodeOf(largest + 1_000)
  const given: string[] = []
  while (given.length < all.length) {
    const some = await node.containers('pBlocks', given.length, 1_024, signal)
    expect(some.length).toBeGreaterThan(0)
    given.push(...some.map(({ id }) => id))
  }
  node.close()
  expect(given).toEqual(all.map(({ id }) => id))
})

test('a single container that does not fit is reported as too large', async () => {
  const node = nodeOf(100)
  await expect(node.containers('pBlocks', 0, 8, signal)).rejects.toMatchObject({ kind: 'tooLarge' })
  node.close()
})
