import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { getNetworkOverview } from '../contract/network/overview.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { testKey } from '../scripts/support/staking-network.mjs'
import { comparisons } from './compare/comparisons.ts'
import { startNetwork, type RealNetwork } from './stack/network.ts'
import { readPrimary } from './compare/primary-reading.ts'
import type { PrimaryOfNode } from './compare/primary-records.ts'
import { startService, untilIndexed } from './stack/service.ts'
import { playPrimary, type Story } from './stack/story.ts'

// The scenario of primary.test.ts, run once: every mutant of the project builds its own index of it.
const folder = temporaryFolder()
let network: RealNetwork
let story: Story
let node: PrimaryOfNode

beforeAll(async () => {
  network = await startNetwork({
    program: inject('avalanchego'),
    folder: folder.path,
    size: 1,
    heliconIn: 40,
  })
  story = await playPrimary(network, testKey)
  node = await readPrimary(network.node.url, story)
})

afterAll(async () => {
  await network?.stop()
  folder.remove()
})

/** Indexes the node with the project at `root` (by default this one) and runs these comparisons. */
async function compare(names: readonly string[], root?: string): Promise<void> {
  const home = temporaryFolder()
  const nodeUrl = network.node.url
  const service = await startService(nodeUrl, home.path, { ...(root !== undefined && { root }) })
  try {
    await untilIndexed(service, nodeUrl, getNetworkOverview)
    for (const name of names) await comparisons[name]?.({ nodeUrl, node, service, story })
  } finally {
    await service.stop()
    home.remove()
  }
}

test('the unchanged project passes', async () => {
  await compare(Object.keys(comparisons))
})

test.each(inject('mutants'))(
  '$name',
  async ({ root, comparison }) => {
    // A difference, or an index that stops because the node's rewards contradict it. Other failures, such as a
    // service that does not start, do not count.
    const seen = await compare([comparison], root).then(
      () => 'nothing',
      (error: Error) => (error.name === 'AssertionError' ? 'a difference' : error.message),
    )
    expect(seen).toMatch(/^(a difference$|p-chain has stopped: )/)
  },
  120_000,
)
