import { getChain, listChains, listChainStatus } from './evm-chains.ts'
import { getBlock, listBlocks, listBlockTransactions } from './evm-blocks.ts'
import { getTransaction, listTransactions } from './evm-transactions.ts'
import { getAverageTps, getMetric, listHolders } from './metrics.ts'
import type { Operation } from './operation.ts'
import { search } from './search.ts'

/** Every REST operation of the service, in the order of the documentation. */
export const operations: readonly Operation[] = [
  listChains,
  getChain,
  listBlocks,
  getBlock,
  listBlockTransactions,
  listTransactions,
  getTransaction,
  getMetric,
  getAverageTps,
  listHolders,
  listChainStatus,
  search,
]
