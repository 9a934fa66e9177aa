import * as z from 'zod/mini'
import {
  alwaysSent,
  amount,
  blockRange,
  chainId,
  nextPageToken,
  paging,
  record,
  timestamp,
  timeWindow,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { latestFirst, pageBounds } from '../base/query.ts'
import { evmTransaction, isIndexed } from './transactions.ts'

const operation = operationsOf('EVM blocks')

/**
 * An EVM block in a list, as in the hosted service; the fields after `cumulativeTransactions` are additions.
 */
export const evmBlock = record({
  chainId: z.string(),
  blockNumber: z.string(),
  blockTimestamp: timestamp,
  blockHash: z.string(),
  parentHash: z.string(),
  txCount: z.int(),
  baseFee: amount.with(z.describe('The maximum if a later block settles this one: it is executed with less')),
  gasUsed: amount.with(
    z.describe('Gas used by the transactions; the sum over their receipts if a later block settles this one'),
  ),
  gasLimit: amount,
  gasCost: amount.with(z.describe('The block gas cost on chains that have one, otherwise 0')),
  feesSpent: amount.with(z.describe('Sum of gas used times effective gas price, in the smallest unit')),
  /** Absent only where a page has the block from a node, which does not count them. */
  cumulativeTransactions: z.optional(amount),
  miner: z.optional(z.string()),
  blockSizeBytes: z.optional(z.int()),
  logCount: z.optional(z.int()),
})
export type EvmBlock = z.infer<typeof evmBlock>

/** One EVM block with its header fields. */
export const evmBlockDetails = z.extend(evmBlock, {
  stateRoot: z.optional(z.string()),
  transactionsRoot: z.optional(z.string()),
  receiptsRoot: z.optional(z.string()),
  extraData: z.optional(z.string()),
  nonce: z.optional(z.string()),
  difficulty: z.optional(amount),
  isFinalized: z.optional(z.boolean()),
  settledHeight: z
    .optional(z.string())
    .with(
      z.describe(
        'The highest block that this one settles; its state and receipts roots are those of the settled blocks (ACP-194). Absent if blocks settle themselves',
      ),
    ),
  settledBy: z
    .optional(z.string())
    .with(
      z.describe('The block that settled this one; absent until settled, and if blocks settle themselves'),
    ),
  withdrawals: alwaysSent(
    z.array(
      record({
        index: z.string(),
        validatorIndex: z.string(),
        address: z.string(),
        amount: amount.with(z.describe('In gwei')),
      }),
    ),
  ).with(z.describe('Withdrawals from the consensus layer (EIP-4895)')),
  nextBlockNumber: z.optional(z.string()).with(z.describe('Absent at the head')),
  isIndexed,
})
export type EvmBlockDetails = z.infer<typeof evmBlockDetails>

/** A block number or a block hash (docs/api.md, Operations). */
export const blockId = z
  .string()
  .check(
    z.regex(/^(\d{1,16}|0x[0-9a-fA-F]{64})$/, 'must be a block number or a block hash'),
    z.describe('A block number or a block hash'),
  )

/** Ranges and order are additions. */
export const listBlocks = operation({
  id: 'listBlocks',
  api: 'data',
  path: '/v1/chains/{chainId}/blocks',
  summary: 'List the blocks of a chain, latest first',
  params: z.object({ chainId }),
  query: z.object({
    ...paging(pageBounds.activity),
    sortOrder: latestFirst,
    ...blockRange,
    ...timeWindow,
  }),
  response: record({ nextPageToken, blocks: z.array(evmBlock) }),
})

export const getBlock = operation({
  id: 'getBlock',
  api: 'data',
  path: '/v1/chains/{chainId}/blocks/{blockId}',
  summary: 'Get one block',
  params: z.object({ chainId, blockId }),
  response: evmBlockDetails,
})

/** `/v1/chains/{chainId}/blocks/{blockId}/transactions`; the default page size is 0 (docs/api.md, Keys and limits). */
export const listBlockTransactions = operation({
  id: 'listBlockTransactions',
  api: 'data',
  path: '/v1/chains/{chainId}/blocks/{blockId}/transactions',
  summary: 'List the transactions of a block',
  params: z.object({ chainId, blockId }),
  query: z.object(paging({ min: 0, max: 100, default: 0 })),
  response: record({ nextPageToken, transactions: z.array(evmTransaction) }),
})
