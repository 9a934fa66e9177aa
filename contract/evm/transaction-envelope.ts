import * as z from 'zod/mini'
import { amount, chainId, evmHash, openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { addressParty } from '../base/token.ts'

/** What became of an authorization (EIP-7702); only `APPLIED` has an effect. */
export const authorizationOutcomes = ['APPLIED', 'OTHER_CHAIN', 'INVALID_SIGNATURE', 'WRONG_NONCE'] as const

/**
 * Only in Ridgeline: the fields of a typed transaction (EIP-2718) that few transactions have. Each is
 * absent where the transaction's type does not have it.
 */
export const getTransactionEnvelope = operation({
  id: 'getTransactionEnvelope',
  path: '/v1/chains/{chainId}/transactions/{txHash}/envelope',
  summary: 'Get the access list, the blobs and the authorizations of a transaction',
  tag: 'EVM transactions',
  params: z.object({ chainId, txHash: evmHash }),
  response: record({
    txHash: z.string(),
    accessList: z
      .optional(z.array(record({ address: addressParty, storageKeys: z.array(z.string()) })))
      .with(z.describe('The access list that the transaction declared (EIP-2930)')),
    maxFeePerBlobGas: z.optional(amount),
    blobGasUsed: z
      .optional(amount)
      .with(z.describe('By the receipt, as is `blobGasPrice`: their product is part of the fee')),
    blobGasPrice: z.optional(amount),
    blobVersionedHashes: z.optional(z.array(z.string())).with(z.describe('EIP-4844')),
    authorizationList: z
      .optional(
        z.array(
          record({
            chainId: amount.with(z.describe('0 for any chain')),
            address: addressParty.with(z.describe('The contract whose code the account takes')),
            nonce: amount,
            authority: z.optional(addressParty).with(z.describe('The account that signed it')),
            outcome: z
              .optional(openEnum(authorizationOutcomes))
              .with(z.describe('Absent if the node no longer knows the nonce of the account')),
          }),
        ),
      )
      .with(z.describe('EIP-7702: accounts that set their code; an entry with a wrong nonce has no effect')),
  }),
})
