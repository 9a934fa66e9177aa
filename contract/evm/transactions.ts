import { z } from 'zod'
import {
  amount,
  chainId,
  endBlock,
  endTimestamp,
  evmHash,
  nextPageToken,
  openEnum,
  paging,
  record,
  startBlock,
  startTimestamp,
  timestamp,
} from '../base/fields.ts'
import { addressParty, ercType, nftMetadata } from '../base/token.ts'
import { networkToken } from './chains.ts'
import { operation } from '../base/operation.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

export const callTypes = ['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION'] as const

/** The method of a transaction: its kind, the first four bytes of its input, and the name if it is known. */
export const method = record({
  callType: openEnum(callTypes),
  methodHash: z.string(),
  methodName: z.string().optional().describe('The full signature, such as `transfer(address,uint256)`'),
})

/** EVM transaction, block listing (docs/api.md). `txStatus` is "1" for ok, "0" for failed (as in the hosted API). */
export const evmTransaction = record({
  blockNumber: z.string(),
  blockTimestamp: timestamp,
  blockHash: z.string(),
  chainId: z.string(),
  blockIndex: z.number().int(),
  txHash: z.string(),
  txStatus: openEnum(['0', '1']),
  txType: z.number().int(),
  gasLimit: amount,
  gasUsed: amount,
  gasPrice: amount.describe('The effective gas price of the receipt'),
  nonce: z.string(),
  from: addressParty,
  to: addressParty.describe('For a creation: the created contract'),
  method: method.optional(),
  value: amount,
})
export type EvmTransaction = z.infer<typeof evmTransaction>

/** One decoded argument of a call or an event. Values are text; integers are in decimal digits. */
export type DecodedArgument = {
  name: string
  type: string
  value: string | readonly unknown[]
  indexed?: boolean | undefined
}

const decodedArgument = record({
  name: z.string(),
  type: z.string(),
  value: z.union([z.string(), z.array(z.unknown())]),
  indexed: z.boolean().optional(),
})

/** A decoded call or event: the signature and its arguments. */
export const decoded = record({ name: z.string(), signature: z.string(), args: z.array(decodedArgument) })
export type Decoded = z.infer<typeof decoded>

export const evmLog = record({
  logIndex: z.number().int(),
  address: z.string(),
  topics: z.array(z.string()),
  data: z.string(),
  event: decoded.optional().describe('Present when the signature is known and the log decodes'),
})
export type EvmLog = z.infer<typeof evmLog>

const erc20Token = record({
  address: z.string(),
  name: z.string().optional(),
  symbol: z.string().optional(),
  decimals: z.number().int().optional(),
  logoUri: z.string().optional(),
  ercType,
})
const erc721Token = record({
  address: z.string(),
  name: z.string().optional(),
  symbol: z.string().optional(),
  ercType,
  tokenId: z.string(),
  tokenUri: z.string().optional(),
  metadata: nftMetadata.optional(),
})
export const erc1155Token = record({
  address: z.string(),
  name: z.string().optional().describe('Of the collection: ERC-1155 has none, but many contracts do'),
  symbol: z.string().optional(),
  ercType,
  tokenId: z.string(),
  tokenUri: z.string().optional(),
  metadata: nftMetadata.optional(),
})

const transferParties = { from: addressParty, to: addressParty, logIndex: z.number().int() }
export const erc20TransferDetails = record({ ...transferParties, value: amount, erc20Token })
export const erc721TransferDetails = record({ ...transferParties, erc721Token })
export const erc1155TransferDetails = record({ ...transferParties, value: amount, erc1155Token })

export const internalTxTypes = [
  'UNKNOWN',
  'CALL',
  'CREATE',
  'CREATE2',
  'CREATE3',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'SELFDESTRUCT',
] as const

/** A call inside a transaction. `depth` is 1 for a call made by the transaction's own code. */
export const internalTransactionDetails = record({
  from: addressParty,
  to: addressParty,
  internalTxType: openEnum(internalTxTypes),
  value: amount,
  isReverted: z.boolean(),
  gasUsed: amount,
  gasLimit: amount,
  depth: z.number().int().optional(),
  methodHash: z.string().optional(),
  error: z.string().optional(),
})

/** One transaction as in `/v1/chains/{chainId}/transactions/{txHash}`; logs and decodings are additions. */
export const transactionDetails = record({
  nativeTransaction: evmTransaction.extend({
    input: z.string(),
    baseFeePerGas: amount.describe('Where isSettled is there, the most that it may be: less was paid'),
    maxFeePerGas: amount.optional(),
    maxPriorityFeePerGas: amount.optional(),
    cumulativeGasUsed: amount.optional(),
    contractAddress: z.string().optional().describe('The contract that a creation made'),
    txFee: amount.optional().describe('Gas used times effective gas price'),
    isFinalized: z.boolean().optional(),
    isSettled: z
      .boolean()
      .optional()
      .describe(
        'Whether a later block has settled what it did (ACP-194); absent where its block settles itself',
      ),
    blockTxCount: z.number().int().optional(),
  }),
  networkTokenDetails: record({ networkToken }).optional(),
  erc20Transfers: z.array(erc20TransferDetails).optional(),
  erc721Transfers: z.array(erc721TransferDetails).optional(),
  erc1155Transfers: z.array(erc1155TransferDetails).optional(),
  internalTransactions: z
    .array(internalTransactionDetails)
    .optional()
    .describe('Absent when the node could not trace the block: what was called is not known'),
  logs: z.array(evmLog).optional(),
  decodedInput: decoded.optional().describe('Present when the signature is known and the input decodes'),
})
export type TransactionDetails = z.infer<typeof transactionDetails>

/** `/v1/chains/{chainId}/transactions` (as in the hosted API). Ranges and order are additions. */
export const listTransactions = operation({
  id: 'listTransactions',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions',
  summary: 'List the transactions of a chain, latest first',
  tag: 'EVM transactions',
  params: z.object({ chainId }),
  query: z.object({
    ...paging(pageBounds.activity),
    sortOrder: latestFirst,
    startBlock: startBlock.optional(),
    endBlock: endBlock.optional(),
    startTimestamp: startTimestamp.optional(),
    endTimestamp: endTimestamp.optional(),
  }),
  response: record({ nextPageToken, transactions: z.array(evmTransaction) }),
})

/** `/v1/chains/{chainId}/transactions/{txHash}` (as in the hosted API). */
export const getTransaction = operation({
  id: 'getTransaction',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions/{txHash}',
  summary: 'Get one transaction with its receipt, logs, transfers and internal calls',
  tag: 'EVM transactions',
  params: z.object({ chainId, txHash: evmHash }),
  response: transactionDetails,
})
