import { ownMachine } from '../../contract/content-policy.ts'
import { originsOf, type DashboardConfig, type Profile } from '../../contract/profile.ts'
import { profileOf } from '../../contract/profile-settings.ts'
import type { Config } from '../kernel/settings/config.ts'

/** The profiles that the operator describes, or those that ship. */
const otherProfiles = ({ profiles, consoleOrigins: nodeOrigins }: Config): Profile[] =>
  profiles.map((setting) => ({ ...profileOf(setting), nodeOrigins }))

/** The origins that the profiles, and nodes of the user, are at: the dashboard's content security policy must allow them. */
export function profileOrigins(config: Config): string[] {
  return [...new Set([...otherProfiles(config).flatMap(originsOf), ...ownMachine])]
}

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
 * The body of `/config.json`: this service, and the others that are configured. `missing` are the operations
 * that this service does not implement; `priceLabel` is the source of its fiat values.
 */
export function dashboardProfiles(
  config: Config,
  missing: readonly string[],
  version: string,
  priceLabel?: string,
): DashboardConfig {
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
  return { version, defaultProfile: local.id, profiles: [local, ...otherProfiles(config)] }
}
