import * as z from 'zod/mini'
import {
  amount,
  blockRange,
  chainId,
  evmAddress,
  evmHash,
  keptFrom,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  timeWindow,
} from '../base/fields.ts'
import { addressParty, ercType, lastTokenId, nftMetadata } from '../base/token.ts'
import { networkToken } from './chains.ts'
import { operationsOf } from '../base/operation.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

const operation = operationsOf('EVM transactions')

const callTypes = ['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION'] as const

const methodHash = z.string().check(z.regex(/^0x[0-9a-fA-F]{8}$/, 'must be 0x and 8 hex digits'))

/** The method of a transaction: its kind, the first four bytes of its input, and the name if it is known. */
const method = record({
  callType: openEnum(callTypes),
  methodHash: z.string(),
  methodName: z
    .optional(z.string())
    .with(z.describe('The full signature, such as `transfer(address,uint256)`')),
})

/** EVM transaction, block listing (docs/api.md). `txStatus` is "1" for ok, "0" for failed (as in the hosted API). */
export const evmTransaction = record({
  blockNumber: z.string(),
  blockTimestamp: timestamp,
  blockHash: z.string(),
  chainId: z.string(),
  blockIndex: z.int(),
  txHash: z.string(),
  txStatus: openEnum(['0', '1']),
  txType: z.int(),
  gasLimit: amount,
  gasUsed: amount,
  gasPrice: amount.with(z.describe('The effective gas price of the receipt')),
  nonce: z.string(),
  from: addressParty,
  to: addressParty.with(z.describe('The created contract for a contract creation')),
  method: z.optional(method),
  value: amount,
  blobGasUsed: z.optional(amount).with(z.describe('EIP-4844; absent for transactions without blobs')),
  blobGasPrice: z.optional(amount).with(z.describe('What a unit of blob gas cost in its block')),
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
  indexed: z.optional(z.boolean()),
})

/** Who says that an ABI is a contract's: the configuration, its verified source, or a label, which nothing proves. */
export const abiFrom = openEnum(['operator', 'source', 'label'])

/** A decoded call or event: the signature and its arguments. */
export const decoded = record({
  name: z.string(),
  signature: z.string(),
  args: z.array(decodedArgument),
  abiFrom: z
    .optional(abiFrom)
    .with(z.describe('Whose ABI says so; absent if only the selector or topic is known to mean this')),
})
export type Decoded = z.infer<typeof decoded>

const evmLog = record({
  logIndex: z.int(),
  address: z.string(),
  contract: z.optional(addressParty).with(z.describe('The same address with the token facts')),
  topics: z.array(z.string()),
  data: z.string(),
  event: z.optional(decoded).with(z.describe('Present when the signature is known and the log decodes')),
})
export type EvmLog = z.infer<typeof evmLog>

const erc20Token = record({
  address: z.string(),
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  decimals: z.optional(z.int()),
  logoUri: z.optional(z.string()),
  ercType,
})
const erc721Token = record({
  address: z.string(),
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  ercType,
  tokenId: z.string(),
  lastTokenId,
  tokenUri: z.optional(z.string()),
  metadata: z.optional(nftMetadata),
})
export const erc1155Token = record({
  address: z.string(),
  name: z
    .optional(z.string())
    .with(z.describe('The collection’s; ERC-1155 defines none, but many contracts have one')),
  symbol: z.optional(z.string()),
  ercType,
  tokenId: z.string(),
  tokenUri: z.optional(z.string()),
  metadata: z.optional(nftMetadata),
})

const transferParties = { from: addressParty, to: addressParty, logIndex: z.int() }
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
  value: amount.with(
    z.describe(
      'As the node reports it; a CALLCODE, DELEGATECALL or STATICCALL moves none, whatever it reports',
    ),
  ),
  isReverted: z.boolean(),
  gasUsed: amount,
  gasLimit: amount,
  depth: z.optional(z.int()),
  methodHash: z.optional(z.string()),
  methodName: z
    .optional(z.string())
    .with(z.describe('The full signature, if it is known; only in the answer for one transaction')),
  error: z.optional(z.string()),
  output: z
    .optional(z.string())
    .with(
      z.describe(
        'What the call in which the transaction failed returned, at most the first 1,024 bytes; absent for other calls',
      ),
    ),
})

/** Only in Ridgeline: whether an answer is of the index; absent if it is. */
export const isIndexed = z
  .optional(z.literal(false))
  .with(
    z.describe(
      'False if its block is not indexed (yet), so that the node’s own data are the answer: without internal calls, and without what depends on earlier blocks. Absent otherwise',
    ),
  )

/** One transaction as in `/v1/chains/{chainId}/transactions/{txHash}`; logs and decodings are additions. */
const transactionDetails = record({
  nativeTransaction: z.extend(evmTransaction, {
    input: z.string(),
    baseFeePerGas: amount.with(z.describe('The maximum if `isSettled` is present: less was paid')),
    maxFeePerGas: z.optional(amount),
    maxPriorityFeePerGas: z.optional(amount),
    cumulativeGasUsed: z.optional(amount),
    contractAddress: z.optional(z.string()).with(z.describe('The created contract')),
    txFee: z
      .optional(amount)
      .with(z.describe('Gas used times effective gas price, and blob gas used times its price')),
    isFinalized: z.optional(z.boolean()),
    isSettled: z
      .optional(z.boolean())
      .with(z.describe('Whether a later block has settled it (ACP-194); absent if blocks settle themselves')),
    blockTxCount: z.optional(z.int()),
    isIndexed,
    hashGivenBy: z
      .optional(z.enum(['IMPERSONATION', 'SYSTEM']))
      .with(
        z.describe(
          'Present if the hash is only the node’s name for the transaction, not the hash of its fields: it was sent for another account without its key (IMPERSONATION), or the chain did it by itself (SYSTEM)',
        ),
      ),
  }),
  networkTokenDetails: z.optional(record({ networkToken })),
  erc20Transfers: z.optional(z.array(erc20TransferDetails)),
  erc721Transfers: z.optional(z.array(erc721TransferDetails)),
  erc1155Transfers: z.optional(z.array(erc1155TransferDetails)),
  internalTransactions: z
    .optional(z.array(internalTransactionDetails))
    .with(z.describe('Absent if the node could not trace the block, or if they were dropped')),
  logs: z.optional(z.array(evmLog)).with(z.describe('Absent, like the transfers, if they were dropped')),
  decodedInput: z
    .optional(decoded)
    .with(z.describe('Present when the signature is known and the input decodes')),
  ...keptFrom,
})
export type TransactionDetails = z.infer<typeof transactionDetails>

/** Ranges, order, and the filters by status, method and party are additions. */
export const listTransactions = operation({
  id: 'listTransactions',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions',
  summary: 'List the transactions of a chain, latest first',
  params: z.object({ chainId }),
  query: z.object({
    ...paging(pageBounds.activity),
    sortOrder: latestFirst,
    ...blockRange,
    ...timeWindow,
    txStatus: z.optional(
      z.enum(['0', '1']).with(z.describe('Only transactions that failed (0) or succeeded (1)')),
    ),
    methodHash: z.optional(
      methodHash.with(z.describe('Only calls of this method: the first four bytes of the input')),
    ),
    fromAddress: z.optional(evmAddress.with(z.describe('Only transactions of this sender'))),
    toAddress: z.optional(
      evmAddress.with(z.describe('Only transactions to this address, or that created it')),
    ),
  }),
  response: record({ nextPageToken, transactions: z.array(evmTransaction) }),
})

export const getTransaction = operation({
  id: 'getTransaction',
  api: 'data',
  path: '/v1/chains/{chainId}/transactions/{txHash}',
  summary: 'Get one transaction with its receipt, logs, transfers and internal calls',
  params: z.object({ chainId, txHash: evmHash }),
  response: transactionDetails,
})
