import { createTestClient, createWalletClient, encodeFunctionData, http, publicActions, type Hex } from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, expect, test } from 'vitest'
import { anvilAccount } from '../node/testing/anvil.ts'
import { compiledContract } from '../testing/compiled-contract.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { startAnvil } from './testing/anvil.ts'
import { chainConfig, startIndexer, storedHead, until, type RunningIndexer } from './testing/harness.ts'
import { Random } from './testing/random.ts'

const chainId = 43_114
const people = Array.from({ length: 5 }, (_, index) => anvilAccount(index))

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** The contracts keep their own balances, so their answers do not depend on logs. */
test('token balances match balanceOf at every block, through reorgs', async () => {
  const random = new Random(9)
  const anvil = await startAnvil(chainId)
  cleanups.push(() => anvil.stop())
  const chain = { ...foundry, id: chainId }
  const transport = http(anvil.rpcUrl)
  const node = createTestClient({ chain, mode: 'anvil', transport }).extend(publicActions)
  const wallet = createWalletClient({ chain, transport })
  const from = (position: number) => {
    const account = people[position]
    if (!account) throw new Error('nobody')
    return account
  }
  const deploy = async (name: string, args: unknown[]): Promise<Hex> => {
    const hash = await wallet.deployContract({
      ...compiledContract(name),
      account: from(0),
      args,
      gas: 5_000_000n,
    })
    await node.mine({ blocks: 1 })
    const { contractAddress } = await node.getTransactionReceipt({ hash })
    if (!contractAddress) throw new Error(`${name} was not created`)
    return contractAddress
  }
  const token = await deploy('Token', ['Coin', 'COIN', 18, 10n ** 24n])
  const art = await deploy('Collectible', ['Art', 'ART', 'ipfs://art/'])
  const items = await deploy('Items', ['Items', 'ipfs://items/'])
  const nonces = new Map<number, number>()
  const call = async (sender: number, name: string, functionName: string, args: unknown[]) => {
    const to = { Token: token, Collectible: art, Items: items }[name]
    const account = from(sender)
    const nonce = nonces.get(sender) ?? (await node.getTransactionCount({ address: account.address }))
    nonces.set(sender, nonce + 1)
    const data = encodeFunctionData({ abi: compiledContract(name).abi, functionName, args })
    await wallet.sendTransaction({ account, to, data, nonce, gas: 1_000_000n, maxFeePerGas: 10n ** 11n })
  }
  const act = async (): Promise<void> => {
    const sender = random.between(0, 4)
    const me = from(sender).address
    const other = from(random.between(0, 4)).address
    const id = random.between(1, 3)
    switch (random.between(0, 8)) {
      case 0:
        return call(sender, 'Token', 'claim', [])
      case 1:
        return call(sender, 'Token', 'burn', [BigInt(random.between(0, 1_000))])
      case 2:
        return call(sender, 'Token', 'transfer', [other, BigInt(random.between(0, 3) * 10 ** 15)])
      case 3:
        return call(sender, 'Collectible', 'mint', [random.between(1, 3)])
      case 4:
        // Fails unless the sender owns the item, which is the case for many of these calls.
        return call(sender, 'Collectible', 'transferFrom', [me, other, random.between(1, 12)])
      case 5:
        return call(sender, 'Items', 'mintBatch', [
          [id, id, 7],
          [random.between(0, 9), 5, 0],
        ])
      case 6:
        return call(sender, 'Items', 'safeBatchTransferFrom', [me, other, [id, 7, id], [1, 0, 1], '0x'])
      case 7:
        return call(sender, 'Items', 'safeTransferFrom', [me, other, id, random.between(0, 3), '0x'])
      default:
        return call(sender, 'Items', 'burn', [id, random.between(0, 3)])
    }
  }
  const mine = async (blocks: number): Promise<void> => {
    for (let block = 0; block < blocks; block += 1) {
      for (let count = random.between(1, 6); count > 0; count -= 1) await act()
      await node.mine({ blocks: 1 })
    }
  }

  await mine(60)
  const test: TestDatabase = await createTestDatabase()
  cleanups.push(() => test.drop())
  const { database } = test
  const indexer: RunningIndexer = startIndexer(
    database,
    chainConfig({ evmChainId: chainId, rpcUrl: anvil.rpcUrl }),
  )
  cleanups.push(() => indexer.stop())
  const caughtUp = async () => {
    const { hash } = await node.getBlock({ blockTag: 'latest' })
    await until('the indexer has the head', async () => (await storedHead(database, chainId))?.hash === hash)
  }
  const expectAgreement = async () => {
    const { findings, answers, transfers } = await verifyChain({
      database,
      chain: chainId,
      rpcUrl: anvil.rpcUrl,
    })
    expect(findings.all()).toEqual([])
    expect(transfers).toBeGreaterThan(50)
    expect(answers).toMatchObject({ pastGone: false, disagreeing: [] })
    expect(answers?.past).toBeGreaterThan(20)
    expect(answers?.head).toBeGreaterThan(20)
  }
  await caughtUp()
  await expectAgreement()

  for (const depth of [1, 4, 9]) {
    await node.request({ method: 'anvil_reorg' as never, params: [depth, []] as never })
    nonces.clear()
    await mine(depth)
    await caughtUp()
  }
  await expect.poll(() => indexer.stats?.reorgs).toBeGreaterThan(0)
  await expectAgreement()
})
