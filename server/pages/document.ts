import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasTag, weakTag } from '../http/bind.ts'
import { markupText } from '../kernel/markup.ts'
import type { Prerendered } from './prerender.ts'
import { pictureSize, type LinkPreview } from './link-preview.ts'

/** A host name or an address with an optional port, as it may stand in an absolute URL. */
const plainHost = /^(?:[\da-z](?:[\da-z.-]{0,251}[\da-z])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * The origin under which the caller reached the service, for the absolute URLs that Open Graph asks for; `publicUrl`
 * is the operator's own. Undefined for a Host that is none: it would stand in the document.
 */
function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  return plainHost.test(host) ? `${protocol}://${host}` : undefined
}

const meta = (property: string, content: string): string =>
  `<meta property="${property}" content="${markupText(content)}" />`

/** Writes a page's title, description and picture into the head of index.html, instead of those of all pages. */
export function describeDocument(html: string, preview: LinkPreview, origin: string | undefined): string {
  const { title, description, picture } = preview
  const named = `${title} · Ridgeline`
  const image =
    picture === undefined || origin === undefined
      ? []
      : [
          meta('og:image', `${origin}${picture.path}`),
          meta('og:image:type', 'image/png'),
          meta('og:image:width', String(pictureSize.width)),
          meta('og:image:height', String(pictureSize.height)),
          meta('og:image:alt', picture.alt),
          '<meta name="twitter:card" content="summary_large_image" />',
        ]
  return html
    .replace(/<meta\s+property="og:title"[^>]*>/, () => [meta('og:title', named), ...image].join('\n    '))
    .replace(/<meta\s+property="og:description"[^>]*>/, (all) =>
      description === undefined ? all : meta('og:description', description),
    )
    .replace(/<title>[^<]*<\/title>/, () => `<title>${markupText(named)}</title>`)
}

/** The markup of the page with its sheet, which the answer's content security policy allows by its hash. */
function withPage(reply: FastifyReply, { markup, sheet }: Prerendered): string {
  if (sheet === '') return markup
  const hash = createHash('sha256').update(sheet).digest('base64')
  const policy = String(reply.getHeader('content-security-policy'))
  void reply.header(
    'content-security-policy',
    policy.replace("style-src 'self'", `style-src 'self' 'sha256-${hash}'`),
  )
  return `<style>${sheet}</style>${markup}`
}

/** Answers the document of a page; a 304 to a browser that has it already. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    html,
    drawn,
    preview,
    publicUrl,
  }: {
    readonly html: string
    readonly drawn: Prerendered | undefined
    readonly preview: LinkPreview | undefined
    readonly publicUrl: string | undefined
  },
): FastifyReply {
  const described =
    preview === undefined ? html : describeDocument(html, preview, originOf(request, publicUrl))
  const body =
    drawn === undefined
      ? described
      : described.replace('<div id="root"></div>', () => `<div id="root">${withPage(reply, drawn)}</div>`)
  const etag = weakTag(body)
  void reply.headers({ etag, 'cache-control': 'no-cache' })
  if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(body)
}
