import { evmChains } from './0001-evm-chains.ts'
import { evmTokens } from './0002-evm-tokens.ts'
import { primaryNetwork } from './0003-primary.ts'
import { pendingImports } from './0006-pending-imports.ts'
import { primaryFacts } from './0007-primary-facts.ts'
import { latestSamples } from './0008-latest-samples.ts'
import { autoRenewedValidators } from './0009-auto-renewed-validators.ts'
import { settledBlocks } from './0010-settled-blocks.ts'
import { traceGaps } from './0011-trace-gaps.ts'
import { withdrawals } from './0013-withdrawals.ts'
import { burnedFees } from './0014-burned-fees.ts'
import { fillAndFailures } from './0016-fill-and-failures.ts'
import { tokenOrder } from './0018-token-order.ts'
import { networkSamples } from './0019-network-samples.ts'
import { utxoHours } from './0020-utxo-hours.ts'
import { crossChainMessages } from './0021-cross-chain-messages.ts'
import { nameWords } from './0022-name-words.ts'
import { watch } from './0023-watch.ts'
import { versionSamples } from './0025-version-samples.ts'
import { nameSearch } from './0015-name-search.ts'
import { seenIndex } from './0004-seen-index.ts'
import { warpMessages } from './0005-warp-messages.ts'

/** Every migration, in order. A migration that has been released is never edited. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001-evm-chains', sql: evmChains },
  { name: '0002-evm-tokens', sql: evmTokens },
  { name: '0003-primary', sql: primaryNetwork },
  { name: '0004-seen-index', sql: seenIndex },
  { name: '0005-warp-messages', sql: warpMessages },
  { name: '0006-pending-imports', sql: pendingImports },
  { name: '0007-primary-facts', sql: primaryFacts },
  { name: '0008-latest-samples', sql: latestSamples },
  { name: '0009-auto-renewed-validators', sql: autoRenewedValidators },
  { name: '0010-settled-blocks', sql: settledBlocks },
  { name: '0011-trace-gaps', sql: traceGaps },
  { name: '0013-withdrawals', sql: withdrawals },
  { name: '0014-burned-fees', sql: burnedFees },
  { name: '0015-name-search', sql: nameSearch },
  { name: '0016-fill-and-failures', sql: fillAndFailures },
  { name: '0018-token-order', sql: tokenOrder },
  { name: '0019-network-samples', sql: networkSamples },
  { name: '0020-utxo-hours', sql: utxoHours },
  { name: '0021-cross-chain-messages', sql: crossChainMessages },
  { name: '0022-name-words', sql: nameWords },
  { name: '0023-watch', sql: watch },
  { name: '0025-version-samples', sql: versionSamples },
]
