import { createHash } from 'node:crypto'
import { getMetricFrame, getNetworkMetricFrame } from '../../../contract/metrics/pictures.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import type { SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { groupOwner } from '../../../charts/catalogue/groups.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import { implement, MediaAnswer, weakTag, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { markupText } from '../../kernel/markup.ts'
import { findNetwork } from '../../primary/served-network.ts'

/** The picture fills the frame's width; the page has no margin of its own. */
const style =
  'html{color-scheme:light dark}body{margin:0;font:14px system-ui,sans-serif}a,img{display:block}img{width:100%;height:auto}'

const styleHash = createHash('sha256').update(style).digest('base64')

/** Seconds after which the page asks for its picture again; an unchanged one costs a 304. */
const refresh = 300

/** The query of a page for iframes. */
type FrameQuery = Readonly<Record<string, string | number | undefined>> & {
  readonly theme?: 'light' | 'dark' | undefined
  readonly width: number
  readonly height: number
}

/**
 * A page with a chart for the iframes of other sites: no script, a picture of this service, and a link to the chart's
 * own page. `path` is that of the chart's page.
 */
function framePage(path: string, title: string, { theme, width, height, ...view }: FrameQuery): string {
  const viewed = Object.entries(view).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  )
  const address = (base: string, more: Readonly<Record<string, string>>): string => {
    const query = new URLSearchParams([...viewed, ...Object.entries(more)]).toString()
    return markupText(query === '' ? base : `${base}?${query}`)
  }
  const picture = (shown: 'light' | 'dark'): string =>
    address(`/embed${path}.svg`, { theme: shown, width: String(width), height: String(height) })
  const dark =
    theme === undefined ? `<source media="(prefers-color-scheme: dark)" srcset="${picture('dark')}">` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${refresh}">
<title>${markupText(title)}</title>
<style>${style}</style>
</head>
<body>
<a href="${address(path, {})}" target="_blank" rel="noopener">
<picture>${dark}<img src="${picture(theme ?? 'light')}" width="${width}" height="${height}" alt="${markupText(`${title}, open in Ridgeline`)}"></picture>
</a>
</body>
</html>
`
}

/** The charts of metrics for iframes (docs/embedding.md). */
export function frameRoutes({ chains, config }: RouteContext): Implementation[] {
  const ancestors = config.frameOrigins.length === 0 ? `'none'` : config.frameOrigins.join(' ')
  const headers = {
    'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
    // It knows no list of sites; \`frame-ancestors\` replaces it (CSP Level 3, 6.4.2).
    'x-frame-options': undefined,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, no-cache',
  }
  const answer = (path: string, title: string, query: FrameQuery): MediaAnswer => {
    const body = Buffer.from(framePage(path, title, query))
    return new MediaAnswer({ type: 'text/html', body, etag: weakTag(body), headers })
  }
  const titleOf = (list: readonly SeriesDefinition[], metric: string): string =>
    list.find(({ name }) => name === metric)?.title ?? metric

  return [
    implement(getMetricFrame, ({ params: { chainId, metric }, query }) => {
      const { chainId: id, name } = groupOwner(chainId) ?? named(chainId)
      return answer(`/chain/${id}/metrics/${metric}`, `${titleOf(chainSeries, metric)} · ${name}`, query)
    }),
    implement(getNetworkMetricFrame, ({ params: { network, metric }, query }) => {
      const { id } = findNetwork(config, network)
      const name = config.networks.find((one) => one.id === id)?.name ?? id
      return answer(`/networks/${id}/metrics/${metric}`, `${titleOf(networkSeries, metric)} · ${name}`, query)
    }),
  ]

  /** Throws a 404 for an unknown chain. */
  function named(chainId: string): { readonly chainId: string; readonly name: string } {
    const chain = chains.find(chainId)
    return { chainId: chain.id, name: chain.config.name }
  }
}
