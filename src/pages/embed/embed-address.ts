import { viewParameters } from '../../../contract/metrics/view.ts'

/** What a picture takes over from a query: that of a view, and which kind of a token it shows. */
const taken = [...viewParameters, 'ercType'] as const

/** What the service draws of a chart: two kinds of pictures, and a page for iframes. */
export type EmbedForm = 'svg' | 'png' | 'frame'

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

/** What a chart's menu copies: the absolute address of a picture, or the code of an iframe with the chart's name. */
export function embedText(form: EmbedForm, path: string, search: URLSearchParams, name: string): string {
  const address = new URL(embedAddress(path, search, form), location.href).href
  return form === 'frame' ? frameCode(address, name) : address
}
