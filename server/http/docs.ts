import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../contract/document/openapi.ts'
import type { Operation } from '../../contract/base/operation.ts'

/** The files of the page. The build puts them beside the program (vite.node.config.ts). */
const docsFiles = [
  'index.html',
  'start.js',
  'style.css',
  'theme.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
] as const

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

/** The folders of a clone with the files that the build puts into one: the page, the dashboard's theme, and the viewer. */
const sources = (): Readonly<Record<string, string>> => {
  const own = fileURLToPath(new URL('./viewer', import.meta.url))
  const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  return {
    'index.html': own,
    'start.js': own,
    'style.css': own,
    'theme.js': fileURLToPath(new URL('../../public', import.meta.url)),
    'swagger-ui.css': viewer,
    'swagger-ui-bundle.js': viewer,
  }
}

/** Where a file of the page is: beside the built program, or in a clone. */
function folderOf(file: string): string {
  const built = fileURLToPath(new URL('./docs', import.meta.url))
  return existsSync(`${built}/${file}`) ? built : (sources()[file] ?? built)
}

/** `/openapi.json`, and `/docs` with its viewer, all from our own origin. */
export function serveDocs(app: FastifyInstance, operations: readonly Operation[], version: string): void {
  // Made when it is first asked for: it takes a second.
  let document: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(operations, version))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  for (const file of docsFiles) {
    const path = file === 'index.html' ? '/docs' : `/docs/${file}`
    const type = types[file.slice(file.lastIndexOf('.') + 1) as keyof typeof types]
    const folder = folderOf(file)
    app.get(path, (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=3600').type(type)
      return reply.sendFile(file, folder)
    })
  }
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
}
