import { readExtraData } from './transactions.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allBlocks, resultOf, type TestBlock } from '../testing/ask.ts'
import { type RunningSample, startSample } from '../testing/start.ts'
import { bytesOf } from '../../protocol/ids/bare-hex.ts'

let sample: RunningSample

beforeAll(async () => {
  sample = await startSample({ hours: 120 })
})
afterAll(() => sample.stop())

function ask(method: string, ...params: unknown[]): Promise<string> {
  return resultOf(`${sample.url}/ext/bc/C/rpc`, method, ...params)
}

describe('atomic transactions on the C-Chain', () => {
  test('stand in its blocks, and the accounts have what they brought less what they took', async () => {
    const balances = new Map<string, bigint>()
    const nonces = new Map<string, number>()
    const blocks: readonly (TestBlock & { readonly blockExtraData?: string })[] = await allBlocks(
      `${sample.url}/ext/bc/C/rpc`,
    )
    for (const block of blocks) {
      if (block.blockExtraData === undefined) continue
      for (const { unsigned } of readExtraData(bytesOf(block.blockExtraData.slice(2)))) {
        if (unsigned.type === 'ImportTx') {
          for (const { address, amount } of unsigned.evmOutputs) {
            balances.set(address, (balances.get(address) ?? 0n) + amount * 10n ** 9n)
          }
        } else {
          for (const { address, amount } of unsigned.evmInputs) {
            balances.set(address, (balances.get(address) ?? 0n) - amount * 10n ** 9n)
            nonces.set(address, (nonces.get(address) ?? 0) + 1)
          }
        }
      }
    }
    expect(balances.size).toBeGreaterThan(0)
    for (const [address, balance] of balances) {
      expect(BigInt(await ask('eth_getBalance', `0x${address}`, 'latest'))).toBe(balance)
      const nonce = await ask('eth_getTransactionCount', `0x${address}`, 'latest')
      expect(Number(nonce)).toBe(nonces.get(address) ?? 0)
    }
  })
})
