import { viewParameters } from '../../../contract/metrics/view.ts'
import { useOffers } from '../../api/current.ts'
import type { ChartCopy } from '../../components/charts/chart-menu.tsx'

/** What a picture takes over from a query: that of a view, and which kind of a token it shows. */
const taken = [...viewParameters, 'ercType'] as const

/** What the service draws of a chart: two kinds of pictures, and a page for iframes. */
type EmbedForm = 'svg' | 'png' | 'frame'

/**
 * The path and query of what the service draws of a chart (docs/embedding.md): `path` is that of the picture without
 * `/embed` and the format, `search` the query of the chart's page.
 */
export function embedAddress(path: string, search: URLSearchParams, form: EmbedForm): string {
  const kept = taken.flatMap((name) => {
    const value = search.get(name)
    return value === null ? [] : [[name, value]]
  })
  const query = new URLSearchParams(kept).toString()
  return `/embed${path}${form === 'frame' ? '' : `.${form}`}${query && `?${query}`}`
}

const written = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** The HTML with which a page of another site shows a chart: `address` is absolute, `name` the chart's. */
export const frameCode = (address: string, name: string): string =>
  `<iframe src="${written(address)}" title="${written(name)}" width="800" height="420" style="border: 0" loading="lazy"></iframe>`

/** What the menu of a chart copies for other sites. */
export function embedCopies(path: string, search: URLSearchParams, name: string): ChartCopy[] {
  const address = (form: EmbedForm): string => new URL(embedAddress(path, search, form), location.href).href
  return [
    { label: 'Copy picture address', note: 'An SVG that follows the data', textOf: () => address('svg') },
    { label: 'Copy PNG address', note: 'The same for chats and mail', textOf: () => address('png') },
    {
      label: 'Copy iframe code',
      note: 'For sites that the settings allow',
      textOf: () => frameCode(address('frame'), name),
    },
  ]
}

/** The same; undefined for a deployment whose service does not draw the picture, which is an operation of the contract. */
export function useEmbedCopies(
  operationId: string,
  path: string,
  search: URLSearchParams,
  name: string,
): ChartCopy[] | undefined {
  return useOffers(operationId) ? embedCopies(path, search, name) : undefined
}
