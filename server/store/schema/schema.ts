import { evmAddresses } from './evm-addresses.ts'
import { evmBlocks } from './evm-blocks.ts'
import { evmChains } from './evm-chains.ts'
import { lake } from './lake.ts'
import { primaryChains } from './primary-chains.ts'
import { primaryL1 } from './primary-l1.ts'
import { primarySamples } from './primary-samples.ts'
import { primaryStaking } from './primary-staking.ts'
import { primaryUtxos } from './primary-utxos.ts'
import { service } from './service.ts'
import { tokenNames } from './token-names.ts'
import { tokens } from './tokens.ts'
import { verifiedContracts } from './verified-contracts.ts'
import { watch } from './watch.ts'

/**
 * The schema, a part a subject, in the order in which to read it. A comment on each table says what a row is, and one on
 * each index which query needs it, with files below server/. Times are Unix seconds.
 */
export const schema = [
  service,
  evmChains,
  evmBlocks,
  evmAddresses,
  tokens,
  tokenNames,
  verifiedContracts,
  primaryChains,
  primaryUtxos,
  primaryStaking,
  primaryL1,
  primarySamples,
  watch,
  lake,
].join('')
