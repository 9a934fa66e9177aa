/** A page of the dashboard. The service answers its path with the dashboard for every client. */
type Page = {
  /** Its path in the router's notation. A profile other than the default stands before it: `/p/<profile>`. */
  readonly path: `/${string}`
  /** The module of `src/pages` that draws it, which `src/routes.tsx` imports. */
  readonly module: string
  /** The title of its document and of a link to it, in the names of the path's parameters (`titleOf`). */
  readonly title: string
  /**
   * The requests whose answers its heading and first sentence need, in the parameters of its path, where `:ofProfile` is the
   * network of the default profile. The service names them in the document, so that the answers arrive while the code is
   * loading, and draws the document from them.
   */
  readonly first?: string | readonly string[]
  /**
   * The methods of the network's node whose answers it shows first, without parameters and at the path of their namespace, as
   * `/ext/info` of `info.uptime`: the document is drawn from them, too.
   */
  readonly calls?: readonly string[]
  /** Its tabs whose code comes beside the page's own, by their names in the query, as far as documents are drawn with them. */
  readonly tabs?: Readonly<Record<string, Tab>>
  /** The id of the operation without which it has nothing to show: a service that lacks it has no such page. */
  readonly needs?: string
  /** The page that it opens by an id, also where its own list is lacking. */
  readonly opens?: string
}

/** A tab of a page. */
export type Tab = {
  /** The module of `src/pages` that draws it. */
  readonly module: string
  /** Its first requests, as those of a page. */
  readonly first: readonly string[]
}

const table = {
  overview: {
    path: '/',
    module: 'overview/overview.tsx',
    title: 'Overview',
    first: '/v1/traffic?network=:ofProfile',
  },
  chains: {
    path: '/chains',
    module: 'overview/chains.tsx',
    title: 'Chains',
    first: '/v1/traffic?network=:ofProfile',
    needs: 'listChains',
  },
  chain: {
    path: '/chain/:chainId',
    module: 'overview/chain.tsx',
    title: ':chainId',
    first: '/v1/chains/:chainId',
  },
  metrics: {
    path: '/chain/:chainId/metrics',
    module: 'metrics/metrics.tsx',
    title: 'Metrics · :chainId',
    needs: 'getMetric',
  },
  metric: {
    path: '/chain/:chainId/metrics/:metric',
    module: 'metrics/metric.tsx',
    title: ':metric · :chainId',
    needs: 'getMetric',
  },
  hot: {
    path: '/chain/:chainId/hot',
    module: 'metrics/hot/hot.tsx',
    title: 'Most used · :chainId',
    needs: 'rankContracts',
  },
  blocks: {
    path: '/chain/:chainId/blocks',
    module: 'evm/blocks.tsx',
    title: 'Blocks · :chainId',
    needs: 'listBlocks',
    opens: 'block',
  },
  block: {
    path: '/chain/:chainId/block/:blockId',
    module: 'evm/block.tsx',
    title: 'Block :blockId · :chainId',
    first: '/v1/chains/:chainId/blocks/:blockId',
    needs: 'getBlock',
  },
  transactions: {
    path: '/chain/:chainId/transactions',
    module: 'evm/transactions.tsx',
    title: 'Transactions · :chainId',
    needs: 'listTransactions',
    opens: 'transaction',
  },
  transaction: {
    path: '/chain/:chainId/tx/:txHash',
    module: 'evm/transaction/transaction.tsx',
    title: 'Transaction :txHash · :chainId',
    first: '/v1/chains/:chainId/transactions/:txHash',
    needs: 'getTransaction',
  },
  address: {
    path: '/chain/:chainId/address/:address',
    module: 'evm/address/address.tsx',
    title: 'Address :address · :chainId',
    first: '/v1/chains/:chainId/addresses/:address/overview',
    tabs: {
      contract: {
        module: 'evm/address/contract-tab.tsx',
        first: [
          '/v1/chains/:chainId/addresses/:address',
          '/v1/chains/:chainId/contracts/:address/code',
          '/v1/chains/:chainId/contracts/:address/powers',
          '/v1/chains/:chainId/contracts/:address/source',
        ],
      },
    },
  },
  tokens: {
    path: '/chain/:chainId/tokens',
    module: 'tokens/tokens.tsx',
    title: 'Tokens · :chainId',
    needs: 'listTokens',
    opens: 'token',
  },
  nfts: {
    path: '/chain/:chainId/nfts',
    module: 'tokens/collections/collections.tsx',
    title: 'NFTs · :chainId',
    needs: 'listTokens',
  },
  token: {
    path: '/chain/:chainId/token/:address',
    module: 'tokens/token/token.tsx',
    title: 'Token :address · :chainId',
    needs: 'getToken',
  },
  nft: {
    path: '/chain/:chainId/nft/:address/:tokenId',
    module: 'tokens/nft/nft.tsx',
    title: 'NFT :tokenId of :address · :chainId',
    first: '/v1/chains/:chainId/nfts/collections/:address/tokens/:tokenId',
    needs: 'getNft',
  },
  contracts: {
    path: '/chain/:chainId/contracts',
    module: 'evm/contracts/contracts.tsx',
    title: 'Contracts · :chainId',
    needs: 'listDeployments',
  },
  network: {
    path: '/networks/:network',
    module: 'network/network.tsx',
    title: 'Primary Network · :network',
    first: '/v1/networks/:network/overview',
  },
  networkMetrics: {
    path: '/networks/:network/metrics',
    module: 'metrics/network-metrics.tsx',
    title: 'Metrics · :network',
    needs: 'getNetworkMetric',
  },
  networkMetric: {
    path: '/networks/:network/metrics/:metric',
    module: 'metrics/network-metric.tsx',
    title: ':metric · :network',
    needs: 'getNetworkMetric',
  },
  vertices: {
    path: '/networks/:network/vertices',
    module: 'primary/vertices.tsx',
    title: 'Vertices · :network',
    needs: 'listVertices',
  },
  vertex: {
    path: '/networks/:network/vertices/:vertexHash',
    module: 'primary/vertex.tsx',
    title: 'Vertex :vertexHash · :network',
    first: '/v1/networks/:network/blockchains/x-chain/vertices/:vertexHash',
    needs: 'getVertex',
  },
  subnets: {
    path: '/networks/:network/subnets',
    module: 'network/subnets.tsx',
    title: 'Subnets and L1s · :network',
    needs: 'listSubnets',
  },
  subnet: {
    path: '/networks/:network/subnets/:subnetId',
    module: 'network/subnet/subnet.tsx',
    title: 'Subnet :subnetId · :network',
    needs: 'listSubnets',
  },
  blockchains: {
    path: '/networks/:network/blockchains',
    module: 'network/blockchains.tsx',
    title: 'Blockchains · :network',
    needs: 'listBlockchains',
  },
  blockchain: {
    path: '/networks/:network/blockchains/:blockchainId',
    module: 'network/blockchain/blockchain.tsx',
    title: 'Blockchain :blockchainId · :network',
    needs: 'getBlockchain',
  },
  wallet: {
    path: '/networks/:network/addresses/:address',
    module: 'primary/address/address.tsx',
    title: 'Address :address · :network',
    needs: 'getPrimaryBalances',
  },
  validators: {
    path: '/networks/:network/validators',
    module: 'network/validators/validators.tsx',
    title: 'Validators · :network',
    first: '/v1/networks/:network/validatorDistribution',
    needs: 'listValidators',
    opens: 'validator',
  },
  validator: {
    path: '/networks/:network/validators/:nodeId',
    module: 'network/validator/validator.tsx',
    title: 'Validator :nodeId · :network',
    first: [
      '/v1/networks/:network/validators/:nodeId?pageSize=100',
      '/v1/networks/:network/validators/:nodeId/outlook',
    ],
    needs: 'listNodeValidations',
  },
  l1Validators: {
    path: '/networks/:network/l1-validators',
    module: 'network/l1-validators/l1-validators.tsx',
    title: 'L1 validators · :network',
    first: '/v1/networks/:network/l1Validators?pageSize=100',
    needs: 'listL1Validators',
    opens: 'l1Validator',
  },
  l1Validator: {
    path: '/networks/:network/l1-validators/:validationId',
    module: 'network/l1-validator/l1-validator.tsx',
    title: 'L1 validator :validationId · :network',
    first:
      '/v1/networks/:network/l1Validators?pageSize=1&l1ValidationId=:validationId&includeInactiveL1Validators=true',
    needs: 'listL1Validators',
  },
  primaryBlocks: {
    path: '/networks/:network/:chain/blocks',
    module: 'primary/blocks.tsx',
    title: 'Blocks · :chain',
    needs: 'listPrimaryBlocks',
    opens: 'primaryBlock',
  },
  primaryBlock: {
    path: '/networks/:network/:chain/block/:blockId',
    module: 'primary/block.tsx',
    title: 'Block :blockId · :chain',
    first: '/v1/networks/:network/blockchains/:chain/blocks/:blockId',
    needs: 'getPrimaryBlock',
  },
  primaryTransactions: {
    path: '/networks/:network/:chain/transactions',
    module: 'primary/transactions.tsx',
    title: 'Transactions · :chain',
    needs: 'listPrimaryTransactions',
    opens: 'primaryTransaction',
  },
  primaryTransaction: {
    path: '/networks/:network/:chain/tx/:txHash',
    module: 'primary/transaction/transaction.tsx',
    title: 'Transaction :txHash · :chain',
    first: '/v1/networks/:network/blockchains/:chain/transactions/:txHash',
    needs: 'getPrimaryTransaction',
  },
  search: {
    path: '/search',
    module: 'search.tsx',
    title: 'Search',
  },
  settings: {
    path: '/settings',
    module: 'settings.tsx',
    title: 'Settings',
  },
  watchList: {
    path: '/watch-list',
    module: 'watch/watch-page.tsx',
    title: 'Watch list',
  },
  fleets: {
    path: '/fleets',
    module: 'watch/fleets/fleets.tsx',
    title: 'Fleets',
  },
  fleet: {
    path: '/fleets/:fleetId',
    module: 'watch/fleet/fleet.tsx',
    title: 'Fleet :fleetId',
  },
  alarms: {
    path: '/alarms',
    module: 'watch/alarms/alarms.tsx',
    title: 'Alarms',
  },
  rules: {
    path: '/alarms/rules',
    module: 'watch/rules/rules.tsx',
    title: 'Rules',
  },
  rule: {
    path: '/alarms/rules/:ruleId',
    module: 'watch/rules/rule.tsx',
    title: 'Rule :ruleId',
  },
  channels: {
    path: '/alarms/channels',
    module: 'watch/channels/channels.tsx',
    title: 'Channels',
  },
  signatures: {
    path: '/signatures',
    module: 'signatures/signatures.tsx',
    title: 'Signatures',
    needs: 'aggregateSignatures',
  },
  node: {
    path: '/node',
    module: 'node/node.tsx',
    title: 'Node',
    calls: ['health.health', 'info.getNodeVersion', 'info.getNetworkName', 'info.uptime', 'info.getNodeID'],
  },
  docs: {
    path: '/docs',
    module: 'docs/docs.tsx',
    title: 'API',
  },
  sql: {
    path: '/sql',
    module: 'sql/sql.tsx',
    title: 'SQL',
    needs: 'runSql',
  },
} as const satisfies Record<string, Page>

export type PageName = keyof typeof table

/**
 * Every page of the dashboard by its name. Routes, paths, previews, and what a document shows and loads first follow
 * from it; where two paths fit, the first page counts.
 */
export const pages: {
  readonly [Name in PageName]: Page & {
    readonly path: (typeof table)[Name]['path']
    readonly opens?: PageName
  }
} = table

/** The first request of every page: the names of the chains, and the tokens in which their amounts are. */
export const chainsRequest = '/v1/chains?network=:ofProfile'

/** How far the chains are: what the frame says of them, wherever it is asked for. */
export const standingRequests = ['/v1/status', '/v1/networks/:network/overview'] as const

/** A text with its parameters, `:name`, replaced by their values, or by nothing. */
export const filledIn = (text: string, values: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')

/** The parameters in a title. */
type NamesIn<Title extends string> = Title extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name} ${infer After}`
    ? Name | NamesIn<After>
    : Rest
  : never

/** What the parameters in a page's title are called: a chain's name for its id, a shortened hash. */
type TitleArguments<Name extends PageName> = [NamesIn<(typeof table)[Name]['title']>] extends [never]
  ? []
  : [names: Readonly<Record<NamesIn<(typeof table)[Name]['title']>, string>>]

/** The title of a page, the most specific part first, “Block 12,345 · C-Chain”. A name that is not known yet is empty. */
export function titleOf<Name extends PageName>(page: Name, ...[names]: TitleArguments<Name>): string {
  return filledIn(pages[page].title, names ?? {}).trim()
}

type PageQuery = Readonly<Record<string, string | number | undefined>>

/** A string for each parameter of a path. */
type ValuesOf<Path extends string> = Path extends `${string}/:${string}/${infer Rest}`
  ? [string, ...ValuesOf<`/${Rest}`>]
  : Path extends `${string}/:${string}`
    ? [string]
    : []

/** The values of a page's parameters in the order of its path, and its query. */
export type PathArguments<Name extends PageName> = [
  ...ValuesOf<(typeof table)[Name]['path']>,
  query?: PageQuery | undefined,
]

/**
 * The path of a page. Ids are inserted unchanged; a query leaves out undefined and empty values, so that defaults never
 * reach the URL.
 */
export function pathOf<Name extends PageName>(page: Name, ...given: PathArguments<Name>): string {
  const values: (string | PageQuery | undefined)[] = [...given]
  const path = pages[page].path.replaceAll(/:\w+/g, () => encodeURIComponent(String(values.shift())))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values[0] ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}
