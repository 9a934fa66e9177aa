import type { Hex } from 'viem'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../evm/anvil/anvil.ts'
import { keystoreMethods } from './keystore.ts'
import type { LocalMethods } from './local.ts'

const testChainId = 43_112
/** The public test key of local networks. */
const secret = '56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027'
const account = privateKeyToAccount(`0x${secret}`)

let folder = ''
let anvil: Anvil
let keys: LocalMethods

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
  anvil = await startAnvil({
    chainId: testChainId,
    accounts: 1,
    mnemonicSeed: 1,
    genesisTime: 1_700_000_000,
    cache: folder,
    onSpawn: () => undefined,
  })
  await anvil.rpc.call('anvil_setBalance', account.address, '0xde0b6b3a7640000')
  const head = { number: 0, hash: '0x' as const, time: 0 }
  const { rpc } = anvil
  const submit = async (raw: Hex): Promise<Hex> => (await rpc.call('eth_sendRawTransaction', raw)) as Hex
  keys = keystoreMethods(Promise.resolve({ head, rpc, submit }), testChainId)
  await resultOf('personal_importRawKey', secret, 'pw')
  await resultOf('personal_unlockAccount', account.address, 'pw', 0)
})
afterAll(async () => {
  await anvil.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function resultOf<T>(method: string, ...params: readonly unknown[]): Promise<T> {
  const answer = await keys({ id: 1, method, params })
  if (answer?.error !== undefined) throw new Error(answer.error.message)
  return answer?.result as T
}

const to: Hex = `0x${'11'.repeat(20)}`
const gas = '0x5208'

test('makes the same signatures as another library', async () => {
  const common = { chainId: testChainId, nonce: 7, gas: 21_000n, to, value: 5n, data: '0x1234' } as const
  const call = { from: account.address, to, value: '0x5', gas, nonce: '0x7', data: '0x1234' }
  const [legacy, dynamic] = await Promise.all([
    resultOf<{ raw: Hex }>('personal_signTransaction', { ...call, gasPrice: '0x9' }, 'pw'),
    resultOf<{ raw: Hex }>('eth_signTransaction', {
      ...call,
      maxFeePerGas: '0x9',
      maxPriorityFeePerGas: '0x1',
    }),
  ])
  expect(legacy.raw).toBe(await account.signTransaction({ ...common, type: 'legacy', gasPrice: 9n }))
  const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }
  expect(dynamic.raw).toBe(await account.signTransaction({ ...common, type: 'eip1559', ...fees }))
})

test('resends a pending transaction at another price, and refuses any other', async () => {
  const order = { from: account.address, to, value: '0x5', gas, nonce: '0x0', gasPrice: '0x77359400' }
  const first = await resultOf<Hex>('eth_sendTransaction', order)
  const waiting = (): Promise<{ hash: Hex }[]> => resultOf('eth_pendingTransactions')
  expect((await waiting()).map(({ hash }) => hash)).toEqual([first])
  await expect(resultOf('eth_resend', { ...order, value: '0x6' }, '0xee6b2800')).rejects.toThrow(
    /^transaction 0x[0-9a-f]{64} not found$/,
  )
  const second = await resultOf<Hex>('eth_resend', order, '0xee6b2800', '0x7530')
  expect((await waiting()).map(({ hash }) => hash)).toEqual([second])
  await anvil.rpc.call('evm_mine')
  expect(await anvil.rpc.call('eth_getTransactionByHash', second)).toMatchObject({
    gasPrice: '0xee6b2800',
    gas: '0x7530',
    value: '0x5',
    blockNumber: '0x1',
  })
  expect(await anvil.rpc.call('eth_getTransactionReceipt', first)).toBeNull()
})
