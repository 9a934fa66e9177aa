import type { Operation } from '../../contract/base/operation.ts'
import { filledIn, pages } from '../../contract/pages.ts'
import { primaryChainNames } from '../../contract/primary/chains.ts'
import { pagePictures } from '../../contract/page-pictures.ts'
import { pictures } from '../../contract/pictures/operations.ts'
import { viewParameters } from '../../contract/metrics/view.ts'
import { chainSeries } from '../../charts/catalogue/chain.ts'
import { groupOwner } from '../../charts/catalogue/groups.ts'
import { networkSeries } from '../../charts/catalogue/network.ts'
import type { Config } from '../kernel/settings/config.ts'
import { clientPath, type ClientPath } from './client-path.ts'

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

const chainNames = new Map(Object.entries(primaryChainNames))

/** The operations of pictures by their id. */
const operations = new Map(pictures.map((operation) => [operation.id, operation]))

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
 * Previews of pages by their path and query (with its question mark, or empty). Undefined for what is not a page, for a
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
        return chainNames.get(id)
      default:
        return shortened(id)
    }
  }

  return (path, query) => {
    const { page, profile, values = {} } = clientPath(path) ?? {}
    if (page === undefined || profile !== undefined) return undefined
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
    const lead = pagePictures[page]
    const title = filledIn(pages[page].title, Object.fromEntries(names))
    const operation = lead && operations.get(lead.operation)
    const picture = operation && pictureOf(operation, { ...ids, ...lead.values }, new URLSearchParams(query))
    return {
      title,
      ...(metric && { description: metric.about }),
      ...(picture !== undefined && { picture: { path: picture, alt: lead?.alt ?? title } }),
    }
  }
}

/** The path and query of a chart's picture; undefined where the page's ids are none of the contract. */
function pictureOf(
  operation: Operation,
  ids: Readonly<Record<string, string>>,
  search: URLSearchParams,
): string | undefined {
  const params: Readonly<Record<string, string>> = { ...ids, format: 'png' }
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
