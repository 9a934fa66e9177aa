import type { Operation } from '../../contract/base/operation.ts'
import { getMetricPicture, getNetworkMetricPicture } from '../../contract/pictures/metrics.ts'
import {
  chainsPicture,
  l1ValidatorPicture,
  networkTransactionsPicture,
  tokenPicture,
  transactionTypesPicture,
  validatorPicture,
  validatorSpreadPicture,
  verticesPicture,
} from '../../contract/pictures/pages.ts'
import { viewParameters } from '../../contract/metrics/view.ts'
import { chainSeries } from '../../charts/catalogue/chain.ts'
import { groupOwner } from '../../charts/catalogue/groups.ts'
import { networkSeries } from '../../charts/catalogue/network.ts'
import type { Config } from '../kernel/settings/config.ts'
import { clientPath, filledIn, type ClientPath } from './client-path.ts'

/** What a chat or a wiki shows of a link to a page (Open Graph), and the title of its document. */
export type LinkPreview = {
  readonly title: string
  readonly description?: string
  /** The chart that the page leads with. */
  readonly picture?: { readonly path: string; readonly alt: string }
}

/** The pictures that previews name, in pixels: the size that most sites show large, but scaled down. */
export const pictureSize = { width: 1200, height: 630 } as const

/** Two pixels for each CSS pixel, so that text can be read in a scaled picture. */
const density = 2

/** The title of each page, with the names of its route's parameters. */
const titles: Readonly<Record<string, string>> = {
  '/': 'Overview',
  '/chains': 'Chains',
  '/chain/:chainId': ':chainId',
  '/chain/:chainId/metrics': 'Metrics · :chainId',
  '/chain/:chainId/metrics/:metric': ':metric · :chainId',
  '/chain/:chainId/hot': 'Most used · :chainId',
  '/chain/:chainId/blocks': 'Blocks · :chainId',
  '/chain/:chainId/block/:blockId': 'Block :blockId · :chainId',
  '/chain/:chainId/transactions': 'Transactions · :chainId',
  '/chain/:chainId/tx/:txHash': 'Transaction :txHash · :chainId',
  '/chain/:chainId/address/:address': 'Address :address · :chainId',
  '/chain/:chainId/tokens': 'Tokens · :chainId',
  '/chain/:chainId/token/:address': 'Token :address · :chainId',
  '/chain/:chainId/nft/:address/:tokenId': 'NFT :tokenId of :address · :chainId',
  '/chain/:chainId/contracts': 'Contracts · :chainId',
  '/networks/:network': 'Primary Network · :network',
  '/networks/:network/metrics': 'Metrics · :network',
  '/networks/:network/metrics/:metric': ':metric · :network',
  '/networks/:network/vertices': 'Vertices · :network',
  '/networks/:network/vertices/:vertexHash': 'Vertex :vertexHash · :network',
  '/networks/:network/subnets': 'Subnets · :network',
  '/networks/:network/subnets/:subnetId': 'Subnet :subnetId · :network',
  '/networks/:network/blockchains': 'Blockchains · :network',
  '/networks/:network/blockchains/:blockchainId': 'Blockchain :blockchainId · :network',
  '/networks/:network/addresses/:address': 'Address :address · :network',
  '/networks/:network/validators': 'Validators · :network',
  '/networks/:network/validators/:nodeId': 'Validator :nodeId · :network',
  '/networks/:network/l1-validators': 'L1 validators · :network',
  '/networks/:network/l1-validators/:validationId': 'L1 validator :validationId · :network',
  '/networks/:network/:chain/blocks': 'Blocks · :chain',
  '/networks/:network/:chain/block/:blockId': 'Block :blockId · :chain',
  '/networks/:network/:chain/transactions': 'Transactions · :chain',
  '/networks/:network/:chain/tx/:txHash': 'Transaction :txHash · :chain',
  '/fleets': 'Fleets',
  '/fleets/:fleetId': 'Fleet',
  '/alarms': 'Alarms',
  '/alarms/rules': 'Rules',
  '/alarms/rules/:ruleId': 'Rule',
  '/alarms/channels': 'Channels',
  '/search': 'Search',
  '/settings': 'Settings',
  '/addresses': 'Watch list',
  '/signatures': 'Signatures',
  '/node': 'Node',
  '/api': 'API',
  '/sql': 'SQL',
}

const primaryChains = new Map([
  ['p-chain', 'P-Chain'],
  ['x-chain', 'X-Chain'],
  ['c-chain', 'C-Chain'],
])

/** A chart that pages lead with: the operation of its picture, what it is called, and fixed values of its path. */
type Leading = {
  readonly operation: Operation
  readonly alt: string
  readonly values?: Readonly<Record<string, string>>
}

const allChains: Leading = { operation: chainsPicture.picture, alt: 'Transactions by chain' }
const chainTransactions: Leading = {
  operation: getMetricPicture,
  alt: 'Transactions of the chain',
  values: { metric: 'txCount' },
}

/** The charts that pages lead with, beside those of one metric. */
const leading: Readonly<Record<string, Leading>> = {
  '/': allChains,
  '/chains': allChains,
  '/chain/:chainId': chainTransactions,
  '/chain/:chainId/metrics': chainTransactions,
  '/chain/:chainId/blocks': chainTransactions,
  '/chain/:chainId/transactions': chainTransactions,
  '/chain/:chainId/token/:address': {
    operation: tokenPicture.picture,
    alt: 'Holders of the token',
    values: { chart: 'holders' },
  },
  '/networks/:network': { operation: networkTransactionsPicture.picture, alt: 'Transactions by chain' },
  '/networks/:network/metrics': {
    operation: getNetworkMetricPicture,
    alt: 'Total stake',
    values: { metric: 'totalStake' },
  },
  '/networks/:network/:chain/transactions': {
    operation: transactionTypesPicture.picture,
    alt: 'Transactions by type',
  },
  '/networks/:network/vertices': { operation: verticesPicture.picture, alt: 'Vertices of the X-Chain' },
  '/networks/:network/validators': {
    operation: validatorSpreadPicture.picture,
    alt: 'Validators by stake',
    values: { chart: 'stake' },
  },
  '/networks/:network/validators/:nodeId': {
    operation: validatorPicture.picture,
    alt: 'Delegated and own stake',
    values: { chart: 'stake' },
  },
  '/networks/:network/l1-validators/:validationId': {
    operation: l1ValidatorPicture.picture,
    alt: 'Balance of the L1 validator',
    values: { chart: 'balance' },
  },
}

const shortened = (text: string): string =>
  text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text

/** The values of a path's parameters as they were meant; undefined if one is not UTF-8. */
function decoded(values: ClientPath['values']): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(values).map(([parameter, part = '']) => [parameter, decodeURIComponent(part)]),
    )
  } catch {
    return undefined
  }
}

/**
 * Previews of pages by their path and query (with its question mark, or empty). Undefined for what is no page, for a
 * chain, network or metric that the service does not have, and for the pages of other profiles. Nothing is read for
 * a preview: ids stand for themselves. What the path and the query say is not escaped.
 */
export function linkPreviews({
  chains,
  networks,
}: Pick<Config, 'chains' | 'networks'>): (path: string, query: string) => LinkPreview | undefined {
  /** What a parameter's value is called; undefined for what the service does not have. */
  const nameOf = (parameter: string, id: string): string | undefined => {
    switch (parameter) {
      case 'chainId':
        return (
          groupOwner(id)?.name ??
          chains.find(({ evmChainId, blockchainId }) => String(evmChainId) === id || blockchainId === id)
            ?.name
        )
      case 'network':
        return networks.find((network) => network.id === id)?.name
      case 'chain':
        return primaryChains.get(id)
      default:
        return shortened(id)
    }
  }

  return (path, query) => {
    const { route = '', profile, values = {} } = clientPath(path) ?? {}
    const template = titles[route]
    if (template === undefined || profile !== undefined) return undefined
    const ids = decoded(values)
    if (ids === undefined) return undefined
    const catalogue = 'chainId' in ids ? chainSeries : networkSeries
    const metric = catalogue.find(({ name }) => name === ids['metric'])
    const names = new Map(
      Object.entries(ids).map(([parameter, id]) => [
        parameter,
        parameter === 'metric' ? metric?.title : nameOf(parameter, id),
      ]),
    )
    if ([...names.values()].includes(undefined)) return undefined
    const title = filledIn(template, Object.fromEntries(names))
    const lead =
      metric === undefined
        ? leading[route]
        : { operation: 'chainId' in ids ? getMetricPicture : getNetworkMetricPicture, alt: title }
    const picture = lead && pictureOf(lead, ids, new URLSearchParams(query))
    return {
      title,
      ...(metric && { description: metric.about }),
      ...(picture !== undefined && { picture: { path: picture, alt: lead?.alt ?? title } }),
    }
  }
}

/** The path and query of a chart's picture; undefined where the page's ids are none of the contract. */
function pictureOf(
  { operation, values }: Leading,
  ids: Readonly<Record<string, string>>,
  search: URLSearchParams,
): string | undefined {
  const params: Readonly<Record<string, string>> = { ...ids, ...values, format: 'png' }
  if (!operation.params.safeParse(params).success) return undefined
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  return `${path}?${queryOf(operation.query, search)}`
}

/**
 * The query of a preview's picture: that of the page if the picture would accept it, else the default one. Its form is
 * the preview's own.
 */
function queryOf(schema: Operation['query'], search: URLSearchParams): string {
  const wanted = viewParameters.flatMap((key) => {
    const value = search.get(key)
    return value === null || !(key in schema.shape) ? [] : [[key, value] as const]
  })
  const given = schema.safeParse(Object.fromEntries(wanted)).success ? wanted : []
  const { width, height } = pictureSize
  return new URLSearchParams({
    ...Object.fromEntries(given),
    width: String(width / density),
    height: String(height / density),
    density: String(density),
  }).toString()
}
