import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { cacheFolder } from './paths.ts'

/** The empty shell with the same stack: the minimum of every page's first load. */
type Shell = {
  readonly folder: string
  /** Bytes of its scripts and styles after gzip. */
  readonly gzip: number
}

/** Builds the empty shell below `.cache/bench`. */
export async function buildShell(): Promise<Shell> {
  const folder = cacheFolder('shell')
  await build({
    configFile: false,
    root: fileURLToPath(new URL('../shell', import.meta.url)),
    logLevel: 'warn',
    plugins: [react(), tailwindcss()],
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false } },
  })
  const files = readdirSync(join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name))
  const sizes = files.map((name) => gzipSync(readFileSync(join(folder, 'assets', name)), { level: 6 }).length)
  return { folder, gzip: sizes.reduce((sum, size) => sum + size, 0) }
}

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
])

/** Serves a built shell with brotli, which every browser accepts from localhost. */
export async function serveShell(
  shell: Shell,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  const bodies = new Map(
    ['index.html', ...readdirSync(join(shell.folder, 'assets')).map((name) => `assets/${name}`)].map(
      (name) => [`/${name}`, brotliCompressSync(readFileSync(join(shell.folder, name)), quality)],
    ),
  )
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const body = bodies.get(path)
    if (!body) {
      response.writeHead(404).end()
      return
    }
    const type = types.get(extname(path)) ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'content-length': body.length })
    response.end(body)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
