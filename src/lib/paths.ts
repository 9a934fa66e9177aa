type Query = Readonly<Record<string, string | number | undefined>>

function withQuery(path: string, query?: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value))
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

const id = encodeURIComponent

/**
 * The builder of every path of the dashboard. Ids are inserted unchanged; a query leaves out undefined and empty
 * values, so that defaults never reach the URL.
 */
export const paths = {
  overview: () => '/',
  chains: (query?: Query) => withQuery('/chains', query),
  chain: (chainId: string) => `/chain/${id(chainId)}`,
  chainConfig: (chainId: string) => withQuery(`/chain/${id(chainId)}`, { tab: 'configuration' }),
  metrics: (chainId: string, query?: Query) => withQuery(`/chain/${id(chainId)}/metrics`, query),
  metric: (chainId: string, metric: string, query?: Query) =>
    withQuery(`/chain/${id(chainId)}/metrics/${id(metric)}`, query),
  hot: (chainId: string, query?: Query) => withQuery(`/chain/${id(chainId)}/hot`, query),
  blocks: (chainId: string, query?: Query) => withQuery(`/chain/${id(chainId)}/blocks`, query),
  block: (chainId: string, blockId: string, query?: Query) =>
    withQuery(`/chain/${id(chainId)}/block/${id(blockId)}`, query),
  transactions: (chainId: string, query?: Query) => withQuery(`/chain/${id(chainId)}/transactions`, query),
  transaction: (chainId: string, txHash: string, query?: Query) =>
    withQuery(`/chain/${id(chainId)}/tx/${id(txHash)}`, query),
  address: (chainId: string, address: string) => `/chain/${id(chainId)}/address/${id(address)}`,
  tokens: (chainId: string, query?: Query) => withQuery(`/chain/${id(chainId)}/tokens`, query),
  token: (chainId: string, address: string, query?: Query) =>
    withQuery(`/chain/${id(chainId)}/token/${id(address)}`, query),
  nft: (chainId: string, address: string, tokenId: string, query?: Query) =>
    withQuery(`/chain/${id(chainId)}/nft/${id(address)}/${id(tokenId)}`, query),
  contracts: (chainId: string, query?: Query) => withQuery(`/chain/${id(chainId)}/contracts`, query),
  search: (text?: string) => withQuery('/search', { q: text }),
  network: (network: string) => `/networks/${id(network)}`,
  networkMetrics: (network: string, query?: Query) => withQuery(`/networks/${id(network)}/metrics`, query),
  networkMetric: (network: string, metric: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/metrics/${id(metric)}`, query),
  primaryBlocks: (network: string, chain: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/${id(chain)}/blocks`, query),
  primaryBlock: (network: string, chain: string, blockId: string) =>
    `/networks/${id(network)}/${id(chain)}/block/${id(blockId)}`,
  primaryTransactions: (network: string, chain: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/${id(chain)}/transactions`, query),
  primaryTransaction: (network: string, chain: string, txHash: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/${id(chain)}/tx/${id(txHash)}`, query),
  vertices: (network: string, query?: Query) => withQuery(`/networks/${id(network)}/vertices`, query),
  vertex: (network: string, vertexHash: string) => `/networks/${id(network)}/vertices/${id(vertexHash)}`,
  subnets: (network: string) => `/networks/${id(network)}/subnets`,
  subnet: (network: string, subnetId: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/subnets/${id(subnetId)}`, query),
  blockchains: (network: string) => `/networks/${id(network)}/blockchains`,
  blockchain: (network: string, blockchainId: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/blockchains/${id(blockchainId)}`, query),
  wallet: (network: string, address: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/addresses/${id(address)}`, query),
  validators: (network: string, query?: Query) => withQuery(`/networks/${id(network)}/validators`, query),
  validator: (network: string, nodeId: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/validators/${id(nodeId)}`, query),
  l1Validators: (network: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/l1-validators`, query),
  l1Validator: (network: string, validationId: string, query?: Query) =>
    withQuery(`/networks/${id(network)}/l1-validators/${id(validationId)}`, query),
  addresses: () => '/addresses',
  fleets: (query?: Query) => withQuery('/fleets', query),
  fleet: (fleetId: string, query?: Query) => withQuery(`/fleets/${id(fleetId)}`, query),
  alarms: (query?: Query) => withQuery('/alarms', query),
  rules: () => '/alarms/rules',
  rule: (ruleId: string, query?: Query) => withQuery(`/alarms/rules/${id(ruleId)}`, query),
  channels: () => '/alarms/channels',
  signatures: (query?: Query) => withQuery('/signatures', query),
  node: (query?: Query) => withQuery('/node', query),
  api: (query?: Query) => withQuery('/api', query),
  sql: (query?: Query) => withQuery('/sql', query),
  settings: () => '/settings',
} as const

/** The history state of a search that was sent with Enter: its only exact result opens at once. */
export const opensExact = { opensExact: true } as const
