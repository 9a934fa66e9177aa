/** A page of the dashboard. The service answers its path with the dashboard for every client. */
type Page = {
  /** Its path in the router's notation. A profile other than the default stands before it: `/p/<profile>`. */
  readonly path: `/${string}`
  /** The module of `src/pages` that draws it, which `src/routes.tsx` imports. */
  readonly module: string
  /** Its title where a link to it is shared and until its code runs, with the names of the path's parameters. */
  readonly title: string
  /**
   * The picture of the chart that it leads with: the id of the operation, what the chart is called (the page's title
   * without it), and values of the operation's path that are not in the page's.
   */
  readonly picture?: {
    readonly operation: string
    readonly alt?: string
    readonly values?: Readonly<Record<string, string>>
  }
  /**
   * The request without which it can show nothing, in the parameters of its path, where `:ofProfile` is the network of the
   * default profile. The service names it in the document, so that the answer arrives while the code is loading.
   */
  readonly first?: string
}

const allChains = { operation: 'getChainTransactionsPicture', alt: 'Transactions by chain' }
const chainTransactions = {
  operation: 'getMetricPicture',
  alt: 'Transactions of the chain',
  values: { metric: 'txCount' },
}

const table = {
  overview: {
    path: '/',
    module: 'overview/overview.tsx',
    title: 'Overview',
    picture: allChains,
    first: '/v1/traffic?network=:ofProfile',
  },
  chains: {
    path: '/chains',
    module: 'overview/chains.tsx',
    title: 'Chains',
    picture: allChains,
    first: '/v1/traffic?network=:ofProfile',
  },
  chain: {
    path: '/chain/:chainId',
    module: 'overview/chain.tsx',
    title: ':chainId',
    picture: chainTransactions,
  },
  metrics: {
    path: '/chain/:chainId/metrics',
    module: 'metrics/metrics.tsx',
    title: 'Metrics · :chainId',
    picture: chainTransactions,
  },
  metric: {
    path: '/chain/:chainId/metrics/:metric',
    module: 'metrics/metric.tsx',
    title: ':metric · :chainId',
    picture: { operation: 'getMetricPicture' },
  },
  hot: {
    path: '/chain/:chainId/hot',
    module: 'metrics/hot/hot.tsx',
    title: 'Most used · :chainId',
  },
  blocks: {
    path: '/chain/:chainId/blocks',
    module: 'evm/blocks.tsx',
    title: 'Blocks · :chainId',
    picture: chainTransactions,
  },
  block: {
    path: '/chain/:chainId/block/:blockId',
    module: 'evm/block.tsx',
    title: 'Block :blockId · :chainId',
    first: '/v1/chains/:chainId/blocks/:blockId',
  },
  transactions: {
    path: '/chain/:chainId/transactions',
    module: 'evm/transactions.tsx',
    title: 'Transactions · :chainId',
    picture: chainTransactions,
  },
  transaction: {
    path: '/chain/:chainId/tx/:txHash',
    module: 'evm/transaction/transaction.tsx',
    title: 'Transaction :txHash · :chainId',
    first: '/v1/chains/:chainId/transactions/:txHash',
  },
  address: {
    path: '/chain/:chainId/address/:address',
    module: 'evm/address/address.tsx',
    title: 'Address :address · :chainId',
  },
  tokens: {
    path: '/chain/:chainId/tokens',
    module: 'tokens/tokens.tsx',
    title: 'Tokens · :chainId',
  },
  nfts: {
    path: '/chain/:chainId/nfts',
    module: 'tokens/collections/collections.tsx',
    title: 'NFTs · :chainId',
  },
  token: {
    path: '/chain/:chainId/token/:address',
    module: 'tokens/token/token.tsx',
    title: 'Token :address · :chainId',
    picture: { operation: 'getTokenPicture', alt: 'Holders of the token', values: { chart: 'holders' } },
  },
  nft: {
    path: '/chain/:chainId/nft/:address/:tokenId',
    module: 'tokens/nft/nft.tsx',
    title: 'NFT :tokenId of :address · :chainId',
  },
  contracts: {
    path: '/chain/:chainId/contracts',
    module: 'evm/contracts/contracts.tsx',
    title: 'Contracts · :chainId',
  },
  network: {
    path: '/networks/:network',
    module: 'network/network.tsx',
    title: 'Primary Network · :network',
    picture: { operation: 'getNetworkTransactionsPicture', alt: 'Transactions by chain' },
  },
  networkMetrics: {
    path: '/networks/:network/metrics',
    module: 'metrics/network-metrics.tsx',
    title: 'Metrics · :network',
    picture: { operation: 'getNetworkMetricPicture', alt: 'Total stake', values: { metric: 'totalStake' } },
  },
  networkMetric: {
    path: '/networks/:network/metrics/:metric',
    module: 'metrics/network-metric.tsx',
    title: ':metric · :network',
    picture: { operation: 'getNetworkMetricPicture' },
  },
  vertices: {
    path: '/networks/:network/vertices',
    module: 'primary/vertices.tsx',
    title: 'Vertices · :network',
    picture: { operation: 'getVerticesPicture', alt: 'Vertices of the X-Chain' },
  },
  vertex: {
    path: '/networks/:network/vertices/:vertexHash',
    module: 'primary/vertex.tsx',
    title: 'Vertex :vertexHash · :network',
  },
  subnets: {
    path: '/networks/:network/subnets',
    module: 'network/subnets.tsx',
    title: 'Subnets · :network',
  },
  subnet: {
    path: '/networks/:network/subnets/:subnetId',
    module: 'network/subnet/subnet.tsx',
    title: 'Subnet :subnetId · :network',
  },
  blockchains: {
    path: '/networks/:network/blockchains',
    module: 'network/blockchains.tsx',
    title: 'Blockchains · :network',
  },
  blockchain: {
    path: '/networks/:network/blockchains/:blockchainId',
    module: 'network/blockchain/blockchain.tsx',
    title: 'Blockchain :blockchainId · :network',
  },
  wallet: {
    path: '/networks/:network/addresses/:address',
    module: 'primary/address/address.tsx',
    title: 'Address :address · :network',
  },
  validators: {
    path: '/networks/:network/validators',
    module: 'network/validators/validators.tsx',
    title: 'Validators · :network',
    picture: {
      operation: 'getValidatorDistributionPicture',
      alt: 'Validators by stake',
      values: { chart: 'stake' },
    },
  },
  validator: {
    path: '/networks/:network/validators/:nodeId',
    module: 'network/validator/validator.tsx',
    title: 'Validator :nodeId · :network',
    picture: { operation: 'getValidatorPicture', alt: 'Delegated and own stake', values: { chart: 'stake' } },
  },
  l1Validators: {
    path: '/networks/:network/l1-validators',
    module: 'network/l1-validators/l1-validators.tsx',
    title: 'L1 validators · :network',
  },
  l1Validator: {
    path: '/networks/:network/l1-validators/:validationId',
    module: 'network/l1-validator/l1-validator.tsx',
    title: 'L1 validator :validationId · :network',
    picture: {
      operation: 'getL1ValidatorPicture',
      alt: 'Balance of the L1 validator',
      values: { chart: 'balance' },
    },
  },
  primaryBlocks: {
    path: '/networks/:network/:chain/blocks',
    module: 'primary/blocks.tsx',
    title: 'Blocks · :chain',
  },
  primaryBlock: {
    path: '/networks/:network/:chain/block/:blockId',
    module: 'primary/block.tsx',
    title: 'Block :blockId · :chain',
    first: '/v1/networks/:network/blockchains/:chain/blocks/:blockId',
  },
  primaryTransactions: {
    path: '/networks/:network/:chain/transactions',
    module: 'primary/transactions.tsx',
    title: 'Transactions · :chain',
    picture: { operation: 'getTransactionTypesPicture', alt: 'Transactions by type' },
  },
  primaryTransaction: {
    path: '/networks/:network/:chain/tx/:txHash',
    module: 'primary/transaction/transaction.tsx',
    title: 'Transaction :txHash · :chain',
    first: '/v1/networks/:network/blockchains/:chain/transactions/:txHash',
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
    title: 'Fleet',
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
    title: 'Rule',
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
  },
  node: {
    path: '/node',
    module: 'node/node.tsx',
    title: 'Node',
  },
  api: {
    path: '/api',
    module: 'api/api.tsx',
    title: 'API',
  },
  sql: {
    path: '/sql',
    module: 'sql/sql.tsx',
    title: 'SQL',
  },
} as const satisfies Record<string, Page>

export type PageName = keyof typeof table

/**
 * Every page of the dashboard by its name. Routes, paths, previews, first lines and what a document loads first follow
 * from it; where two paths fit, the first page counts.
 */
export const pages: {
  readonly [Name in PageName]: Page & { readonly path: (typeof table)[Name]['path'] }
} = table

/** The first request of every page: the names of the chains, and the tokens in which their amounts are. */
export const chainsRequest = '/v1/chains?network=:ofProfile'

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
