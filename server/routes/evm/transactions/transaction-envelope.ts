import { z } from 'zod'
import {
  type authorizationOutcomes,
  getTransactionEnvelope,
} from '../../../../contract/evm/transaction-envelope.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import { authorityOf, type Authorization } from '../../../kernel/authorizations.ts'
import { notFound } from '../../../kernel/http-errors.ts'
import { withoutNulls } from '../../../kernel/without-nulls.ts'
import { NodeUnavailable } from '../../../node/failures.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { NodeClient } from '../../../node/client.ts'
import { hexBytes, hexQuantity } from '../../../node/hex-fields.ts'
import { askState, ifKnown, readQuantity } from '../../../node/state.ts'
import type { Database } from '../../../store/database.ts'
import { readEnvelope } from '../../../store/evm/read-envelope.ts'
import { readNonceSteps, type StoredTransaction } from '../../../store/evm/read-transaction.ts'
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

/**
 * Only in Ridgeline: the access list, blobs and authorizations of a transaction. The node is asked for the nonces of
 * accounts, for what became of authorizations, and for an envelope that is too long to be stored. 404 for a transaction
 * that is not indexed, or then that the node does not have; 502 if the node then gives no usable answer.
 */
export function transactionEnvelopeRoutes(context: RouteContext): Implementation[] {
  const book = createContractBook(context.config)
  return [
    implement(getTransactionEnvelope, async ({ params }) => {
      const { chain, database, stored } = await findTransaction(context, params)
      const client = context.nodes.of(chain)
      const { accessList, maxFeePerBlobGas, blobVersionedHashes, authorizationList } = await envelopeOf(
        client,
        database,
        chain,
        stored,
      )
      const signed = (authorizationList ?? []).map((one) => ({ ...one, authority: authorityOf(one) }))
      const outcomes = await outcomesOf(signed, chain.key, noncesBefore(client, database, chain, stored))
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
          authorizationList: signed.map(({ chainId, address, nonce, authority }, index) => ({
            chainId: chainId.toString(),
            address: names.party(address),
            nonce: nonce.toString(),
            ...(authority !== undefined && { authority: names.party(authority) }),
            ...(outcomes[index] && { outcome: outcomes[index] }),
          })),
        }),
      }
    }),
  ]
}

/** The types of transactions that declare an access list, which may be empty. */
const listingTypes: ReadonlySet<number> = new Set([1, 2, 3, 4])

async function envelopeOf(
  client: NodeClient,
  database: Database,
  chain: Chain,
  stored: StoredTransaction,
): Promise<z.output<typeof envelope>> {
  const none = listingTypes.has(stored.txType) ? { accessList: [] } : {}
  const place = { number: BigInt(stored.blockNumber), index: stored.blockIndex }
  const fields = await readEnvelope(database, chain.key, place)
  if (fields === undefined) return none
  if (fields !== null) return { ...none, ...envelope.parse(JSON.parse(fields)) }
  const method = 'eth_getTransactionByHash'
  const answer = await client.call(method, [stored.txHash])
  if (answer === null) throw notFound(`the node of ${chain.config.name} does not have ${stored.txHash}`)
  const { data } = envelope.safeParse(answer)
  if (!data) throw new NodeUnavailable(client.chainName, 'malformed', `${method} is not a transaction`)
  return data
}

type Signed = Authorization & { readonly authority: string | undefined }
type Outcome = (typeof authorizationOutcomes)[number]

/**
 * What became of each authorization, by the order of EIP-7702: its chain, its signature, and the nonce of its account,
 * which each one that is applied raises; undefined if the node no longer knows the nonce. A failed transaction applies
 * them too.
 */
async function outcomesOf(
  signed: readonly Signed[],
  chainId: bigint,
  nonceBefore: (authority: string) => Promise<bigint | undefined>,
): Promise<(Outcome | undefined)[]> {
  const nonces = new Map<string, bigint | undefined>()
  const outcomes: (Outcome | undefined)[] = []
  for (const { chainId: meant, nonce, authority } of signed) {
    if (meant !== 0n && meant !== chainId) outcomes.push('OTHER_CHAIN')
    else if (authority === undefined) outcomes.push('INVALID_SIGNATURE')
    else {
      if (!nonces.has(authority)) nonces.set(authority, await nonceBefore(authority))
      const expected = nonces.get(authority)
      if (expected === nonce) nonces.set(authority, nonce + 1n)
      outcomes.push(expected === undefined ? undefined : expected === nonce ? 'APPLIED' : 'WRONG_NONCE')
    }
  }
  return outcomes
}

/** The nonce of an account when the authorizations of a transaction are processed: after its own nonce was raised. */
const noncesBefore =
  (client: NodeClient, database: Database, chain: Chain, stored: StoredTransaction) =>
  async (authority: string): Promise<bigint | undefined> => {
    const block = BigInt(stored.blockNumber)
    const method = 'eth_getTransactionCount'
    const before = await ifKnown(
      askState(client, method, [authority], block - 1n).then((value) => readQuantity(client, method, value)),
    )
    if (before === undefined) return undefined
    const steps = await readNonceSteps(database, chain.key, bytesOf(authority), block, stored.blockIndex)
    // An earlier authorization of the block raised it only if it was applied.
    return steps.reduce(
      (known, { nonce }) => (nonce === null || BigInt(nonce) === known ? known + 1n : known),
      before,
    )
  }
