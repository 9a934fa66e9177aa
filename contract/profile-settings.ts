import * as z from 'zod/mini'
import type { Profile } from './profile.ts'

/** The operations of the API reference: every service of the interface has them. */
const interfaceOperations = [
  'listBlockTransactions',
  'listErc1155Transfers',
  'listErc20Balances',
  'listErc1155Balances',
  'getContractMetadata',
  'listContractDeployments',
  'reindexNft',
  'listBlockchains',
  'listNodeBlocks',
  'listPrimaryTransactions',
  'getPrimaryBalances',
  'listNodeValidations',
  'listRewards',
  'listVertices',
  'aggregateSignatures',
  'getAggregatedSignatures',
  'getMetric',
  'getAverageTps',
  'listHolders',
] as const

/** What the hosted services have besides. */
const hostedOperations = [
  ...interfaceOperations,
  'listChains',
  'getChain',
  'listBlocks',
  'getBlock',
  'listTransactions',
  'getTransaction',
  'listAddressTransactions',
  'listNativeTransactions',
  'listErc20Transfers',
  'listErc721Transfers',
  'listInternalTransactions',
  'getNativeBalance',
  'listErc721Balances',
  'listCollectibleBalances',
  'getNetworkDetails',
  'getBlockchain',
  'listSubnets',
  'listPrimaryBlocks',
  'getPrimaryBlock',
  'getPrimaryTransaction',
  'listUtxos',
  'listValidators',
  'listDelegators',
  'listL1Validators',
  'listPendingRewards',
  'getVertex',
  'listVerticesByHeight',
] as const

/** Names of lists of operations, for `offers`. */
export const operationLists = { interface: interfaceOperations, hosted: hostedOperations } as const

/** The metrics of the API reference: other services have none of Ridgeline's own. */
const interfaceMetrics = [
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
] as const

/** A base URL of a service or a node: keys are sent there, so it carries no credentials of its own. */
const baseUrl = (what: string) =>
  z
    .string()
    .check(
      z.refine(
        (text) => {
          if (!URL.canParse(text)) return false
          const { protocol, username, password, search, hash } = new URL(text)
          return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
        },
        { error: 'a URL that starts with https:// or http://, without name, password, ? and #' },
      ),
    )
    .with(z.describe(what))

const name = (what: string) =>
  z
    .string()
    .check(
      z.refine((text) => text.length > 0 && text.length <= 64, { error: 'a text of 1 to 64 characters' }),
    )
    .with(z.describe(what))

/** The settings of a built-in profile: the hosted services of each public network. */
const builtIn = {
  mainnet: {
    name: 'Hosted, mainnet',
    network: 'mainnet',
    nodeUrl: 'https://api.avax.network',
  },
  fuji: {
    name: 'Hosted, Fuji testnet',
    network: 'fuji',
    nodeUrl: 'https://api.avax-test.network',
  },
} as const
const hosted = {
  dataUrl: 'https://data-api.avax.network',
  metricsUrl: 'https://metrics.avax.network',
  keyHeader: 'x-glacier-api-key',
  offers: 'hosted',
  prices: 'number',
  methods: 'avax',
} as const

const isBuiltIn = (id: string | undefined): id is keyof typeof builtIn =>
  id !== undefined && Object.hasOwn(builtIn, id)

/**
 * A service that the dashboard works in front of, as its operator describes it (docs/configuration.md, "Profiles"). The
 * same for the service's configuration file and for the `config.json` of a static build.
 */
const profileSetting = z
  .strictObject({
    id: z
      .optional(
        z.string().check(
          z.refine((text) => /^[A-Za-z0-9_-]{1,32}$/.test(text), {
            error: 'letters, digits, - and _, at most 32',
          }),
        ),
      )
      .with(
        z.describe(
          'Its name in links, /p/<id>; by default made from `name`. `mainnet` and `fuji` are the hosted services, which further keys change',
        ),
      ),
    name: z.optional(name('Its name in the switcher, required unless the ID is mainnet or fuji')),
    network: z
      .optional(z.enum(['mainnet', 'fuji'], { error: 'mainnet or fuji' }))
      .with(z.describe('The network that requests name, required unless the ID is mainnet or fuji')),
    networkLabel: z.optional(
      name('The network’s name on pages; by default Avalanche mainnet or Fuji testnet'),
    ),
    dataUrl: z.optional(
      baseUrl('Base URL of the data API, before /v1, required unless the ID is mainnet or fuji'),
    ),
    metricsUrl: z.optional(baseUrl('Base URL of the metrics API, before /v2; by default `dataUrl`')),
    nodeUrl: z.optional(baseUrl('Base URL of a node, before /ext; without it pages ask none')),
    keyHeader: z
      .optional(
        z.string().check(
          z.refine((text) => /^[A-Za-z0-9-]{1,64}$/.test(text), {
            error: 'a header’s name of letters, digits and -',
          }),
        ),
      )
      .with(z.describe('The header that carries a person’s API key; by default x-service-api-key')),
    offers: z
      .optional(
        z.union([z.enum(['interface', 'hosted']), z.array(z.string())], {
          error: '"interface", "hosted", or a list of operation IDs (docs/api.md)',
        }),
      )
      .with(
        z.describe(
          'The operations that it has: IDs, or all of the API reference, or those of the hosted services. Without `offers` and `lacks`, its OpenAPI document says so',
        ),
      ),
    lacks: z
      .optional(z.array(z.string(), { error: 'a list of operation IDs (docs/api.md)' }))
      .with(z.describe('The operations that it lacks, instead of `offers`')),
    prices: z
      .optional(z.enum(['string', 'number'], { error: '"string" or "number"' }))
      .with(
        z.describe('How it sends prices: decimal strings as in the API reference, the default, or numbers'),
      ),
    methods: z
      .optional(z.enum(['svc', 'avax'], { error: '"svc" or "avax"' }))
      .with(z.describe('The namespace of its node’s atomic methods; by default svc')),
    addressPrefix: z
      .optional(
        z.string().check(z.refine((text) => /^[a-z]{1,20}$/.test(text), { error: 'lower-case letters' })),
      )
      .with(z.describe('The prefix of P- and X-Chain addresses; by default avax or fuji')),
  })
  .check((context) => {
    const { value, issues } = context
    const report = (key: string, message: string): void => {
      issues.push({ code: 'custom', path: [key], message, input: value })
    }
    if (value.offers !== undefined && value.lacks !== undefined)
      report('lacks', 'either offers or lacks, not both')
    if (isBuiltIn(value.id)) return
    if (value.name === undefined) report('name', 'a text of 1 to 64 characters')
    if (value.network === undefined) report('network', 'mainnet or fuji')
    if (value.dataUrl === undefined) report('dataUrl', 'a URL that starts with https:// or http://')
  })
type ProfileSetting = z.infer<typeof profileSetting>

/** The id of a profile: given, or made from its name. */
const idOf = ({ id, name: text = '' }: ProfileSetting): string =>
  id ??
  (text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 32) ||
    'profile')

/** Several services, each chosen in the switcher. */
export const profileSettings = z.array(profileSetting, { error: 'a list of profiles' }).check(
  z.refine((all) => all.length <= 32, { error: 'at most 32 profiles' }),
  z.refine((all) => new Set(all.map(idOf)).size === all.length, {
    error: 'profiles with different IDs, or names that differ in letters and digits',
  }),
  z.refine((all) => all.every((one) => idOf(one) !== 'local'), {
    error: 'other IDs than local, which is the service itself',
  }),
)

/** The same, where `offers` and `lacks` name only operations of the contract. Pages read the rest: they load no contract. */
export const profileSettingsOf = (operationIds: ReadonlySet<string>) =>
  profileSettings.check(({ value, issues }) => {
    for (const [index, profile] of value.entries())
      for (const key of ['offers', 'lacks'] as const)
        for (const [place, id] of (typeof profile[key] === 'string' ? [] : (profile[key] ?? [])).entries())
          if (!operationIds.has(id))
            issues.push({
              code: 'custom',
              path: [index, key, place],
              message: 'the ID of an operation (docs/api.md)',
              input: value,
            })
  })

/** The profiles that ship: the hosted services of mainnet and Fuji. */
export const shippedProfiles: z.infer<typeof profileSettings> = [{ id: 'mainnet' }, { id: 'fuji' }]

/** The `config.json` of a static build (docs/static-build.md). */
export const staticConfig = z.strictObject({
  $schema: z.optional(z.string()),
  profiles: profileSettings.check(z.refine((all) => all.length > 0, { error: 'at least one profile' })),
})

const networks = {
  mainnet: { networkLabel: 'Avalanche mainnet', addressPrefix: 'avax' },
  fuji: { networkLabel: 'Avalanche Fuji testnet', addressPrefix: 'fuji' },
} as const

/** A profile as pages use it: the setting, completed. */
export function profileOf(setting: ProfileSetting): Profile {
  const id = idOf(setting)
  const given: ProfileSetting = isBuiltIn(id) ? { ...hosted, ...builtIn[id], ...setting } : setting
  const { name: label = id, network = 'fuji', dataUrl = '', lacks = [] } = given
  const offers = typeof given.offers === 'string' ? operationLists[given.offers] : given.offers
  const { metricsUrl = dataUrl, nodeUrl, keyHeader = 'x-service-api-key' } = given
  const isNumber = given.prices === 'number'
  return {
    id,
    name: label,
    network,
    networkLabel: given.networkLabel ?? networks[network].networkLabel,
    dataUrl,
    metricsUrl,
    ...(nodeUrl !== undefined && { nodeUrl }),
    nodeOrigins: [],
    keyHeader: keyHeader.toLowerCase(),
    keyNeeded: false,
    atomicNamespace: given.methods ?? 'svc',
    addressPrefix: given.addressPrefix ?? networks[network].addressPrefix,
    priceValue: isNumber ? 'number' : 'string',
    holderSortKey: isNumber ? 'string' : 'integer',
    live: false,
    missingOperations: [...lacks],
    ...(offers !== undefined && { offeredOperations: [...offers] }),
    isOther: true,
    metrics: [...interfaceMetrics],
  }
}
