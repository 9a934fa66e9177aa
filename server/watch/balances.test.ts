import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainDirectory } from '../kernel/settings/chains.ts'
import { createNodes } from '../node/nodes.ts'
import { startAnvil, type Anvil } from '../node/testing/anvil.ts'
import { addressOf } from '../testing/chain-rows.ts'
import { testConfig } from '../testing/config.ts'
import { createBalances } from './balances.ts'
import { addressId } from './rules.ts'

let node: Anvil
beforeAll(async () => {
  node = await startAnvil(['--chain-id', '1'])
})
afterAll(async () => {
  await node.stop()
})

const address = addressOf('me')
const evmChain = '1'
const read = async (rpcUrl: string, decimals: number) => {
  const token = { name: 'Test', symbol: 'TST', decimals }
  const { chains } = testConfig({ chains: [{ evmChainId: 1, name: 'Test', rpcUrl, token }] })
  const { all } = createChainDirectory(chains)
  const nodes = createNodes()
  try {
    return await createBalances(nodes, all)([{ evmChain, address }])
  } finally {
    nodes.close()
  }
}

test.each([
  [0n, 18, '0'],
  [1n, 18, '0.000000000000000001'],
  [1_500_000_000_000_000_000n, 18, '1.5'],
  [12n, 0, '12'],
])('%i in the smallest unit of %i decimals is %s', async (smallest, decimals, amount) => {
  await node.ask('anvil_setBalance', [address, `0x${smallest.toString(16)}`])
  expect(await read(node.url, decimals)).toEqual({
    [addressId(evmChain, address)]: { amount, symbol: 'TST' },
  })
})

test('what a node does not answer is left out', async () => {
  expect(await read('http://127.0.0.1:9', 18)).toEqual({})
})
