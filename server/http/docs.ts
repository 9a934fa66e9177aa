import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../contract/document/openapi.ts'
import type { Operation } from '../../contract/base/operation.ts'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Ridgeline API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="operations"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

// A separate file, because the content security policy allows no inline script.
const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
})
`

const files = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const

/** Where the viewer's files are: beside the built program, or in its package, which only a clone has. */
function viewerFolder(): string {
  const built = fileURLToPath(new URL('./docs', import.meta.url))
  if (existsSync(`${built}/${files[0]}`)) return built
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

/** `/openapi.json`, and `/docs` with its viewer, all from our own origin. */
export function serveDocs(app: FastifyInstance, operations: readonly Operation[], version: string): void {
  // Made when it is first asked for: it takes a second.
  let document: string | undefined
  const folder = viewerFolder()

  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(operations, version))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
  app.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  )
  for (const file of files) {
    app.get(`/docs/${file}`, (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=3600')
      return reply.sendFile(file, folder)
    })
  }
}
