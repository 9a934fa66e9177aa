import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { asAllowed } from '../../../contract/base/english.ts'
import { operations } from '../../../contract/operations.ts'
import { profileSettingsOf, shippedProfiles } from '../../../contract/profile-settings.ts'
import { localTokenPattern } from '../../../contract/base/local-token.ts'
import { readAbiFile } from './abi-file.ts'
import { abiSetting, contractSetting } from './abi.ts'
import { whyUnreadable } from '../unreadable.ts'
import { proxyRange } from '../address-range.ts'
import { gatewaySchema } from './gateway.ts'
import { limitsSchema } from './limit.ts'
import { publicConfig, publicNetworkNames } from './public-networks.ts'
import { signInSchema } from './sign-in.ts'
import { signaturesSchema } from './signature.ts'
import { lakeSchema } from './lake.ts'
import { exportsSchema, sqlSchema } from './sql.ts'
import { databaseUrl, url } from './url.ts'
import { verificationSchema } from './verification.ts'
import { watchSchema } from './watch.ts'
import { describeProblems } from './problems.ts'

/**
 * An invalid setting: names the key, the given value and the allowed values. The program exits with status 2.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const identifier = z.string().regex(/^[0-9A-Za-z]{1,64}$/, 'letters and digits, at most 64')

const token = z.strictObject({
  name: z.string().min(1).max(64),
  symbol: z.string().min(1).max(16),
  decimals: z.int().min(0).max(36).default(18),
})

const chainSchema = z.strictObject({
  /** The EVM chain id; the node behind `rpcUrl` must report the same. */
  evmChainId: z.int().min(1),
  name: z.string().min(1).max(64),
  description: z.string().max(500).default(''),
  rpcUrl: url('http:', 'https:'),
  /** If absent, new heads are found by polling. */
  wsUrl: url('ws:', 'wss:').optional(),
  /** The id of the network in `networks` that the chain belongs to. */
  network: identifier.optional(),
  blockchainId: identifier.optional(),
  subnetId: identifier.optional(),
  vmId: identifier.optional(),
  token: token.default({ name: 'Ether', symbol: 'ETH', decimals: 18 }),
  isTestnet: z.boolean().default(true),
  /** Indexing starts at this block; earlier blocks are neither shown nor counted. */
  startBlock: z.int().min(0).default(0),
  /** The deepest reorg that is followed; a deeper one stops the chain until it is rewound manually. */
  reorgLimit: z.int().min(1).max(10_000).default(128),
  /** Concurrent requests for blocks and receipts while catching up. */
  concurrency: z.int().min(1).max(64).default(8),
  /** Seconds between polls of the head, in addition to the websocket. */
  pollSeconds: z.number().min(0.05).max(600).default(2),
  /** Number of blocks behind the node's head up to which `/ready` answers 200. */
  lagLimit: z.int().min(0).default(20),
  /** Timeout of a request to the node in seconds, body included. */
  requestSeconds: z.number().min(0.1).max(600).default(20),
  /**
   * What to do if the node's genesis block differs from the stored one, for example on a recreated test
   * network.
   */
  onNewGenesis: z.enum(['stop', 'startOver']).default('stop'),
  /** `auto` uses the node's trace method; `off` disables traces. */
  traces: z.enum(['auto', 'off']).default('auto'),
  /** Days of internal calls and of logs that are kept, before the newest final block; all if absent. */
  keepTraces: z.int().min(1).max(36_500).optional(),
  keepLogs: z.int().min(1).max(36_500).optional(),
})

const networkSchema = z.strictObject({
  /** The id of the network in paths. */
  id: z.enum(['mainnet', 'fuji']).default('fuji'),
  name: z.string().min(1).max(64),
  networkId: z.int().min(1),
  /** The human-readable part of its addresses. */
  prefix: z.string().regex(/^[a-z]{1,20}$/, 'lower-case letters'),
  /** The base URL of a node with P, X and C endpoints, such as http://127.0.0.1:9650 */
  nodeUrl: url('http:', 'https:'),
  /** The P-Chain's genesis bytes, raw or in hex; relative to the configuration file. */
  genesisFile: z.string().min(1).optional(),
  /**
   * What to do if the node's block 0 differs from the stored one, for example on a recreated test network.
   */
  onNewGenesis: z.enum(['stop', 'startOver']).default('stop'),
  /** Concurrent block requests while catching up. */
  concurrency: z.int().min(1).max(64).default(8),
  /** Seconds between looks at the head. */
  pollSeconds: z.number().min(0.05).max(600).default(1),
  /** Timeout of a request to the node in seconds, body included. */
  requestSeconds: z.number().min(0.1).max(600).default(20),
  /** `/ready` reports a chain that is more blocks behind its node. */
  lagLimit: z.int().min(0).default(20),
  /** Seconds between samples of the validators' uptime. */
  uptimeSeconds: z.number().min(1).max(86_400).default(300),
  /** Seconds between questions which validators are connected: how soon the watch learns of an outage. */
  sampleSeconds: z.number().min(1).max(3_600).default(15),
})

const privileges = ['prometheus', 'administration', 'watch', 'sql', 'verify'] as const

const keySchema = z
  .strictObject({
    name: z.string().min(1).max(64),
    key: z.string().min(16).max(256).optional(),
    /** Instead of the key itself, its SHA-256 in hex. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, '64 hex digits')
      .optional(),
    privileges: z.array(z.enum(privileges)).default([]),
    requestsPerMinute: z.int().min(1).optional(),
  })
  .refine((entry) => (entry.key === undefined) !== (entry.sha256 === undefined), 'give either key or sha256')

const tokenAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'a 0x address of 40 hex digits')
  .toLowerCase()

const listedToken = z.strictObject({
  chainId: z.int().min(1),
  address: tokenAddress,
  /** Displayed with the token's reputation. */
  reason: z.string().min(1).max(200).optional(),
})

const tokensSchema = z.strictObject({
  /** Tokens that the operator has verified; a token with a similar symbol counts as an impostor. */
  listed: z
    .array(listedToken.extend({ symbol: z.string().min(1).max(32) }))
    .max(10_000)
    .default([]),
  /** Tokens that no rule marks as malicious. */
  allow: z.array(listedToken).max(10_000).default([]),
  /** Tokens that are malicious regardless of the rules. */
  deny: z.array(listedToken).max(10_000).default([]),
})

const nftMetadataSchema = z.strictObject({
  /** Whether token URIs and pictures are fetched from the network. `data:` URIs do not require it. */
  enabled: z.boolean().default(false),
  /**
   * The gateway that serves `/ipfs/…`. It is trusted, so it may be on this machine. If absent, ipfs is
   * disabled.
   */
  ipfsGateway: url('http:', 'https:').optional(),
  /** Host names that are served from another base URL, which is trusted and may be on this machine. */
  hosts: z
    .record(z.string().regex(/^[0-9a-z.-]{1,253}$/, 'a host name in lower case'), url('http:', 'https:'))
    .default({}),
  /** Timeout of one document in milliseconds, with all redirects and the body. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /**
   * Maximum size of a metadata document in bytes, after decompression; a picture may be five times as large.
   */
  maxBytes: z
    .int()
    .min(1_024)
    .max(16 * 1_048_576)
    .default(1_048_576),
})

const priceFileSchema = z.strictObject({
  /** A price document (docs/configuration.md), relative to the configuration file. */
  file: z.string().min(1),
})

/** Whether a price source's answers are protected from reading and modification in transit. */
function isSafePriceUrl(text: string): boolean {
  if (!text.includes('{day}') || !URL.canParse(text.replaceAll('{day}', '2026-01-01'))) return false
  const { protocol, hostname } = new URL(text.replaceAll('{day}', '2026-01-01'))
  if (protocol === 'https:') return true
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

const priceUrlSchema = z.strictObject({
  /** Requested for each required day, with `{day}` replaced; https, or http on loopback. */
  url: z.string().refine(isSafePriceUrl),
  /** The name of the prices on pages; by default the source's host. */
  label: z.string().min(1).max(64).optional(),
  /** Timeout of one answer in milliseconds, body included. */
  timeoutMs: z.int().min(100).max(60_000).default(3_000),
  maxBytes: z
    .int()
    .min(1_024)
    .max(64 * 1_048_576)
    .default(8 * 1_048_576),
})

const pricesSchema = z.union([priceFileSchema, priceUrlSchema], {
  error:
    '{"file": "…"}, or {"url": "…{day}…"} over https or on loopback, with label, timeoutMs (100 to 60000), maxBytes',
})

/** The local names that a site may have without TLS. */
const loopback = String.raw`(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])`

/** The origin of a URL. */
const origin = url('http:', 'https:').transform((text) => new URL(text).origin)

/** An origin in `frame-ancestors` (CSP Level 3); without TLS only on this machine. */
const frameOrigin = z
  .string()
  .regex(
    new RegExp(
      String.raw`^(?:https://(?:\*\.)?(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)*[\da-z](?:[\da-z-]{0,61}[\da-z])?|http://${loopback})(?::\d{1,5})?$`,
    ),
    'an origin such as https://wiki.example, https://*.example.org or http://localhost:8080, in lower case',
  )

const operationIds = new Set(operations.map(({ id }) => id))

/** The file given by `--config` or RIDGELINE_CONFIG. */
export const configFile = z.strictObject({
  $schema: z.string().optional(),
  networks: z.array(networkSchema).max(8).default([]),
  chains: z.array(chainSchema).min(1).max(256),
  apiKeys: z.array(keySchema).max(1_000).default([]),
  /** Whether `/metrics` (Prometheus) requires a key with the privilege `prometheus`. */
  protectPrometheus: z.boolean().default(false),
  limits: limitsSchema.prefault({}),
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: z.array(proxyRange).max(256).default([]),
  /** Sign-in by the header of a proxy; without it, nobody is signed in. */
  signIn: signInSchema.optional(),
  /** ABIs that the operator has verified. */
  abis: z.array(abiSetting).max(10_000).default([]),
  /** The operator's information about contracts. */
  contracts: z.array(contractSetting).max(10_000).default([]),
  tokens: tokensSchema.prefault({}),
  nftMetadata: nftMetadataSchema.prefault({}),
  /** The source of fiat values; without it, answers contain none. */
  prices: pricesSchema.optional(),
  signatures: signaturesSchema.prefault({}),
  gateway: gatewaySchema.prefault({}),
  watch: watchSchema.prefault({}),
  verification: verificationSchema.prefault({}),
  sql: sqlSchema.prefault({}),
  exports: exportsSchema.prefault({}),
  lake: lakeSchema.prefault({}),
  /** The folder of the lake, relative to the configuration file; by default `lake` below the home folder. */
  lakeFolder: z.string().min(1).optional(),
  /**
   * Origins of other nodes that the dashboard's node console may access, such as https://node.example:9650
   */
  consoleOrigins: z.array(origin).max(32).default([]),
  /**
   * The origin under which others reach the service, such as https://ridgeline.example: for the pictures of shared
   * links. If absent, it is that of the request.
   */
  publicUrl: origin.optional(),
  /** Other services that the dashboard works in front of (docs/configuration.md, "Profiles"). */
  profiles: z._default(profileSettingsOf(operationIds), shippedProfiles),
  /**
   * Origins whose pages may send requests with a body (POST), such as https://explorer.example: those of static builds of
   * the dashboard in front of this service. All may read.
   */
  allowedOrigins: z.array(origin).max(32).default([]),
  /** Sites that may show charts in an iframe, such as https://wiki.example or https://*.example.org */
  frameOrigins: z.array(frameOrigin).max(100).default([]),
})

export type ChainConfig = z.infer<typeof chainSchema>
export type NetworkConfig = z.infer<typeof networkSchema>
export type KeyConfig = z.infer<typeof keySchema>
export type Limits = z.infer<typeof limitsSchema>
export type NftMetadataConfig = z.infer<typeof nftMetadataSchema>
export type SignaturesConfig = z.infer<typeof signaturesSchema>
export type GatewayConfig = z.infer<typeof gatewaySchema>
export type PriceUrlConfig = z.infer<typeof priceUrlSchema>

const roles = ['all', 'api', 'indexer'] as const
type Role = (typeof roles)[number]

/** All settings from the environment, the command line and the file. */
export type Config = z.infer<typeof configFile> & {
  host: string
  port: number
  /** The port of the health listener on loopback; if absent, there is none. */
  healthPort?: number
  /** The port on which an indexer serves `/metrics`; if absent, it does not. */
  metricsPort?: number
  home: string
  role: Role
  /** If absent, it is stored in a file below `home`. */
  localToken?: string
  /** If absent, PostgreSQL is started below `home`. */
  databaseUrl?: string
  /** The replicas from which the API reads; if absent, it reads from `databaseUrl`. */
  databaseReadUrl?: string
  logLevel: string
}

const port = z.coerce
  .number('an integer from 0 to 65535')
  .int('an integer from 0 to 65535')
  .min(0)
  .max(65_535)

/** A variable that may be there without a value, as container files leave it: then it is not given. */
const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, 'an address or a host name')
    .default('127.0.0.1'),
  PORT: port.default(4400),
  HEALTH_PORT: port.optional(),
  METRICS_PORT: port.optional(),
  RIDGELINE_HOME: z.string().min(1).default('.ridgeline'),
  RIDGELINE_TOKEN: z.string().regex(localTokenPattern, '32 to 256 letters, digits, - and _').optional(),
  DATABASE_URL: databaseUrl
    .refine((text) => !/[?&]pgbouncer=true(&|$)/.test(text), {
      error: 'the server itself, because LISTEN and locks do not pass through pgbouncer; readers may use it',
    })
    .optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  RIDGELINE_CONFIG: unlessEmpty(z.string()),
  RIDGELINE_NETWORK: unlessEmpty(z.string()),
  RIDGELINE_NODE: unlessEmpty(z.string()),
  RIDGELINE_NETWORK_CONFIG: unlessEmpty(z.string()),
  RIDGELINE_ROLE: unlessEmpty(z.enum(roles, roles.join(', '))),
  RIDGELINE_PUBLIC_URL: unlessEmpty(configFile.shape.publicUrl),
  RIDGELINE_TRUSTED_PROXIES: unlessEmpty(
    z
      .string()
      .transform((text) => text.split(',').map((each) => each.trim()))
      .pipe(z.array(proxyRange)),
  ),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

/**
 * The settings of programs that need no configuration file: the home, and the URL of a PostgreSQL server of the
 * operator's own. Throws a SettingsError.
 */
export function loadHome(env: NodeJS.ProcessEnv): Pick<Config, 'home' | 'databaseUrl'> {
  const settings = environment.pick({ RIDGELINE_HOME: true, DATABASE_URL: true }).safeParse(env, asAllowed)
  if (!settings.success) throw new SettingsError(describeProblems(environment, settings.error, env))
  const { RIDGELINE_HOME, DATABASE_URL } = settings.data
  return {
    home: resolve(RIDGELINE_HOME),
    ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }),
  }
}

/** Reads all settings. Throws a SettingsError that lists all problems at once, without repeating secrets. */
export function loadConfig(argv: readonly string[], env: NodeJS.ProcessEnv): Config {
  const settings = environment.safeParse(env, asAllowed)
  if (!settings.success) throw new SettingsError(describeProblems(environment, settings.error, env))
  const flags = completed(parseFlags(argv), settings.data)
  const { HOST, PORT, RIDGELINE_HOME, RIDGELINE_TOKEN, RIDGELINE_CONFIG, LOG_LEVEL } = settings.data
  const { DATABASE_URL, DATABASE_READ_URL, HEALTH_PORT, METRICS_PORT } = settings.data
  const { RIDGELINE_PUBLIC_URL, RIDGELINE_TRUSTED_PROXIES } = settings.data
  if (flags.role !== 'all' && DATABASE_URL === undefined) {
    throw new SettingsError([
      `--role ${flags.role}: needs DATABASE_URL, because the own PostgreSQL serves one process`,
    ])
  }
  if (DATABASE_READ_URL !== undefined && DATABASE_URL === undefined) {
    throw new SettingsError(['DATABASE_READ_URL: needs DATABASE_URL, the primary of its replicas'])
  }
  if (METRICS_PORT !== undefined && flags.role !== 'indexer') {
    throw new SettingsError([`METRICS_PORT: is for --role indexer; others serve /metrics on PORT`])
  }
  return {
    ...settingsOf(flags, RIDGELINE_CONFIG),
    ...(RIDGELINE_PUBLIC_URL !== undefined && { publicUrl: RIDGELINE_PUBLIC_URL }),
    ...(RIDGELINE_TRUSTED_PROXIES !== undefined && { trustedProxies: RIDGELINE_TRUSTED_PROXIES }),
    host: HOST,
    port: PORT,
    home: resolve(RIDGELINE_HOME),
    role: flags.role,
    ...(HEALTH_PORT !== undefined && { healthPort: HEALTH_PORT }),
    ...(METRICS_PORT !== undefined && { metricsPort: METRICS_PORT }),
    ...(RIDGELINE_TOKEN !== undefined && { localToken: RIDGELINE_TOKEN }),
    ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }),
    ...(DATABASE_READ_URL !== undefined && { databaseReadUrl: DATABASE_READ_URL }),
    logLevel: LOG_LEVEL,
  }
}

type Flags = {
  readonly role: Role | undefined
  readonly config: string | undefined
  /** A public network, with the URL of its node and a file that adds settings. */
  readonly network: string | undefined
  readonly node: string | undefined
  readonly networkConfig: string | undefined
}

/**
 * The flags with what the environment says of those that are not given. A configuration that is given by a flag stands for
 * itself.
 */
function completed(
  flags: Flags,
  {
    RIDGELINE_NETWORK,
    RIDGELINE_NODE,
    RIDGELINE_NETWORK_CONFIG,
    RIDGELINE_ROLE,
  }: z.output<typeof environment>,
): Flags & { readonly role: Role } {
  const role = flags.role ?? RIDGELINE_ROLE ?? 'all'
  if (flags.config !== undefined) return { ...flags, role }
  const network = flags.network ?? RIDGELINE_NETWORK
  // Containers may name a node for whichever network is chosen, also where none is.
  if (network === undefined) return { ...flags, role }
  return {
    ...flags,
    role,
    network,
    node: flags.node ?? RIDGELINE_NODE,
    networkConfig: flags.networkConfig ?? RIDGELINE_NETWORK_CONFIG,
  }
}

const allowedFlags = `--config FILE, --network ${publicNetworkNames.join('|')} --node URL [--network-config FILE], --role ${roles.join('|')}`

function parseFlags(argv: readonly string[]): Flags {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        config: text,
        network: text,
        node: text,
        'network-config': text,
        role: text,
      },
    })
    const role = roles.find((name) => name === values.role)
    if (!role && values.role !== undefined)
      throw new SettingsError([`--role: got "${values.role}"; allowed: ${roles.join(', ')}`])
    const { config, network, node, 'network-config': networkConfig } = values
    return { role, config, network, node, networkConfig }
  } catch (error) {
    if (error instanceof SettingsError) throw error
    throw new SettingsError([`${problemOf(error)}; allowed: ${allowedFlags}`])
  }
}

/** The settings of a file, or of a public network. Throws a SettingsError. */
function settingsOf(flags: Flags, configured: string | undefined): z.infer<typeof configFile> {
  const { network: name, node, networkConfig } = flags
  if (name === undefined) {
    if (node !== undefined || networkConfig !== undefined)
      throw new SettingsError([
        `--node and --network-config: need --network; allowed: ${publicNetworkNames.join(', ')}`,
      ])
    const path = flags.config ?? configured
    if (path === undefined)
      throw new SettingsError(['--config: not given; allowed: the path of a JSON file that lists the chains'])
    return readSettings(readJson(path), path)
  }
  const network = publicNetworkNames.find((each) => each === name)
  if (!network)
    throw new SettingsError([`--network: got "${name}"; allowed: ${publicNetworkNames.join(', ')}`])
  if (flags.config !== undefined)
    throw new SettingsError(['--config: with --network; allowed: --network-config FILE, which adds settings'])
  if (node === undefined)
    throw new SettingsError([
      `--node: not given; allowed: the base URL of a node of ${network}, such as http://127.0.0.1:9650`,
    ])
  const checked = url('http:', 'https:').safeParse(node)
  if (!checked.success)
    throw new SettingsError([`--node: got "${node}"; allowed: ${checked.error.issues[0]?.message}`])
  const added = networkConfig === undefined ? {} : readJson(networkConfig)
  if (typeof added !== 'object' || added === null || Array.isArray(added))
    throw new SettingsError([`${networkConfig}: is not an object; allowed: the keys of a configuration file`])
  return readSettings(
    publicConfig(network, node, added as Record<string, unknown>),
    networkConfig ?? '--network',
  )
}

/** The problem that parseArgs found, without its explanation of how to pass words that begin with a dash. */
export function problemOf(error: unknown): string {
  return (error as Error).message.split('. ')[0] ?? ''
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new SettingsError([`${path}: ${whyUnreadable(error)}; allowed: a readable JSON file`])
  }
}

/** Validates settings. Paths in them are relative to the folder of `path`, which errors name. Throws a SettingsError. */
function readSettings(value: unknown, path: string): z.infer<typeof configFile> {
  const parsed = configFile.safeParse(value, asAllowed)
  if (!parsed.success)
    throw new SettingsError(
      describeProblems(configFile, parsed.error, value).map((line) => `${path}: ${line}`),
    )
  for (const abi of parsed.data.abis) abi.path = resolve(dirname(path), abi.path)
  const problems = [...crossCheck(parsed.data), ...checkAbis(parsed.data)]
  if (problems.length > 0) throw new SettingsError(problems.map((line) => `${path}: ${line}`))
  for (const network of parsed.data.networks) {
    if (network.genesisFile !== undefined) network.genesisFile = resolve(dirname(path), network.genesisFile)
  }
  if (parsed.data.lakeFolder !== undefined)
    parsed.data.lakeFolder = resolve(dirname(path), parsed.data.lakeFolder)
  const { prices } = parsed.data
  if (prices && 'file' in prices) prices.file = resolve(dirname(path), prices.file)
  return parsed.data
}

function crossCheck(file: z.infer<typeof configFile>): string[] {
  const problems: string[] = []
  const ids = file.chains.map((chain) => chain.evmChainId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined)
    problems.push(`chains: evmChainId ${twice} is given twice; allowed: each chain once`)
  for (const chain of file.chains) {
    if (chain.network !== undefined && !file.networks.some((network) => network.id === chain.network)) {
      problems.push(
        `chains: ${chain.name} names the network "${chain.network}"; allowed: ${file.networks.map((network) => network.id).join(', ') || 'none is listed'}`,
      )
    }
  }
  return problems
}

function checkAbis(file: z.infer<typeof configFile>): string[] {
  return file.abis.flatMap(({ name, path }) => {
    try {
      readAbiFile(path)
      return []
    } catch (error) {
      return [`abis: ${name}: ${(error as Error).message}`]
    }
  })
}
