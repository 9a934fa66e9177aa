import { addTxSignatures, evm, Utxo, utils } from '@avalabs/avalanchejs'
import { keyOf, type Key } from '../../sample/primary/keys.ts'
import { bytesOf } from '../../protocol/ids/bare-hex.ts'
import { addressText } from '../../protocol/ids/text.ts'
import { neverImporters } from '../../sample/primary/world.ts'
import { avalancheContext, sampleIds as ids } from '../../sample/testing/avalanche-context.ts'
import { sampleUrl } from './stack.ts'

/** Calls a method of the sample's node directly. Throws on any error. */
export async function callNode<T>(path: string, method: string, params: unknown): Promise<T> {
  const response = await fetch(`${sampleUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error !== undefined) throw new Error(`${method}: ${error.message}`)
  return result
}

const context = avalancheContext(ids)

/** Coins in the C-Chain's atomic memory for a wallet of the sample whose key is known. */
type Waiting = {
  readonly address: string
  readonly key: Key
  readonly source: 'P' | 'X'
  readonly coins: readonly string[]
}

/**
 * A wallet whose coins wait on the C-Chain until the caller imports them. The wallets are those of the sample's default
 * seed. Throws if all coins have been imported.
 */
export async function findWaitingCoins(): Promise<Waiting> {
  for (const person of neverImporters) {
    const key = keyOf(`1/person/${person}`)
    const address = `C-${addressText(key.address, 'fuji')}`
    const params = { addresses: [address], sourceChain: 'P', encoding: 'hex' }
    const { utxos } = await callNode<{ utxos: string[] }>('/ext/bc/C/avax', 'avax.getUTXOs', params)
    if (utxos.length > 0) return { address, key, source: 'P', coins: utxos }
  }
  throw new Error('all coins that waited on the C-Chain have been imported')
}

/** An import of all these coins, built and signed by another library. */
export async function signedImport({ key, source, coins }: Waiting): Promise<string> {
  const manager = utils.getManagerForVM('AVM')
  const baseFee = BigInt(await callNode<string>('/ext/bc/C/rpc', 'eth_baseFee', []))
  const unsignedTx = evm.newImportTxFromBaseFee(
    context,
    bytesOf(key.account),
    [bytesOf(key.address)],
    coins.map((hex) => manager.unpack(utils.hexToBuffer(hex), Utxo)),
    ids[source],
    // nAVAX for a unit of gas; twice the present price, so that a rise until the block does not matter.
    (baseFee / 1_000_000_000n + 1n) * 2n,
  )
  await addTxSignatures({ unsignedTx, privateKeys: [key.secret] })
  return utils.bufferToHex(utils.addChecksum(unsignedTx.getSignedTx().toBytes()))
}
