import type { ChartCopy } from '../../components/charts/chart-menu.tsx'

/** What a page keeps in its URL and a picture does not have. */
const pageOnly = ['table', 'open']

/** What the service draws of a chart: two kinds of pictures, and a page for iframes. */
type EmbedForm = 'svg' | 'png' | 'frame'

/**
 * The path and query of what the service draws of a page's chart (docs/embedding.md): `path` is that of the page without
 * a profile, `search` its query.
 */
export function embedAddress(path: string, search: URLSearchParams, form: EmbedForm): string {
  const kept = new URLSearchParams(search)
  for (const name of pageOnly) kept.delete(name)
  const query = kept.toString()
  return `/embed${path}${form === 'frame' ? '' : `.${form}`}${query && `?${query}`}`
}

const written = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** The HTML with which a page of another site shows a chart: `address` is absolute, `name` the chart's. */
export const frameCode = (address: string, name: string): string =>
  `<iframe src="${written(address)}" title="${written(name)}" width="800" height="420" style="border: 0" loading="lazy"></iframe>`

/** What the menu of a page's chart copies for other sites. */
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
