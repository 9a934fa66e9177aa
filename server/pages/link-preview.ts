import { getMetricPicture, getNetworkMetricPicture } from '../../contract/metrics/pictures.ts'
import { COMPARE_SEPARATOR, mostSeries } from '../../contract/metrics/view.ts'
import { chainSeries } from '../../charts/catalogue/chain.ts'
import { groupOwner } from '../../charts/catalogue/groups.ts'
import { networkSeries } from '../../charts/catalogue/network.ts'
import type { Config } from '../kernel/config.ts'
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

/** The title of each page, with the names of its route's parameters; a path that only redirects has none. */
const titles: Readonly<Record<string, string>> = {
  '/': 'Overview',
  '/chains': 'Chains',
  '/chain/:chainId': ':chainId',
  '/chain/:chainId/metrics': 'Metrics · :chainId',
  '/chain/:chainId/metrics/:metric': ':metric · :chainId',
  '/chain/:chainId/hot': 'Hot · :chainId',
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
  '/search': 'Search',
  '/settings': 'Settings',
  '/addresses': 'Watch list',
  '/signatures': 'Signatures',
  '/node': 'Node',
  '/api': 'API',
}

const primaryChains = new Map([
  ['p-chain', 'P-Chain'],
  ['x-chain', 'X-Chain'],
  ['c-chain', 'C-Chain'],
])

/** The chart that pages lead with, beside those of one metric: `chain` and `network` are the ids in the path. */
const leading: Readonly<Record<string, 'all' | 'chain' | 'network'>> = {
  '/': 'all',
  '/chains': 'all',
  '/chain/:chainId': 'chain',
  '/chain/:chainId/metrics': 'chain',
  '/chain/:chainId/blocks': 'chain',
  '/chain/:chainId/transactions': 'chain',
  '/networks/:network': 'network',
  '/networks/:network/metrics': 'network',
  '/networks/:network/validators': 'network',
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
    const picture = pictureOf(route, ids, new URLSearchParams(query))
    return {
      title,
      ...(metric && { description: metric.about }),
      ...(picture !== undefined && {
        picture: { path: picture, alt: metric ? title : alts[leading[route] ?? 'all'] },
      }),
    }
  }

  function pictureOf(
    route: string,
    ids: Readonly<Record<string, string>>,
    search: URLSearchParams,
  ): string | undefined {
    if (ids['metric'] !== undefined)
      return ids['chainId'] === undefined
        ? networkPicture(ids['network'] ?? '', ids['metric'], search)
        : chainPicture(ids['chainId'], ids['metric'], search)
    switch (leading[route]) {
      case 'all': {
        const [first, ...others] = chains.slice(0, mostSeries).map(({ evmChainId }) => String(evmChainId))
        if (first === undefined) return undefined
        if (others.length > 0) {
          search.set('compare', others.join(COMPARE_SEPARATOR))
          search.set('mode', 'stacked')
        }
        return chainPicture(first, 'txCount', search)
      }
      case 'chain':
        return chainPicture(ids['chainId'] ?? '', 'txCount', search)
      case 'network':
        return networkPicture(ids['network'] ?? '', 'totalStake', search)
      case undefined:
        return undefined
    }
  }
}

const alts = {
  all: 'Transactions by chain',
  chain: 'Transactions of the chain',
  network: 'Total stake',
} as const

/** What a picture takes over from the page's query; its form is the preview's own. */
const taken = ['range', 'from', 'to', 'interval', 'scale', 'second', 'compare', 'mode'] as const

/** The query of a preview's picture: that of the page if the picture would accept it, else the default one. */
function queryOf(
  schema: { safeParse: (query: unknown) => { readonly success: boolean } },
  search: URLSearchParams,
): string {
  const wanted = taken.flatMap((key) => {
    const value = search.get(key)
    return value === null ? [] : [[key, value] as const]
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

const chainPicture = (chainId: string, metric: string, search: URLSearchParams): string =>
  `/embed/chain/${encodeURIComponent(chainId)}/metrics/${metric}.png?${queryOf(getMetricPicture.query, search)}`

const networkPicture = (network: string, metric: string, search: URLSearchParams): string =>
  `/embed/networks/${encodeURIComponent(network)}/metrics/${metric}.png?${queryOf(getNetworkMetricPicture.query, search)}`
