import { createHash } from 'node:crypto'
import { createPublicClient, http, toHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A blob of zeros. The polynomial is zero, so commitment and proof are the point at infinity (EIP-4844). */
const blob: Hex = `0x${'00'.repeat(131_072)}`
const infinity: Hex = `0xc0${'00'.repeat(47)}`
const versionedHash: Hex = `0x01${createHash('sha256')
  .update(Buffer.from(infinity.slice(2), 'hex'))
  .digest('hex')
  .slice(2)}`

const fees = { maxFeePerGas: 90n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n }

/**
 * Sends a transaction with a blob (type 3) and one that gives its sender code (type 4). `key` is hex without 0x.
 * A different `recipient` of the blob makes a different block with the same account, nonce and time.
 */
export async function sendNewTypes(
  url: string,
  key: string,
  recipient: Hex = `0x${'22'.repeat(20)}`,
): Promise<void> {
  const account = privateKeyToAccount(`0x${key}`)
  const client = createPublicClient({
    transport: http(url, { timeout: 240_000, retryCount: 0 }),
    pollingInterval: 100,
  })
  const chainId = await client.getChainId()
  const nextNonce = (): Promise<number> =>
    client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const send = async (serializedTransaction: Hex): Promise<void> => {
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const { status } = await client.waitForTransactionReceipt({ hash, timeout: 240_000 })
    if (status !== 'success') throw new Error(`${hash} is ${status}`)
  }
  await send(
    await account.signTransaction({
      ...fees,
      type: 'eip4844',
      chainId,
      nonce: await nextNonce(),
      to: recipient,
      gas: 21_000n,
      maxFeePerBlobGas: 10n ** 9n,
      blobVersionedHashes: [versionedHash],
      sidecars: [{ blob, commitment: infinity, proof: infinity }],
    }),
  )
  const nonce = await nextNonce()
  const authorization = await account.signAuthorization({
    chainId,
    contractAddress: toHex(4n, { size: 20 }),
    nonce: nonce + 1,
  })
  await send(
    await account.signTransaction({
      ...fees,
      type: 'eip7702',
      chainId,
      nonce,
      to: account.address,
      data: '0x1234',
      gas: 100_000n,
      authorizationList: [authorization],
    }),
  )
}
