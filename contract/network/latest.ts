import * as z from 'zod/mini'
import { chainId, commaList, networkName, openEnum, queryInteger, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { evmBlock } from '../evm/blocks.ts'
import { transactionMovements } from '../evm/transaction-movements.ts'
import { evmTransaction } from '../evm/transactions.ts'
import { maxSeries } from '../metrics/view.ts'
import { primaryBlock } from '../primary/blocks.ts'
import { primaryChainAliases } from '../primary/chains.ts'
import { primaryTransaction } from '../primary/transactions.ts'

const rows = (what: string) =>
  z
    ._default(queryInteger({ min: 1, max: 50 }), 10)
    .with(z.describe(`The newest ${what} of each chain, at most this many`))

/**
 * Only in Ridgeline: what an overview of all chains lists, in one answer, so that a page that follows the heads asks
 * once and not once a chain and list. The items are those of the chains' own lists.
 */
export const listLatest = operation({
  id: 'listLatest',
  path: '/v1/latest',
  summary: 'List the newest blocks and transactions of several chains',
  tag: 'Ridgeline',
  query: z.object({
    network: networkName.with(z.describe('The network whose P-, X- and C-Chain are listed, if it is served')),
    chainIds: z
      .optional(commaList(chainId, maxSeries))
      .with(
        z.describe(`The EVM chains, at most ${maxSeries}; the first ones of the network if it is absent`),
      ),
    blocks: rows('blocks'),
    transactions: rows('transactions'),
  }),
  response: record({
    chains: z.array(
      record({
        chainId: z.string(),
        blocks: z.array(evmBlock),
        transactions: z.array(evmTransaction),
        movements: z
          .array(transactionMovements)
          .with(z.describe('What moved in these transactions, as in listTransactionMovements')),
      }),
    ),
    primary: z
      .array(
        record({
          chainName: openEnum(primaryChainAliases),
          blocks: z
            .array(primaryBlock)
            .with(z.describe('Empty for the C-Chain, whose blocks are those of its EVM chain')),
          transactions: z.array(primaryTransaction).with(z.describe('Of the C-Chain, the atomic ones')),
        }),
      )
      .with(z.describe('Empty if the network is not served')),
  }),
})
