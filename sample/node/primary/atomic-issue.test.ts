import { addTxSignatures, evm, type TransferOutput, type UnsignedTx, utils, Utxo } from '@avalabs/avalanchejs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Key, keyOf } from '../../primary/keys.ts'
import { bytesOf } from '../../../protocol/ids/bare-hex.ts'
import { addressText } from '../../../protocol/ids/text.ts'
import { answerOf, resultOf } from '../../testing/ask.ts'
import { avalancheContext, sampleIds as ids } from '../../testing/avalanche-context.ts'
import { type RunningSample, startSample } from '../../testing/start.ts'

/** At the end of this history a wallet has exported coins waiting on C. */
const testSeed = 4

let sample: RunningSample

beforeAll(async () => {
  sample = await startSample({ hours: 24, seed: testSeed })
})
afterAll(() => sample.stop())

const oneAvax = 1_000_000_000n
const wei = 10n ** 9n
const personCount = Array.from({ length: 60 }, (_, index) => keyOf(`${testSeed}/person/${index}`))

const context = avalancheContext(ids)

const atomic = <T>(method: string, params: unknown): Promise<T> =>
  resultOf<T>(`${sample.url}/ext/bc/C/avax`, `avax.${method}`, params)
const c = <T>(method: string, ...params: unknown[]): Promise<T> =>
  resultOf<T>(`${sample.url}/ext/bc/C/rpc`, method, ...params)

function hexOf(bytes: Uint8Array): string {
  return utils.bufferToHex(utils.addChecksum(bytes))
}

async function signed(unsigned: UnsignedTx, key: Key): Promise<string> {
  await addTxSignatures({ unsignedTx: unsigned, privateKeys: [key.secret] })
  return hexOf(unsigned.getSignedTx().toBytes())
}

function unpack(list: readonly string[]): Utxo[] {
  const manager = utils.getManagerForVM('AVM')
  return list.map((hex) => manager.unpack(utils.hexToBuffer(hex), Utxo))
}

type Fetched = {
  readonly utxos: string[]
  readonly numFetched: string
}

async function waitingFor(key: Key, sourceChain: string): Promise<string[]> {
  return (
    await atomic<Fetched>('getUTXOs', { addresses: [`C-${addressText(key.address, 'fuji')}`], sourceChain })
  ).utxos
}

type Waiting = {
  readonly key: Key
  readonly source: string
  readonly coins: string[]
}

/** A wallet with coins in the C-Chain's atomic memory. */
async function someoneExpecting(): Promise<Waiting> {
  for (const key of personCount) {
    for (const source of [ids.X, ids.P]) {
      const coins = await waitingFor(key, source)
      if (coins.length > 0) return { key, source, coins }
    }
  }
  throw new Error('nobody waits for coins on C')
}

async function balanceOf(key: Key): Promise<bigint> {
  return BigInt(await c<string>('eth_getBalance', `0x${key.account}`, 'latest'))
}

describe('avax.issueTx', () => {
  test('accepts an import built by another library and includes it in the next block', async () => {
    const { key, source, coins } = await someoneExpecting()
    const sum = unpack(coins).reduce((total, { output }) => total + (output as TransferOutput).amount(), 0n)
    const before = await balanceOf(key)
    // nAVAX for a unit of gas, rounded up.
    const price = BigInt(await c<string>('eth_baseFee')) / wei + 1n
    const unsigned = evm.newImportTxFromBaseFee(
      context,
      bytesOf(key.account),
      [bytesOf(key.address)],
      unpack(coins),
      source,
      price,
    )
    const tx = await signed(unsigned, key)
    const { txID } = await atomic<{ txID: string }>('issueTx', { tx, encoding: 'hex' })
    expect(await atomic('getAtomicTxStatus', { txID })).toEqual({ status: 'Processing' })
    expect(await atomic('getAtomicTx', { txID })).toEqual({ tx, encoding: 'hex' })
    expect(await balanceOf(key)).toBe(before)
    // A known transaction is returned again, not accepted twice.
    expect(await atomic('issueTx', { tx, encoding: 'hex' })).toEqual({ txID })

    const { head: block } = await sample.control.mine({ chain: 'c' })
    const blockHeight = String(block.number)
    expect(await atomic('getAtomicTxStatus', { txID })).toEqual({ status: 'Accepted', blockHeight })
    expect(await atomic('getAtomicTx', { txID })).toEqual({ tx, encoding: 'hex', blockHeight })
    const shown = await c<{ blockExtraData: string }>(
      'eth_getBlockByNumber',
      `0x${block.number.toString(16)}`,
      false,
    )
    expect(shown.blockExtraData).toContain(tx.slice(6, -8))
    const gained = (await balanceOf(key)) - before
    // All but the fee.
    expect(gained).toBeGreaterThan((sum - oneAvax / 100n) * wei)
    expect(gained).toBeLessThan(sum * wei)
    expect(await waitingFor(key, source)).toEqual([])
    const again = await answerOf(`${sample.url}/ext/bc/C/avax`, 'avax.issueTx', { tx, encoding: 'hex' })
    expect(again.error?.message).toBe(`failed to fetch import UTXOs from ${source} due to: not found`)

    // And an export back, from the account to P.
    const nonce = BigInt(await c<string>('eth_getTransactionCount', `0x${key.account}`, 'latest'))
    const back = (amount: bigint, at: bigint): Promise<string> =>
      signed(
        evm.newExportTxFromBaseFee(
          context,
          price,
          amount,
          ids.P,
          bytesOf(key.account),
          [bytesOf(key.address)],
          at,
        ),
        key,
      )
    const refusal = async (tx: string): Promise<string | undefined> =>
      (await answerOf(`${sample.url}/ext/bc/C/avax`, 'avax.issueTx', { tx, encoding: 'hex' })).error?.message
    expect(await refusal(await back(2n * oneAvax, nonce + 1n))).toBe('invalid nonce')
    expect(await refusal(await back(5_000_000n * oneAvax, nonce))).toBe('insufficient funds')
    const exported = await back(2n * oneAvax, nonce)
    const sent = await atomic<{ txID: string }>('issueTx', { tx: exported, encoding: 'hex' })
    const held = await balanceOf(key)
    await sample.control.mine({ chain: 'c' })
    expect(await atomic('getAtomicTxStatus', { txID: sent.txID })).toMatchObject({ status: 'Accepted' })
    expect(held - (await balanceOf(key))).toBeGreaterThan(2n * oneAvax * wei)
    expect(await c('eth_getTransactionCount', `0x${key.account}`, 'latest')).toBe(
      `0x${(nonce + 1n).toString(16)}`,
    )
    const onP = await resultOf<Fetched>(`${sample.url}/ext/bc/P`, 'platform.getUTXOs', {
      addresses: [`P-${addressText(key.address, 'fuji')}`],
      sourceChain: 'C',
    })
    expect(unpack(onP.utxos).map((utxo) => utxo.utxoId.txID.toString())).toContain(sent.txID)
  })
})
