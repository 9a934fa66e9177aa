import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Page } from '../http/failures.ts'
import { defaultNetwork } from '../http/profiles.ts'
import type { Config } from '../kernel/settings/config.ts'
import { clientPath } from './client-path.ts'
import { sendDocument } from './document.ts'
import { prerenderOf } from './prerender.ts'
import { linkPreviews } from './link-preview.ts'
import { pageLinks } from './page-links.ts'

const compress = promisify(brotliCompress)

/** Paths that are never a page of the dashboard. */
const notPages = /^\/(v1|v2|ext|events|assets|embed|health|ready|metrics|config\.json|openapi\.json)(\/|$)/

/** File types that are worth compressing, with their content types. */
const compressible = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
])

/**
 * Serves the built dashboard. Files under /assets have a hash in their name and are cached for ever. The path of a
 * page answers index.html for every client, whatever it accepts, with a `Link` header that names the page's chunks, and
 * with the page's title and picture for sites on which its link is shared, and, if `prerenderFile` is the module that draws
 * pages, with the page itself.
 * Any other path answers index.html to a browser, which shows there that the page does not exist. index.html is
 * always revalidated. Returns the handler of such paths, for the handler of unknown routes.
 */
export async function serveDashboard(
  app: FastifyInstance,
  folder: string | undefined,
  config: Config,
  prerenderFile: string | undefined,
): Promise<Page> {
  // The plugin only sends files: whether a path is a file or a page is decided here.
  await app.register(staticFiles, { serve: false, cacheControl: false, dotfiles: 'ignore' })
  if (folder === undefined) return () => undefined
  const index = join(folder, 'index.html')
  const compressed = compressedAssets(join(folder, 'assets'))
  const linkOf = await pageLinks(folder, defaultNetwork(config))
  // With sign-in, strangers learn no names of chains, networks and metrics: the page itself sets its title.
  const previewOf = config.signIn?.anonymous === false ? () => undefined : linkPreviews(config)
  const prerender =
    prerenderFile === undefined ? undefined : prerenderOf(app, prerenderFile, defaultNetwork(config))

  app.get('/assets/*', async (request, reply) => {
    const name = (request.params as { '*': string })['*']
    if (!/^\w[\w.-]*$/.test(name)) return reply.callNotFound()
    void reply.header('cache-control', 'public, max-age=31536000, immutable')
    const type = compressible.get(extname(name))
    if (type !== undefined && /\bbr\b/.test(request.headers['accept-encoding'] ?? '')) {
      const body = await compressed(name)
      if (body) {
        void reply.header('vary', 'accept-encoding').header('content-encoding', 'br')
        return reply.type(type).send(body)
      }
    }
    return reply.sendFile(`assets/${name}`, folder)
  })

  return (request, reply) => {
    const [path = '/', query = ''] = request.url.split(/(?=\?)/, 2)
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    if (notPages.test(path) || !existsSync(index)) return undefined
    if (/^\/\w[\w-]*\.\w{1,11}$/.test(path)) {
      if (!existsSync(join(folder, path))) return undefined
      void reply.header('cache-control', 'no-cache')
      return reply.sendFile(path, folder)
    }
    const isForBrowser = !path.includes('.') && (request.headers.accept ?? '').includes('text/html')
    const place = clientPath(path, query)
    const link = place && linkOf(place)
    if (!isForBrowser && link === undefined) return undefined
    if (link) void reply.header('link', link)
    return Promise.all([readFile(index, 'utf8'), place && prerender?.(place, request)]).then(
      ([html, drawn]) =>
        sendDocument(request, reply, {
          html,
          drawn,
          preview: previewOf(path, query),
          publicUrl: config.publicUrl,
        }),
    )
  }
}

/** The quality with which an asset is compressed while its first reader waits: 85 ms for the largest, which 11 holds up for 5 s. */
const firstQuality = 5

/**
 * Compresses assets with brotli: at once for the first who asks, and with the highest quality for those who come later, an
 * asset at a time. Both are kept for ever: names contain a hash, so their content never changes. Undefined for an unknown name.
 */
function compressedAssets(folder: string): (name: string) => Promise<Buffer | undefined> {
  const kept = new Map<string, Promise<Buffer | undefined>>()
  let smaller = Promise.resolve()
  const compressed = (content: Buffer, quality: number): Promise<Buffer> =>
    compress(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    })
  const make = async (name: string): Promise<Buffer | undefined> => {
    let content: Buffer
    try {
      content = await readFile(join(folder, name))
    } catch {
      kept.delete(name)
      return undefined
    }
    const body = await compressed(content, firstQuality)
    smaller = smaller
      .then(() => compressed(content, constants.BROTLI_MAX_QUALITY))
      // Without memory for it, the first stays.
      .then(
        (best) => void kept.set(name, Promise.resolve(best)),
        () => undefined,
      )
    return body
  }
  return (name) => {
    let body = kept.get(name)
    if (!body) {
      body = make(name)
      kept.set(name, body)
    }
    return body
  }
}
