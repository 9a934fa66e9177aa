import { sampleControl } from '../../sample/testing/control.ts'
import { expect } from './fixtures.ts'
import { sampleUrl } from './stack.ts'

/*
 * New rows for tests that wait for some: in quiet hours of the sample, much time passes between two transactions, and
 * between two blocks of the P-Chain.
 */
const control = sampleControl(sampleUrl)

/** Makes a block of the C-Chain with two transactions. */
export async function mineC(): Promise<void> {
  await control.mine({ chain: 'c', blocks: 1, transactions: 2 })
}

/** Makes a block of the P-Chain. */
export async function mineP(): Promise<void> {
  const { height } = await control.advance({ seconds: 1 })
  // A second in which the sample has no transaction to make has no block.
  await expect.poll(async () => (await control.advance({ seconds: 1 })).height).toBeGreaterThan(height)
}
