import { createHash } from 'node:crypto'
import { MediaAnswer, weakTag } from '../../http/bind.ts'
import { markupText } from '../../kernel/markup.ts'

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

/** A chart that a page for iframes shows. */
type Framed = {
  /** The path of its picture without `/embed` and the format. */
  readonly path: string
  /** The path of its own page, with a query where the chart is not what the page shows first. */
  readonly page: string
  readonly title: string
}

/** A path with a query, escaped for an attribute. */
function address(path: string, query: readonly (readonly [string, string])[]): string {
  const [base = '', own] = path.split('?')
  const text = new URLSearchParams(own)
  for (const [key, value] of query) text.set(key, value)
  return markupText(text.size === 0 ? base : `${base}?${text.toString()}`)
}

/**
 * A page with a chart for the iframes of other sites: no script, a picture of this service, and a link to the chart's
 * own page.
 */
function framePage({ path, page, title }: Framed, { theme, width, height, ...view }: FrameQuery): string {
  const viewed = Object.entries(view).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as const],
  )
  const picture = (shown: 'light' | 'dark'): string =>
    address(`/embed${path}.svg`, [
      ...viewed,
      ['theme', shown],
      ['width', String(width)],
      ['height', String(height)],
    ])
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
<a href="${address(page, viewed)}" target="_blank" rel="noopener">
<picture>${dark}<img src="${picture(theme ?? 'light')}" width="${width}" height="${height}" alt="${markupText(`${title}, open in Ridgeline`)}"></picture>
</a>
</body>
</html>
`
}

/** Answers pages for iframes, which the sites of `frameOrigins` may frame. */
export function frameAnswers(
  frameOrigins: readonly string[],
): (framed: Framed, query: FrameQuery) => MediaAnswer {
  const ancestors = frameOrigins.length === 0 ? `'none'` : frameOrigins.join(' ')
  const headers = {
    'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
    // It knows no list of sites; `frame-ancestors` replaces it (CSP Level 3, 6.4.2).
    'x-frame-options': undefined,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, no-cache',
  }
  return (framed, query) => {
    const body = Buffer.from(framePage(framed, query))
    return new MediaAnswer({ type: 'text/html', body, etag: weakTag(body), headers })
  }
}
