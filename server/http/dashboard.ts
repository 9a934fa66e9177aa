import { existsSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Paths that are never a page of the dashboard. */
const notPages = /^\/(v1|v2|ext|events|docs|assets|health|ready|metrics|config\.json|openapi\.json)(\/|$)/

/**
 * Serves the built dashboard. Files under /assets carry a hash in their name and are kept for ever; every
 * other path that a browser asks a page of is index.html, which is asked for anew each time. Returns
 * what answers such a path, for the handler of unknown routes.
 */
export async function serveDashboard(
  app: FastifyInstance,
  folder: string | undefined,
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined> {
  // The plugin only lends its way of sending a file: which path is a file or a page is decided here.
  await app.register(staticFiles, { serve: false, cacheControl: false, dotfiles: 'deny' })
  if (folder === undefined) return () => undefined
  const index = join(folder, 'index.html')

  app.get('/assets/*', (request, reply) => {
    const name = (request.params as { '*': string })['*']
    void reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.sendFile(`assets/${name}`, folder)
  })
  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    if (notPages.test(path) || !existsSync(index)) return undefined
    void reply.header('cache-control', 'no-cache')
    const isFile = /\.[a-z0-9]{1,11}$/i.test(path)
    if (isFile) return existsSync(join(folder, path)) ? reply.sendFile(path, folder) : undefined
    return String(request.headers.accept ?? '').includes('text/html')
      ? reply.sendFile('index.html', folder)
      : undefined
  }
}
