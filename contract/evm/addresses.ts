import * as z from 'zod/mini'
import {
  amount,
  blockRange,
  keptFrom,
  nextPageToken,
  paging,
  record,
  timestamp,
  untracedBlocks,
} from '../base/fields.ts'
import {
  erc1155TransferDetails,
  erc20TransferDetails,
  erc721TransferDetails,
  evmTransaction,
  internalTransactionDetails,
} from './transactions.ts'
import { addressParams } from './token-fields.ts'
import { creation } from './contracts.ts'
import { addressParty, ercType } from '../base/token.ts'
import { operationsOf } from '../base/operation.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

/** The position of a transfer or a call in the chain. */
const position = {
  blockNumber: z.string(),
  blockTimestamp: timestamp,
  blockHash: z.string(),
  txHash: z.string(),
}

const erc20Transfer = z.extend(erc20TransferDetails, position)
export type Erc20Transfer = z.infer<typeof erc20Transfer>

const erc721Transfer = z.extend(erc721TransferDetails, position)
export type Erc721Transfer = z.infer<typeof erc721Transfer>

/** ERC-1155 transfer (docs/api.md). A batch is one transfer per token. */
const erc1155Transfer = z.extend(erc1155TransferDetails, position)
export type Erc1155Transfer = z.infer<typeof erc1155Transfer>

const internalTransaction = z.extend(internalTransactionDetails, position)
export type InternalTransaction = z.infer<typeof internalTransaction>

/**
 * A transaction with those of its transfers and internal calls that involve the address, as in the hosted service, and
 * the authorizations that the address signed. `internalTransactions` is absent if the node could not trace the block or
 * it is not kept, and the transfers if the logs are not.
 */
const addressTransaction = record({
  nativeTransaction: evmTransaction,
  erc20Transfers: z.optional(z.array(erc20TransferDetails)),
  erc721Transfers: z.optional(z.array(erc721TransferDetails)),
  erc1155Transfers: z.optional(z.array(erc1155TransferDetails)),
  internalTransactions: z.optional(z.array(internalTransactionDetails)),
  authorizations: z
    .optional(
      z.array(
        record({
          address: addressParty.with(z.describe('The contract whose code the address takes')),
          nonce: amount,
        }),
      ),
    )
    .with(
      z.describe(
        'Only in Ridgeline: what the address authorized by the transaction (EIP-7702). `/envelope` of the transaction says whether each was applied',
      ),
    ),
})
export type AddressTransaction = z.infer<typeof addressTransaction>

const { tracesFrom, logsFrom } = keptFrom
const activityQuery = z.object({ ...blockRange, ...paging(pageBounds.activity) })
const operation = operationsOf('EVM addresses')

export const listAddressTransactions = operation({
  id: 'listAddressTransactions',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions',
  summary: 'List the transactions of an address with its transfers and internal calls',
  params: addressParams,
  query: z.extend(activityQuery, { sortOrder: latestFirst }),
  response: record({ nextPageToken, transactions: z.array(addressTransaction), untracedBlocks, ...keptFrom }),
})

export const listNativeTransactions = operation({
  id: 'listNativeTransactions',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listNative',
  summary: 'List the transactions that an address sent or received, latest first',
  params: addressParams,
  query: activityQuery,
  response: record({ nextPageToken, transactions: z.array(evmTransaction) }),
})

export const listErc20Transfers = operation({
  id: 'listErc20Transfers',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc20',
  summary: 'List the ERC-20 transfers of an address, latest first',
  params: addressParams,
  query: activityQuery,
  response: record({ nextPageToken, transactions: z.array(erc20Transfer), logsFrom }),
})

export const listErc721Transfers = operation({
  id: 'listErc721Transfers',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc721',
  summary: 'List the ERC-721 transfers of an address, latest first',
  params: addressParams,
  query: activityQuery,
  response: record({ nextPageToken, transactions: z.array(erc721Transfer), logsFrom }),
})

export const listErc1155Transfers = operation({
  id: 'listErc1155Transfers',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listErc1155',
  summary: 'List the ERC-1155 transfers of an address, latest first',
  params: addressParams,
  query: activityQuery,
  response: record({ nextPageToken, transactions: z.array(erc1155Transfer), logsFrom }),
})

export const listInternalTransactions = operation({
  id: 'listInternalTransactions',
  api: 'data',
  path: '/v1/chains/{chainId}/addresses/{address}/transactions:listInternals',
  summary: 'List the internal calls of an address, latest first',
  description:
    'Calls that move value, and contract creations. 503 when no block of the range could be traced, 410 when none is kept.',
  params: addressParams,
  query: activityQuery,
  response: record({ nextPageToken, transactions: z.array(internalTransaction), untracedBlocks, tracesFrom }),
})

/**
 * Only in Ridgeline: the type and activity of an address, for the top of its page. Amounts are in the
 * smallest unit. `balance` is absent if the node does not answer.
 */
export const getAddressOverview = operation({
  id: 'getAddressOverview',
  path: '/v1/chains/{chainId}/addresses/{address}/overview',
  summary: 'Get the kind and the activity of an address, and how many tokens it holds',
  params: addressParams,
  response: record({
    address: z.string(),
    isContract: z.boolean(),
    isIndexed: z
      .optional(z.literal(false))
      .with(
        z.describe(
          'False for a contract that no indexed block names, and for any such address while the index is behind its node: only the node knows of it. Absent otherwise',
        ),
      ),
    label: z.optional(z.string()),
    sourceName: z.optional(z.string()),
    tokenType: z.optional(ercType).with(z.describe('The token type of a token contract')),
    name: z
      .optional(z.string())
      .with(z.describe('The name that the operator gave to the contract, or that the token has')),
    creation: z
      .optional(creation)
      .with(z.describe('How a contract came to be; absent if that is in no indexed block')),
    balance: z.optional(amount),
    firstBlock: z
      .optional(z.string())
      .with(z.describe('The first block in which it sent or received anything; absent if rows were dropped')),
    firstTimestamp: z.optional(timestamp),
    lastBlock: z.optional(z.string()).with(z.describe('Absent, too, if dropped rows may be later')),
    lastTimestamp: z.optional(timestamp),
    erc20Count: z
      .optional(z.string())
      .with(
        z.describe(
          'ERC-20 tokens with a current balance, spam included. Like the other counts, absent of an address that no indexed block names while the index is behind its node',
        ),
      ),
    spamErc20Count: z
      .optional(z.string())
      .with(z.describe('The number of those that are spam, which lists of balances exclude')),
    nftCount: z.optional(z.string()),
    hasTraces: z.boolean().with(z.describe('Whether internal calls are known for at least some blocks')),
    ...keptFrom,
  }),
})
