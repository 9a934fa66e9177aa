import * as z from 'zod/mini'
import { chainId, commaList, keptFrom, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { addressParty } from '../base/token.ts'
import { erc1155TransferDetails, erc20TransferDetails, erc721TransferDetails } from './transactions.ts'

/** Maximum number of transactions in a request: a page of a list. */
export const maxMovedTransactions = 100

/** Maximum number of transfers that are listed for one transaction. */
export const maxMovedTransfers = 20

const position = z
  .string()
  .check(z.regex(/^\d{1,15}-\d{1,9}$/, 'must be a block number and an index, such as 1200-3'))

/**
 * What moved in a transaction, for a row of a list. NFTs come without their metadata. The record has no transfers if
 * the transaction failed.
 */
export const transactionMovements = record({
  blockNumber: z.string(),
  blockIndex: z.int(),
  txHash: z
    .string()
    .with(z.describe('Identifies the transaction if a reorg replaced the one at this position')),
  from: addressParty,
  to: addressParty.with(z.describe('The created contract for a contract creation; empty if it failed')),
  isToContract: z.boolean().with(z.describe('Whether the recipient is a contract with a known creation')),
  isComplete: z
    .boolean()
    .with(z.describe('False if the transaction has, or may have had, more transfers than listed')),
  erc20Transfers: z.array(erc20TransferDetails),
  erc721Transfers: z.array(erc721TransferDetails),
  erc1155Transfers: z.array(erc1155TransferDetails),
  nativeReceived: z
    .optional(z.string().check(z.regex(/^-?\d+$/)))
    .with(
      z.describe(
        'Net native value that internal calls moved to the sender; absent if the block is untraced or its calls were dropped',
      ),
    ),
  logsFrom: keptFrom.logsFrom,
})
export type TransactionMovements = z.infer<typeof transactionMovements>

export const listTransactionMovements = operation({
  id: 'listTransactionMovements',
  path: '/v1/chains/{chainId}/transactions:listMovements',
  summary: 'List what moved in some transactions, with the names of their parties',
  tag: 'EVM transactions',
  params: z.object({ chainId }),
  query: z.object({
    positions: commaList(position, maxMovedTransactions).with(
      z.describe(
        `Block number and index of each transaction, such as \`1200-0,1200-1\`, at most ${maxMovedTransactions}. Positions without a transaction are omitted`,
      ),
    ),
  }),
  response: record({ transactions: z.array(transactionMovements) }),
})
