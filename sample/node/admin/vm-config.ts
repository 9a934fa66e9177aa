import type { ChainPlan } from '../../evm/chains.ts'

/** How a chain of the sample is kept. */
export interface VmSettings {
  readonly key: ChainPlan['key']
  /** Whether it forgets old states. */
  readonly pruning: boolean
  /** The folder of the chain's profiles begins with this. */
  readonly adminFolder: string
}

/** The defaults of release 1.14.0, which C-chain and subnet EVM share, with the administration switched on. */
const COMMON = {
  'admin-api-enabled': true,
  'warp-api-enabled': true,
  'continuous-profiler-dir': '',
  'continuous-profiler-frequency': '15m0s',
  'continuous-profiler-max-files': 5,
  'rpc-gas-cap': 50_000_000,
  'rpc-tx-fee-cap': 100,
  'trie-clean-cache': 512,
  'trie-dirty-cache': 512,
  'trie-dirty-commit-target': 20,
  'trie-prefetcher-parallelism': 16,
  'snapshot-cache': 256,
  'preimages-enabled': false,
  'snapshot-wait': false,
  'snapshot-verification-enabled': false,
  'accepted-queue-limit': 64,
  'commit-interval': 4096,
  'allow-missing-tries': false,
  'populate-missing-tries-parallelism': 1024,
  'prune-warp-db-enabled': false,
  'historical-proof-query-window': 43_200,
  'metrics-expensive-enabled': true,
  'local-txs-enabled': false,
  'tx-pool-price-limit': 1,
  'tx-pool-price-bump': 10,
  'tx-pool-account-slots': 16,
  'tx-pool-global-slots': 5120,
  'tx-pool-account-queue': 64,
  'tx-pool-global-queue': 1024,
  'tx-pool-lifetime': '10m0s',
  'api-max-duration': '0s',
  'ws-cpu-refill-rate': '0s',
  'ws-cpu-max-stored': '0s',
  'api-max-blocks-per-request': 0,
  'allow-unfinalized-queries': false,
  'allow-unprotected-txs': false,
  'allow-unprotected-tx-hashes': ['0xfefb2da535e927b85fe68eb81cb2e4a5827c905f78381a01ef2322aa9b0aee8e'],
  'keystore-directory': '',
  'keystore-external-signer': '',
  'keystore-insecure-unlock-allowed': false,
  'push-gossip-percent-stake': 0.9,
  'push-gossip-num-validators': 100,
  'push-gossip-num-peers': 0,
  'push-regossip-num-validators': 10,
  'push-regossip-num-peers': 0,
  'push-gossip-frequency': '100ms',
  'pull-gossip-frequency': '1s',
  'regossip-frequency': '30s',
  'log-level': 'info',
  'log-json-format': false,
  'offline-pruning-enabled': false,
  'offline-pruning-bloom-filter-size': 512,
  'offline-pruning-data-directory': '',
  'max-outbound-active-requests': 16,
  'state-sync-skip-resume': false,
  'state-sync-server-trie-cache': 64,
  'state-sync-ids': '',
  'state-sync-commit-interval': 16_384,
  'state-sync-min-blocks': 300_000,
  'state-sync-request-size': 1024,
  'inspect-database': false,
  'skip-upgrade-check': false,
  'accepted-cache-size': 32,
  'transaction-history': 0,
  'state-history': 32,
  'skip-tx-indexing': false,
  'warp-off-chain-messages': null,
  'http-body-limit': 0,
  'batch-request-limit': 1000,
  'batch-response-max-size': 25_000_000,
  'state-scheme': '',
}

const C_CHAIN = {
  'price-options-slow-fee-percentage': 95,
  'price-options-fast-fee-percentage': 105,
  'price-options-max-tip': 20_000_000_000,
  'state-sync-enabled': null,
}

const SUBNET_EVM = {
  airdrop: '',
  'validators-api-enabled': true,
  'priority-regossip-addresses': null,
  feeRecipient: '',
  'state-sync-enabled': false,
  'use-standalone-database': null,
  'database-config': '',
  'database-config-file': '',
  'database-type': 'pebbledb',
  'database-path': '',
  'database-read-only': false,
}

const APIS = [
  'eth',
  'eth-filter',
  'net',
  'web3',
  'internal-eth',
  'internal-blockchain',
  'internal-transaction',
  'internal-tx-pool',
  'internal-debug',
  'debug',
  'debug-tracer',
]
const ACCOUNT_APIS = ['internal-account', 'internal-personal']
const MORE_DEBUG_APIS = ['debug-file-tracer', 'debug-handler']

/** A chain's configuration as its virtual machine runs with it: interface.md, "Chain administration". */
export function vmConfigOf({ key, pruning, adminFolder }: VmSettings): Readonly<Record<string, unknown>> {
  return {
    ...COMMON,
    ...(key === 'c' ? C_CHAIN : SUBNET_EVM),
    'eth-apis': key === 'c' ? [...APIS, ...ACCOUNT_APIS, ...MORE_DEBUG_APIS] : APIS,
    'admin-api-dir': adminFolder,
    'pruning-enabled': pruning,
  }
}
