import { recoverAuthorizationAddress } from 'viem/utils'
import { z } from 'zod'
import { getTransactionEnvelope } from '../../../../contract/evm/transaction-envelope.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import { notFound } from '../../../kernel/http-errors.ts'
import { withoutNulls } from '../../../kernel/without-nulls.ts'
import { NodeUnavailable } from '../../../node/failures.ts'
import { hexBytes, hexQuantity } from '../../../node/hex-fields.ts'
import { createContractBook, readNames } from '../address-names.ts'
import { findTransaction } from './stored-transaction.ts'

/** The fields of `eth_getTransactionByHash` that depend on the type of a transaction. */
const envelope = z.object({
  accessList: z.array(z.object({ address: hexBytes(20), storageKeys: z.array(hexBytes(32)) })).nullish(),
  maxFeePerBlobGas: hexQuantity.nullish(),
  blobVersionedHashes: z.array(hexBytes(32)).nullish(),
  authorizationList: z
    .array(
      z.object({
        chainId: hexQuantity,
        address: hexBytes(20),
        nonce: hexQuantity,
        yParity: hexQuantity,
        r: hexQuantity,
        s: hexQuantity,
      }),
    )
    .nullish(),
})
type Authorization = NonNullable<z.output<typeof envelope>['authorizationList']>[number]

/**
 * Only in Ridgeline: the access list, blobs and authorizations of a transaction, which are not indexed. 404 for a
 * transaction that is not indexed, or that the node does not have; 502 if the node gives no usable answer.
 */
export function transactionEnvelopeRoutes(context: RouteContext): Implementation[] {
  const book = createContractBook(context.config)
  return [
    implement(getTransactionEnvelope, async ({ params }) => {
      const { chain, database, stored } = await findTransaction(context, params)
      const client = context.nodes.of(chain)
      const method = 'eth_getTransactionByHash'
      const answer = await client.call(method, [stored.txHash])
      if (answer === null) throw notFound(`the node of ${chain.config.name} does not have ${stored.txHash}`)
      const { data } = envelope.safeParse(answer)
      if (!data) throw new NodeUnavailable(client.chainName, 'malformed', `${method} is no transaction`)
      const { accessList, maxFeePerBlobGas, blobVersionedHashes, authorizationList } = data
      const signed = await Promise.all(
        (authorizationList ?? []).map(async (one) => ({ ...one, authority: await signerOf(one) })),
      )
      const names = await readNames(database, chain, book, [
        ...(accessList ?? []).map(({ address }) => address),
        ...signed.flatMap(({ address, authority }) =>
          authority === undefined ? [address] : [address, authority],
        ),
      ])
      return {
        txHash: stored.txHash,
        ...(accessList && {
          accessList: accessList.map((entry) => ({ ...entry, address: names.party(entry.address) })),
        }),
        ...(maxFeePerBlobGas != null && { maxFeePerBlobGas: maxFeePerBlobGas.toString() }),
        ...withoutNulls({ blobGasUsed: stored.blobGasUsed, blobGasPrice: stored.blobGasPrice }),
        ...(blobVersionedHashes && { blobVersionedHashes }),
        ...(authorizationList && {
          authorizationList: signed.map(({ chainId, address, nonce, authority }) => ({
            chainId: chainId.toString(),
            address: names.party(address),
            nonce: nonce.toString(),
            ...(authority !== undefined && { authority: names.party(authority) }),
          })),
        }),
      }
    }),
  ]
}

/** The account that signed an authorization; undefined if the signature is that of nobody. */
async function signerOf({
  chainId,
  address,
  nonce,
  yParity,
  r,
  s,
}: Authorization): Promise<string | undefined> {
  const word = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`
  try {
    const signer = await recoverAuthorizationAddress({
      authorization: { chainId: Number(chainId), address, nonce: Number(nonce) },
      signature: { yParity: Number(yParity), r: word(r), s: word(s) },
    })
    return signer.toLowerCase()
  } catch {
    // A transaction may carry a signature of nobody: it has no effect (EIP-7702).
    return undefined
  }
}
