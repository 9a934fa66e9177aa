import { clientRoutes } from '../../contract/client-routes.ts'
import { getMetricPicture, getNetworkMetricPicture } from '../../contract/metrics/pictures.ts'
import { COMPARE_SEPARATOR, mostSeries } from '../../contract/metrics/view.ts'
import { chainSeries } from '../../charts/catalogue/chain.ts'
import type { SeriesDefinition } from '../../charts/catalogue/definition.ts'
import { groupOwner } from '../../charts/catalogue/groups.ts'
import { networkSeries } from '../../charts/catalogue/network.ts'
import type { Config } from '../kernel/config.ts'
import { routePattern } from './route-pattern.ts'

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

type Subject = {
  /** The names of the parameters of the route, ids shortened. */
  readonly named: Readonly<Record<string, string>>
  readonly metric: SeriesDefinition | undefined
}

/** The title of each page; a path that only redirects has none. */
const titles: Readonly<Record<string, (subject: Subject) => string | undefined>> = {
  '/': () => 'Overview',
  '/chains': () => 'Chains',
  '/chain/:chainId': ({ named }) => named['chainId'],
  '/chain/:chainId/metrics': ({ named }) => `Metrics · ${named['chainId']}`,
  '/chain/:chainId/metrics/:metric': ({ named, metric }) => metric && `${metric.title} · ${named['chainId']}`,
  '/chain/:chainId/hot': ({ named }) => `Hot · ${named['chainId']}`,
  '/chain/:chainId/blocks': ({ named }) => `Blocks · ${named['chainId']}`,
  '/chain/:chainId/block/:blockId': ({ named }) => `Block ${named['blockId']} · ${named['chainId']}`,
  '/chain/:chainId/transactions': ({ named }) => `Transactions · ${named['chainId']}`,
  '/chain/:chainId/tx/:txHash': ({ named }) => `Transaction ${named['txHash']} · ${named['chainId']}`,
  '/chain/:chainId/address/:address': ({ named }) => `Address ${named['address']} · ${named['chainId']}`,
  '/chain/:chainId/tokens': ({ named }) => `Tokens · ${named['chainId']}`,
  '/chain/:chainId/token/:address': ({ named }) => `Token ${named['address']} · ${named['chainId']}`,
  '/chain/:chainId/nft/:address/:tokenId': ({ named }) =>
    `NFT ${named['tokenId']} of ${named['address']} · ${named['chainId']}`,
  '/chain/:chainId/contracts': ({ named }) => `Contracts · ${named['chainId']}`,
  '/networks/:network': ({ named }) => `Primary Network · ${named['network']}`,
  '/networks/:network/metrics': ({ named }) => `Metrics · ${named['network']}`,
  '/networks/:network/metrics/:metric': ({ named, metric }) =>
    metric && `${metric.title} · ${named['network']}`,
  '/networks/:network/vertices': ({ named }) => `Vertices · ${named['network']}`,
  '/networks/:network/vertices/:vertexHash': ({ named }) =>
    `Vertex ${named['vertexHash']} · ${named['network']}`,
  '/networks/:network/subnets': ({ named }) => `Subnets · ${named['network']}`,
  '/networks/:network/subnets/:subnetId': ({ named }) => `Subnet ${named['subnetId']} · ${named['network']}`,
  '/networks/:network/blockchains': ({ named }) => `Blockchains · ${named['network']}`,
  '/networks/:network/blockchains/:blockchainId': ({ named }) =>
    `Blockchain ${named['blockchainId']} · ${named['network']}`,
  '/networks/:network/addresses/:address': ({ named }) => `Address ${named['address']} · ${named['network']}`,
  '/networks/:network/validators': ({ named }) => `Validators · ${named['network']}`,
  '/networks/:network/validators/:nodeId': ({ named }) =>
    `Validator ${named['nodeId']} · ${named['network']}`,
  '/networks/:network/l1-validators': ({ named }) => `L1 validators · ${named['network']}`,
  '/networks/:network/l1-validators/:validationId': ({ named }) =>
    `L1 validator ${named['validationId']} · ${named['network']}`,
  '/networks/:network/:chain/blocks': ({ named }) => `Blocks · ${named['chain']}`,
  '/networks/:network/:chain/block/:blockId': ({ named }) => `Block ${named['blockId']} · ${named['chain']}`,
  '/networks/:network/:chain/transactions': ({ named }) => `Transactions · ${named['chain']}`,
  '/networks/:network/:chain/tx/:txHash': ({ named }) => `Transaction ${named['txHash']} · ${named['chain']}`,
  '/search': () => 'Search',
  '/settings': () => 'Settings',
  '/addresses': () => 'Watch list',
  '/signatures': () => 'Signatures',
  '/node': () => 'Node',
  '/api': () => 'API',
}

const primaryChains: Readonly<Record<string, string>> = {
  'p-chain': 'P-Chain',
  'x-chain': 'X-Chain',
  'c-chain': 'C-Chain',
}

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

/** A part of a path as it was meant; undefined if it is not UTF-8. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
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
  const pages = Object.keys(clientRoutes).map((route) => ({ route, pattern: routePattern(route) }))

  const nameOf = (parameter: string, id: string): string | undefined => {
    if (parameter === 'chainId')
      return (
        groupOwner(id)?.name ??
        chains.find(({ evmChainId, blockchainId }) => String(evmChainId) === id || blockchainId === id)?.name
      )
    if (parameter === 'network') return networks.find((network) => network.id === id)?.name
    if (parameter === 'chain') return primaryChains[id]
    return shortened(id)
  }

  return (path, query) => {
    for (const { route, pattern } of pages) {
      const match = pattern.exec(path)
      if (match === null) continue
      const { profile, ...groups } = match.groups ?? {}
      if (profile !== undefined) return undefined
      const ids: Record<string, string> = {}
      const named: Record<string, string> = {}
      for (const [parameter, part] of Object.entries(groups)) {
        const id = part === undefined ? undefined : decoded(part)
        const name = id === undefined ? undefined : nameOf(parameter, id)
        if (id === undefined || name === undefined) return undefined
        ids[parameter] = id
        named[parameter] = name
      }
      const catalogue = 'chainId' in ids ? chainSeries : networkSeries
      const metric = catalogue.find(({ name }) => name === ids['metric'])
      const title = titles[route]?.({ named, metric })
      if (title === undefined) return undefined
      const picture = pictureOf(route, ids, new URLSearchParams(query))
      return {
        title,
        ...(metric && { description: metric.about }),
        ...(picture !== undefined && {
          picture: { path: picture, alt: metric ? title : alts[leading[route] ?? 'all'] },
        }),
      }
    }
    return undefined
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
