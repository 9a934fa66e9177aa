import * as chains from './evm/chains.ts'
import * as addresses from './evm/addresses.ts'
import * as tokensBalances from './tokens/balances.ts'
import * as evmBlocks from './evm/blocks.ts'
import * as contractCode from './evm/contract-code.ts'
import * as contracts from './evm/contracts.ts'
import * as nfts from './tokens/nfts.ts'
import * as tokens from './tokens/tokens.ts'
import { listApprovals } from './evm/approvals.ts'
import { getAddressLabel, setAddressLabel } from './evm/labels.ts'
import { listContractEvents } from './evm/contract-events.ts'
import { simulateCall } from './evm/simulation.ts'
import { getTransactionChanges } from './evm/transaction-changes.ts'
import { getTransactionEnvelope } from './evm/transaction-envelope.ts'
import { getTransactionCalls } from './evm/transaction-calls.ts'
import { getTransactionFailure } from './evm/transaction-failure.ts'
import { listTransactionMovements } from './evm/transaction-movements.ts'
import * as evmTransactions from './evm/transactions.ts'
import * as metrics from './metrics/metrics.ts'
import { countDistinct } from './metrics/distinct.ts'
import * as proof from './metrics/proof.ts'
import { getNetworkBreakdown } from './metrics/breakdowns.ts'
import { getNetworkMetric } from './metrics/network-metrics.ts'
import * as rankings from './metrics/rankings.ts'
import { listLatest } from './network/latest.ts'
import { listLargestTraffic } from './metrics/largest-traffic.ts'
import { listChainTraffic } from './metrics/traffic.ts'
import type { Operation } from './base/operation.ts'
import { pictures } from './pictures/operations.ts'
import * as primaryBalances from './primary/balances.ts'
import * as blockchains from './network/blockchains.ts'
import * as primaryBlocks from './primary/blocks.ts'
import * as calendar from './network/calendar.ts'
import { getNetworkDetails } from './network/details.ts'
import { getNetworkOverview } from './network/overview.ts'
import * as registry from './network/registry.ts'
import * as rewards from './network/rewards.ts'
import * as staking from './network/staking.ts'
import * as primaryTransactions from './primary/transactions.ts'
import * as validators from './network/validators.ts'
import { getSession } from './network/session.ts'
import { search } from './network/search.ts'
import * as signatures from './signatures/signatures.ts'
import * as exports from './sql/exports.ts'
import * as sql from './sql/sql.ts'
import * as warp from './signatures/warp.ts'
import * as alarms from './watch/alarms.ts'
import * as channels from './watch/channels.ts'
import * as fleets from './watch/fleets.ts'
import { getValidatorOutlook } from './watch/outlook.ts'
import * as rules from './watch/rules.ts'
import { getContractSource } from './evm/verification.ts'
import { getWatchSummary } from './watch/summary.ts'

/** Every REST operation of the service, in the order of the documentation. */
export const operations: readonly Operation[] = [
  chains.listChains,
  chains.getChain,
  evmBlocks.listBlocks,
  evmBlocks.getBlock,
  evmBlocks.listBlockTransactions,
  evmTransactions.listTransactions,
  evmTransactions.getTransaction,
  getTransactionChanges,
  getTransactionEnvelope,
  getTransactionFailure,
  getTransactionCalls,
  listTransactionMovements,
  addresses.listAddressTransactions,
  addresses.listNativeTransactions,
  addresses.listErc20Transfers,
  addresses.listErc721Transfers,
  addresses.listErc1155Transfers,
  addresses.listInternalTransactions,
  tokensBalances.getNativeBalance,
  tokensBalances.listErc20Balances,
  tokensBalances.listErc721Balances,
  tokensBalances.listErc1155Balances,
  tokensBalances.listCollectibleBalances,
  addresses.getAddressOverview,
  listApprovals,
  setAddressLabel,
  getAddressLabel,
  contracts.getContractMetadata,
  contracts.listContractDeployments,
  contracts.listDeployments,
  contracts.listDeployers,
  contractCode.getContractCode,
  contractCode.getContractPowers,
  getContractSource,
  listContractEvents,
  contractCode.readContract,
  contractCode.readContractViews,
  simulateCall,
  tokens.listTokens,
  tokens.getToken,
  tokens.listTokenTransfers,
  tokens.listTokenHolders,
  tokens.getTokenDistribution,
  tokens.listTokenHistory,
  nfts.listCollectionTokens,
  nfts.getNft,
  contracts.reindexNft,
  getNetworkDetails,
  getNetworkOverview,
  blockchains.listBlockchains,
  blockchains.getBlockchain,
  blockchains.listSubnets,
  registry.listBlockchainSummaries,
  registry.getBlockchainGenesis,
  registry.listGenesisAllocations,
  primaryBlocks.listPrimaryBlocks,
  primaryBlocks.getPrimaryBlock,
  primaryBlocks.listNodeBlocks,
  primaryTransactions.listPrimaryTransactions,
  primaryTransactions.listPrimaryTransactionsByType,
  primaryTransactions.getPrimaryTransaction,
  primaryBalances.getPrimaryBalances,
  primaryBalances.listUtxos,
  calendar.listUnlocks,
  validators.listValidators,
  validators.listNodeValidations,
  staking.listUptimeSamples,
  staking.listStakeHistory,
  staking.listValidationCycles,
  staking.getNodeFeed,
  validators.listDelegators,
  validators.listL1Validators,
  staking.listL1ValidatorHistory,
  staking.getStopSafety,
  staking.getValidatorDistribution,
  rewards.listRewards,
  rewards.listPendingRewards,
  calendar.listYearlyRewards,
  primaryBlocks.listVertices,
  primaryBlocks.getVertex,
  primaryBlocks.listVerticesByHeight,
  primaryBlocks.getVertexGraph,
  signatures.aggregateSignatures,
  signatures.getAggregatedSignatures,
  warp.decodeWarpMessage,
  warp.listWarpMessages,
  warp.getWarpMessageOfTransaction,
  warp.getSignerSet,
  metrics.getMetric,
  metrics.getAverageTps,
  metrics.listHolders,
  getNetworkMetric,
  getNetworkBreakdown,
  countDistinct,
  proof.proveMetric,
  proof.proveNetworkMetric,
  rankings.rankContracts,
  rankings.rankMethods,
  rankings.rankTokens,
  ...pictures,
  chains.listChainStatus,
  chains.getStorage,
  listChainTraffic,
  listLargestTraffic,
  listLatest,
  sql.listSqlTables,
  sql.runSql,
  exports.exportTable,
  exports.exportPrimaryTable,
  getValidatorOutlook,
  getWatchSummary,
  fleets.listWatchFleets,
  fleets.createWatchFleet,
  fleets.importWatchFleet,
  fleets.getWatchFleet,
  fleets.updateWatchFleet,
  fleets.deleteWatchFleet,
  fleets.addWatchMembers,
  fleets.removeWatchMembers,
  fleets.exportWatchFleet,
  fleets.listWatchChanges,
  rules.listWatchRules,
  rules.createWatchRule,
  rules.dryRunWatchRule,
  rules.getWatchRule,
  rules.updateWatchRule,
  rules.deleteWatchRule,
  alarms.listWatchStates,
  alarms.listWatchAlarms,
  alarms.listWatchDeliveries,
  alarms.retryWatchDelivery,
  channels.listWatchChannels,
  channels.createWatchChannel,
  channels.updateWatchChannel,
  channels.deleteWatchChannel,
  channels.testWatchChannel,
  alarms.listWatchSilences,
  alarms.createWatchSilence,
  alarms.endWatchSilence,
  alarms.getWatchFeed,
  search,
  getSession,
]
