import { getChain, getStorage, listChains, listChainStatus } from './evm/chains.ts'
import {
  getAddressOverview,
  listAddressTransactions,
  listErc1155Transfers,
  listErc20Transfers,
  listErc721Transfers,
  listInternalTransactions,
  listNativeTransactions,
} from './evm/addresses.ts'
import {
  getNativeBalance,
  listCollectibleBalances,
  listErc1155Balances,
  listErc20Balances,
  listErc721Balances,
} from './tokens/balances.ts'
import { getBlock, listBlocks, listBlockTransactions } from './evm/blocks.ts'
import {
  getContractCode,
  getContractMetadata,
  listContractDeployments,
  listDeployers,
  listDeployments,
  readContract,
  reindexNft,
} from './evm/contracts.ts'
import { getNft, listCollectionTokens } from './tokens/nfts.ts'
import {
  getToken,
  getTokenDistribution,
  listTokenHistory,
  listTokenHolders,
  listTokens,
  listTokenTransfers,
} from './tokens/tokens.ts'
import { getTransactionChanges } from './evm/transaction-changes.ts'
import { getTransactionEnvelope } from './evm/transaction-envelope.ts'
import { getTransactionFailure } from './evm/transaction-failure.ts'
import { listTransactionMovements } from './evm/transaction-movements.ts'
import { getTransaction, listTransactions } from './evm/transactions.ts'
import { getAverageTps, getMetric, listHolders } from './metrics/metrics.ts'
import { countDistinct } from './metrics/distinct.ts'
import { proveMetric, proveNetworkMetric } from './metrics/proof.ts'
import { getNetworkBreakdown } from './metrics/breakdowns.ts'
import { getNetworkMetric } from './metrics/network-metrics.ts'
import { rankContracts, rankMethods, rankTokens } from './metrics/rankings.ts'
import { listChainTraffic } from './metrics/traffic.ts'
import type { Operation } from './base/operation.ts'
import { pictures } from './pictures/operations.ts'
import { getPrimaryBalances, listUtxos } from './primary/balances.ts'
import { getBlockchain, listBlockchains, listSubnets } from './network/blockchains.ts'
import {
  getPrimaryBlock,
  getVertex,
  getVertexGraph,
  listNodeBlocks,
  listPrimaryBlocks,
  listVertices,
  listVerticesByHeight,
} from './primary/blocks.ts'
import { listUnlocks, listYearlyRewards } from './network/calendar.ts'
import { getNetworkDetails } from './network/details.ts'
import { getNetworkOverview } from './network/overview.ts'
import { getBlockchainGenesis, listBlockchainSummaries, listGenesisAllocations } from './network/registry.ts'
import { listPendingRewards, listRewards } from './network/rewards.ts'
import {
  getNodeFeed,
  getStopSafety,
  getValidatorDistribution,
  listL1ValidatorHistory,
  listStakeHistory,
  listValidationCycles,
  listUptimeSamples,
} from './network/staking.ts'
import { getPrimaryTransaction, listPrimaryTransactions } from './primary/transactions.ts'
import {
  listDelegators,
  listL1Validators,
  listNodeValidations,
  listValidators,
} from './network/validators.ts'
import { getSession } from './network/session.ts'
import { search } from './network/search.ts'
import { aggregateSignatures, getAggregatedSignatures } from './signatures/signatures.ts'
import { exportPrimaryTable, exportTable } from './sql/exports.ts'
import { listSqlTables, runSql } from './sql/sql.ts'
import {
  decodeWarpMessage,
  getSignerSet,
  getWarpMessageOfTransaction,
  listWarpMessages,
} from './signatures/warp.ts'
import {
  listWatchAlarms,
  listWatchDeliveries,
  listWatchSilences,
  listWatchStates,
  createWatchSilence,
  endWatchSilence,
  getWatchFeed,
  getWatchSummary,
  retryWatchDelivery,
} from './watch/alarms.ts'
import {
  createWatchChannel,
  deleteWatchChannel,
  listWatchChannels,
  testWatchChannel,
  updateWatchChannel,
} from './watch/channels.ts'
import {
  addWatchMembers,
  createWatchFleet,
  deleteWatchFleet,
  exportWatchFleet,
  getWatchFleet,
  importWatchFleet,
  listWatchChanges,
  listWatchFleets,
  removeWatchMembers,
  updateWatchFleet,
} from './watch/fleets.ts'
import { getValidatorOutlook } from './watch/outlook.ts'
import {
  createWatchRule,
  deleteWatchRule,
  dryRunWatchRule,
  getWatchRule,
  listWatchRules,
  updateWatchRule,
} from './watch/rules.ts'

/** Every REST operation of the service, in the order of the documentation. */
export const operations: readonly Operation[] = [
  listChains,
  getChain,
  listBlocks,
  getBlock,
  listBlockTransactions,
  listTransactions,
  getTransaction,
  getTransactionChanges,
  getTransactionEnvelope,
  getTransactionFailure,
  listTransactionMovements,
  listAddressTransactions,
  listNativeTransactions,
  listErc20Transfers,
  listErc721Transfers,
  listErc1155Transfers,
  listInternalTransactions,
  getNativeBalance,
  listErc20Balances,
  listErc721Balances,
  listErc1155Balances,
  listCollectibleBalances,
  getAddressOverview,
  getContractMetadata,
  listContractDeployments,
  listDeployments,
  listDeployers,
  getContractCode,
  readContract,
  listTokens,
  getToken,
  listTokenTransfers,
  listTokenHolders,
  getTokenDistribution,
  listTokenHistory,
  listCollectionTokens,
  getNft,
  reindexNft,
  getNetworkDetails,
  getNetworkOverview,
  listBlockchains,
  getBlockchain,
  listSubnets,
  listBlockchainSummaries,
  getBlockchainGenesis,
  listGenesisAllocations,
  listPrimaryBlocks,
  getPrimaryBlock,
  listNodeBlocks,
  listPrimaryTransactions,
  getPrimaryTransaction,
  getPrimaryBalances,
  listUtxos,
  listUnlocks,
  listValidators,
  listNodeValidations,
  listUptimeSamples,
  listStakeHistory,
  listValidationCycles,
  getNodeFeed,
  listDelegators,
  listL1Validators,
  listL1ValidatorHistory,
  getStopSafety,
  getValidatorDistribution,
  listRewards,
  listPendingRewards,
  listYearlyRewards,
  listVertices,
  getVertex,
  listVerticesByHeight,
  getVertexGraph,
  aggregateSignatures,
  getAggregatedSignatures,
  decodeWarpMessage,
  listWarpMessages,
  getWarpMessageOfTransaction,
  getSignerSet,
  getMetric,
  getAverageTps,
  listHolders,
  getNetworkMetric,
  getNetworkBreakdown,
  countDistinct,
  proveMetric,
  proveNetworkMetric,
  rankContracts,
  rankMethods,
  rankTokens,
  ...pictures,
  listChainStatus,
  getStorage,
  listChainTraffic,
  listSqlTables,
  runSql,
  exportTable,
  exportPrimaryTable,
  getValidatorOutlook,
  getWatchSummary,
  listWatchFleets,
  createWatchFleet,
  importWatchFleet,
  getWatchFleet,
  updateWatchFleet,
  deleteWatchFleet,
  addWatchMembers,
  removeWatchMembers,
  exportWatchFleet,
  listWatchChanges,
  listWatchRules,
  createWatchRule,
  dryRunWatchRule,
  getWatchRule,
  updateWatchRule,
  deleteWatchRule,
  listWatchStates,
  listWatchAlarms,
  listWatchDeliveries,
  retryWatchDelivery,
  listWatchChannels,
  createWatchChannel,
  updateWatchChannel,
  deleteWatchChannel,
  testWatchChannel,
  listWatchSilences,
  createWatchSilence,
  endWatchSilence,
  getWatchFeed,
  search,
  getSession,
]
