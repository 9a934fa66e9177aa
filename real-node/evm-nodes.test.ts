import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, vi, test } from 'vitest'
import { getBlock } from '../contract/evm/blocks.ts'
import { listTransactions } from '../contract/evm/transactions.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'
import { statusOf } from '../e2e/support/stack.ts'
import { openContract, type ContractReader } from './stack/contract-reader.ts'
import { startAnvilNode, startGeth, startHardhat, type DevelopmentNode } from './stack/development-nodes.ts'
import { compareEvmChain } from './compare/evm-comparison.ts'
import { playEvm } from './stack/evm-story.ts'
import { sendNewTypes } from './stack/evm-types.ts'
import { ask } from './stack/node.ts'

const geth = inject('geth')
const hardhat = inject('hardhat')

const nodes = [
  { name: 'geth', has: geth !== '', start: (folder: string) => startGeth(geth, folder) },
  { name: 'Hardhat', has: hardhat !== '', start: (folder: string) => startHardhat(hardhat, folder) },
  { name: 'anvil', has: true, start: startAnvilNode },
]

describe.each(nodes)('$name', ({ name, has, start }) => {
  const folder = temporaryFolder()
  let node: DevelopmentNode
  let stack: Launched
  let service: ContractReader
  let accounts: Awaited<ReturnType<typeof playEvm>>
  let chainId: string

  beforeAll(async () => {
    if (!has) return
    node = await start(join(folder.path, 'node'))
    chainId = String(Number(await ask(node.url, 'eth_chainId', [])))
    const chain = {
      name: 'Development',
      evmChainId: Number(chainId),
      rpcUrl: node.url,
      pollSeconds: 0.3,
      onNewGenesis: 'startOver',
    }
    stack = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, { chains: [chain] })] })
    service = openContract(await stack.url)
  })

  afterAll(async () => {
    if (!has) return
    await stack.stop()
    await node.stop()
    folder.remove()
  })

  /** Waits until the service has the node's head, then compares every field of the whole chain. */
  async function compare() {
    await vi.waitFor(
      async () => {
        const { number, hash } = await ask<{ number: string; hash: string }>(
          node.url,
          'eth_getBlockByNumber',
          ['latest', false],
        )
        const status = await statusOf({ id: chainId }, await stack.url)
        expect(status.indexedBlock, `${status.state}: ${status.reason ?? ''}`).toBe(String(Number(number)))
        const { blockHash } = await service.get(getBlock, { chainId, blockId: status.indexedBlock ?? '' })
        expect(blockHash).toBe(hash)
      },
      { timeout: 240_000, interval: 250 },
    )
    return compareEvmChain(node.url, service, accounts, node.isTraced)
  }

  test.runIf(has)('is indexed from block 0, with transactions of types 0 to 4', async () => {
    await node.gather(true)
    accounts = await playEvm(node.url, node.key)
    await node.gather(false)
    await sendNewTypes(node.url, node.key)
    const compared = await compare()
    expect(compared.transactions).toBeGreaterThan(14)
    expect(compared.logs).toBeGreaterThan(10)
    const rows = await service.all(listTransactions, 'transactions', { chainId })
    expect(new Set(rows.map(({ txType }) => txType))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  test.runIf(has && name === 'geth')('shows the withdrawals of the consensus layer', async () => {
    const address = `0x${'33'.repeat(20)}`
    const withdrawal = { index: '0x0', validatorIndex: '0x7', address, amount: '0x3b9aca00' }
    await ask(node.url, 'dev_addWithdrawal', [withdrawal])
    const blockId = await vi.waitFor(
      async () => {
        const block = await ask<{ number: string; withdrawals: unknown[] }>(
          node.url,
          'eth_getBlockByNumber',
          ['latest', false],
        )
        expect(block.withdrawals).toHaveLength(1)
        return String(Number(block.number))
      },
      { timeout: 240_000 },
    )
    await compare()
    const { withdrawals } = await service.get(getBlock, { chainId, blockId })
    expect(withdrawals).toEqual([{ index: '0', validatorIndex: '7', address, amount: '1000000000' }])
  })

  test.runIf(has && name === 'Hardhat')('is followed over skipped blocks', async () => {
    await ask(node.url, 'hardhat_mine', ['0x28'])
    await sendNewTypes(node.url, node.key)
    await compare()
  })

  test.runIf(has)('is followed through a reorg', async () => {
    const before = await compare()
    const mark = await node.mark()
    for (let round = 0; round < 3; round += 1) await sendNewTypes(node.url, node.key)
    expect((await compare()).blocks).toBe(before.blocks + 6)
    await node.backTo(mark)
    // Hardhat also resets its clock: the same transactions could make the same blocks again, which is not a reorg.
    await sendNewTypes(node.url, node.key, `0x${'44'.repeat(20)}`)
    await compare()
  })

  test.runIf(has && name !== 'Hardhat')('is followed after a restart of the node', async () => {
    await node.restart()
    await sendNewTypes(node.url, node.key)
    await compare()
  })

  test.runIf(has)('is indexed again after the node has lost its chain', async () => {
    const before = await compare()
    await node.startAnew()
    await sendNewTypes(node.url, node.key)
    expect((await compare()).blocks).toBeLessThan(before.blocks)
  })
})
