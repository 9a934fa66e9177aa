import type { Operation } from '../../contract/base/operation.ts'
import type { DashboardConfig, Profile } from '../../contract/profile.ts'
import type { Config } from '../kernel/settings/config.ts'

/** The metrics of the hosted services, which have none of our own. */
const hostedMetrics = [
  'activeAddresses',
  'activeSenders',
  'cumulativeTxCount',
  'cumulativeAddresses',
  'cumulativeContracts',
  'cumulativeDeployers',
  'gasUsed',
  'txCount',
  'avgGps',
  'maxGps',
  'avgTps',
  'maxTps',
  'avgGasPrice',
  'maxGasPrice',
  'feesPaid',
  'contracts',
  'deployers',
]

const hosted = {
  dataUrl: 'https://data-api.avax.network',
  metricsUrl: 'https://metrics.avax.network',
  keyHeader: 'x-glacier-api-key',
  keyNeeded: false,
  atomicNamespace: 'avax',
  priceValue: 'number',
  holderSortKey: 'string',
  live: false,
  metrics: hostedMetrics,
} as const

/** Nodes on the user's own machine: the node console calls them directly. */
const ownMachine = [
  'http://127.0.0.1:*',
  'http://localhost:*',
  'ws://127.0.0.1:*',
  'ws://localhost:*',
] as const

/** The origins of the shipped profiles, which the dashboard's content security policy must allow. */
export const profileOrigins = [
  hosted.dataUrl,
  hosted.metricsUrl,
  'https://api.avax.network',
  'https://api.avax-test.network',
  'wss://api.avax.network',
  'wss://api.avax-test.network',
  ...ownMachine,
] as const

/** The origins of the operator's other nodes, for HTTP and for websockets. */
export function consoleOrigins(config: Config): string[] {
  return config.consoleOrigins.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')])
}

/**
 * The network of the default profile, as operations name it: that of the first configured one, else that of the
 * chains.
 */
export const defaultNetwork = ({ networks, chains }: Config): Profile['network'] =>
  networks[0]?.id ?? (chains.every((chain) => chain.isTestnet) ? 'fuji' : 'mainnet')

/**
 * The body of `/config.json`: this service, and the hosted services of both networks. `missing` are the operations
 * that this service does not implement; `priceLabel` is the source of its fiat values.
 */
export function dashboardProfiles(
  config: Config,
  operations: readonly Operation[],
  missing: readonly string[],
  version: string,
  priceLabel?: string,
): DashboardConfig {
  const ours = operations
    .filter((operation) => operation.api === 'ridgeline')
    .map((operation) => operation.id)
  const network = config.networks[0]
  const local: Profile = {
    id: 'local',
    name: 'This service',
    network: defaultNetwork(config),
    networks: config.networks.map(({ id }) => id),
    networkLabel: network?.name ?? 'This service',
    dataUrl: '',
    metricsUrl: '',
    nodeUrl: '',
    nodeOrigins: config.consoleOrigins,
    keyHeader: 'x-service-api-key',
    keyNeeded: false,
    atomicNamespace: 'svc',
    addressPrefix: network?.prefix ?? 'fuji',
    priceValue: 'string',
    holderSortKey: 'integer',
    ...(priceLabel !== undefined && { priceLabel }),
    ...(config.signIn && { signIn: true }),
    live: true,
    missingOperations: [...missing],
  }
  const mainnet: Profile = {
    ...hosted,
    id: 'mainnet',
    name: 'Hosted, mainnet',
    network: 'mainnet',
    networkLabel: 'Avalanche mainnet',
    nodeUrl: 'https://api.avax.network',
    nodeOrigins: config.consoleOrigins,
    addressPrefix: 'avax',
    missingOperations: ours,
  }
  const fuji: Profile = {
    ...hosted,
    id: 'fuji',
    name: 'Hosted, Fuji testnet',
    network: 'fuji',
    networkLabel: 'Avalanche Fuji testnet',
    nodeUrl: 'https://api.avax-test.network',
    nodeOrigins: config.consoleOrigins,
    addressPrefix: 'fuji',
    missingOperations: ours,
  }
  return { version, defaultProfile: local.id, profiles: [local, mainnet, fuji] }
}
