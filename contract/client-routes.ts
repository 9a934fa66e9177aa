/**
 * The paths of the dashboard's pages, in the router's notation, each with the module of `src/pages` that draws it. The
 * service answers each of them with the dashboard for every client, and the dashboard's routes are these and a page for
 * what is not found. A profile other than the default stands before them: `/p/<profile>`.
 */
export const clientRoutes: Readonly<Record<string, string>> = {
  '/': 'overview/overview.tsx',
  '/chains': 'overview/chains.tsx',
  '/chain/:chainId': 'overview/chain.tsx',
  '/chain/:chainId/metrics': 'metrics/metrics.tsx',
  '/chain/:chainId/metrics/:metric': 'metrics/metric.tsx',
  '/chain/:chainId/hot': 'metrics/hot/hot.tsx',
  '/chain/:chainId/blocks': 'evm/blocks.tsx',
  '/chain/:chainId/block/:blockId': 'evm/block.tsx',
  '/chain/:chainId/transactions': 'evm/transactions.tsx',
  '/chain/:chainId/tx/:txHash': 'evm/transaction/transaction.tsx',
  '/chain/:chainId/address/:address': 'evm/address/address.tsx',
  '/chain/:chainId/tokens': 'tokens/tokens.tsx',
  '/chain/:chainId/token/:address': 'tokens/token/token.tsx',
  '/chain/:chainId/nft/:address/:tokenId': 'tokens/nft/nft.tsx',
  '/chain/:chainId/contracts': 'evm/contracts/contracts.tsx',
  '/networks/:network': 'network/network.tsx',
  '/networks/:network/metrics': 'metrics/network-metrics.tsx',
  '/networks/:network/metrics/:metric': 'metrics/network-metric.tsx',
  '/networks/:network/vertices': 'primary/vertices.tsx',
  '/networks/:network/vertices/:vertexHash': 'primary/vertex.tsx',
  '/networks/:network/subnets': 'network/subnets.tsx',
  '/networks/:network/subnets/:subnetId': 'network/subnet.tsx',
  '/networks/:network/blockchains': 'network/blockchains.tsx',
  '/networks/:network/blockchains/:blockchainId': 'network/blockchain/blockchain.tsx',
  '/networks/:network/addresses/:address': 'primary/address/address.tsx',
  '/networks/:network/validators': 'network/validators/validators.tsx',
  '/networks/:network/validators/:nodeId': 'network/validator/validator.tsx',
  '/networks/:network/l1-validators': 'network/l1-validators/l1-validators.tsx',
  '/networks/:network/l1-validators/:validationId': 'network/l1-validator/l1-validator.tsx',
  '/networks/:network/:chain/blocks': 'primary/blocks.tsx',
  '/networks/:network/:chain/block/:blockId': 'primary/block.tsx',
  '/networks/:network/:chain/transactions': 'primary/transactions.tsx',
  '/networks/:network/:chain/tx/:txHash': 'primary/transaction/transaction.tsx',
  '/search': 'search.tsx',
  '/settings': 'settings.tsx',
  '/addresses': 'watch/watch-page.tsx',
  '/fleets': 'watch/fleets/fleets.tsx',
  '/fleets/:fleetId': 'watch/fleet/fleet.tsx',
  '/alarms': 'watch/alarms/alarms.tsx',
  '/alarms/rules': 'watch/rules/rules.tsx',
  '/alarms/rules/:ruleId': 'watch/rules/rule.tsx',
  '/alarms/channels': 'watch/channels/channels.tsx',
  '/signatures': 'signatures/signatures.tsx',
  '/node': 'node/node.tsx',
  '/api': 'api/api.tsx',
  '/sql': 'sql/sql.tsx',
}

/**
 * The requests that a page sends before it can show anything, in the parameters of its route, where `:ofProfile` is the
 * network of the default profile. The service names them in the document, so that the answers arrive while the code is
 * loading.
 */
export const firstRequests: Readonly<Record<string, string>> = {
  '/': '/v1/traffic?network=:ofProfile',
  '/chains': '/v1/traffic?network=:ofProfile',
  '/chain/:chainId/block/:blockId': '/v1/chains/:chainId/blocks/:blockId',
  '/chain/:chainId/tx/:txHash': '/v1/chains/:chainId/transactions/:txHash',
  '/networks/:network/:chain/block/:blockId': '/v1/networks/:network/blockchains/:chain/blocks/:blockId',
  '/networks/:network/:chain/tx/:txHash': '/v1/networks/:network/blockchains/:chain/transactions/:txHash',
}

/** The first request of every page: the names of the chains, and the tokens in which their amounts are. */
export const chainsRequest = '/v1/chains?network=:ofProfile'

/** The page of alarms for links in messages and feeds, with the alarms of one fleet if it is given. */
export const alarmsPage = (fleetId?: string): string =>
  fleetId === undefined ? '/alarms' : `/alarms?fleet=${encodeURIComponent(fleetId)}`
