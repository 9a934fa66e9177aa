import { evmChains } from './0001-evm-chains.ts'
import { evmTokens } from './0002-evm-tokens.ts'
import { primaryNetwork } from './0003-primary.ts'
import { seenIndex } from './0004-seen-index.ts'
import { warpMessages } from './0005-warp-messages.ts'
import { pendingImports } from './0006-pending-imports.ts'
import { primaryFacts } from './0007-primary-facts.ts'
import { latestSamples } from './0008-latest-samples.ts'
import { autoRenewedValidators } from './0009-auto-renewed-validators.ts'
import { settledBlocks } from './0010-settled-blocks.ts'
import { traceGaps } from './0011-trace-gaps.ts'
import { withdrawals } from './0013-withdrawals.ts'
import { burnedFees } from './0014-burned-fees.ts'
import { nameSearch } from './0015-name-search.ts'
import { fillAndFailures } from './0016-fill-and-failures.ts'
import { tokenOrder } from './0018-token-order.ts'
import { networkSamples } from './0019-network-samples.ts'
import { utxoHours } from './0020-utxo-hours.ts'
import { crossChainMessages } from './0021-cross-chain-messages.ts'
import { nameWords } from './0022-name-words.ts'
import { watch } from './0023-watch.ts'
import { versionSamples } from './0025-version-samples.ts'
import { upkeep } from './0028-upkeep.ts'
import { lakeLeases } from './0030-lake-leases.ts'
import { lakeLoads } from './0032-lake-loads.ts'
import { retention } from './0033-retention.ts'
import { primaryProgress } from './0035-primary-progress.ts'
import { validationsOfNodes } from './0040-validations-of-nodes.ts'
import { addressPartitions } from './0041-address-partitions.ts'
import { failureReasons } from './0042-failure-reasons.ts'
import { movingCalls } from './0043-moving-calls.ts'
import { blobFees } from './0044-blob-fees.ts'
import { oddHistory } from './0050-odd-history.ts'
import { nodeNames } from './0051-node-names.ts'
import { exactUptime } from './0052-exact-uptime.ts'
import { wrappedTokens } from './0060-wrapped-tokens.ts'
import { toldBalances } from './0061-told-balances.ts'
import { nodeFinality } from './0062-node-finality.ts'
import { stoppedSince } from './0063-stopped-since.ts'
import { toldBlock } from './0064-told-block.ts'
import { authorizations } from './0065-authorizations.ts'

/**
 * A step of the schema. Reads go on while it is applied (server/store/migrate.ts), so `sql` holds no lock that a read waits
 * for: it creates, fills and indexes tables.
 */
export type Migration = {
  readonly name: string
  /**
   * Columns that it adds to tables of earlier migrations, each as its definition (`cum_burned numeric not null default 0`):
   * with a constant default, so that no row is rewritten. They are there before `sql`.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>
  readonly sql: string
  /** Statements for when all is committed, such as dropping an index: they take a table for an instant. */
  readonly after?: string
}

/** Every migration, in order. A migration that has been released is never edited. */
export const migrations: readonly Migration[] = [
  { name: '0001-evm-chains', sql: evmChains },
  { name: '0002-evm-tokens', sql: evmTokens },
  { name: '0003-primary', sql: primaryNetwork },
  { name: '0004-seen-index', ...seenIndex },
  { name: '0005-warp-messages', sql: warpMessages },
  { name: '0006-pending-imports', sql: pendingImports },
  { name: '0007-primary-facts', ...primaryFacts },
  { name: '0008-latest-samples', sql: latestSamples },
  { name: '0009-auto-renewed-validators', ...autoRenewedValidators },
  { name: '0010-settled-blocks', ...settledBlocks },
  { name: '0011-trace-gaps', ...traceGaps },
  { name: '0013-withdrawals', sql: withdrawals },
  { name: '0014-burned-fees', ...burnedFees },
  { name: '0015-name-search', sql: nameSearch },
  { name: '0016-fill-and-failures', ...fillAndFailures },
  { name: '0018-token-order', ...tokenOrder },
  { name: '0019-network-samples', sql: networkSamples },
  { name: '0020-utxo-hours', sql: utxoHours },
  { name: '0021-cross-chain-messages', sql: crossChainMessages },
  { name: '0022-name-words', ...nameWords },
  { name: '0023-watch', sql: watch },
  { name: '0025-version-samples', sql: versionSamples },
  { name: '0028-upkeep', sql: upkeep },
  { name: '0030-lake-leases', sql: lakeLeases },
  { name: '0032-lake-loads', sql: lakeLoads },
  { name: '0033-retention', ...retention },
  { name: '0035-primary-progress', ...primaryProgress },
  { name: '0040-validations-of-nodes', sql: validationsOfNodes },
  { name: '0041-address-partitions', sql: addressPartitions },
  { name: '0042-failure-reasons', ...failureReasons },
  { name: '0043-moving-calls', ...movingCalls },
  { name: '0044-blob-fees', ...blobFees },
  { name: '0050-odd-history', sql: oddHistory },
  { name: '0051-node-names', sql: nodeNames },
  { name: '0052-exact-uptime', ...exactUptime },
  { name: '0060-wrapped-tokens', ...wrappedTokens },
  { name: '0061-told-balances', ...toldBalances },
  { name: '0062-node-finality', ...nodeFinality },
  { name: '0063-stopped-since', ...stoppedSince },
  { name: '0064-told-block', ...toldBlock },
  { name: '0065-authorizations', sql: authorizations },
]
