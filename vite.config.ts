import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The service that the development server asks; the same variables configure `npm start`. */
const service = `http://${process.env['HOST'] ?? '127.0.0.1'}:${process.env['PORT'] ?? '4400'}`

/** Everything the service answers itself. A page's own path never starts like one of these. */
const served = '^/(v1|v2|ext|events|docs|health|ready|metrics)(/|\\?|$)|^/(config|openapi)\\.json(\\?|$)'

export default defineConfig(({ mode }) => ({
  plugins: [react(), tailwindcss()],
  resolve: {
    // The contract is written with zod's method style, which carries every format, every locale and the
    // JSON schema writer (28 kB gzipped). The browser needs its parsers only: the same core, 8 kB.
    // Unit tests of every room share this file, so they keep the whole of zod.
    alias: mode === 'test' ? [] : [{ find: /^zod$/, replacement: at('./src/lib/zod-browser.ts') }],
  },
  server: {
    host: process.env['HOST'] ?? '127.0.0.1',
    port: Number(process.env['DEV_PORT'] ?? 4402),
    proxy: { [served]: { target: service, changeOrigin: true } },
  },
  build: {
    outDir: 'dist/web',
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A strict content security policy allows no data: scripts or styles; small files stay files.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        // Two chunks that every route needs anyway, so that a release of ours leaves the libraries in the
        // browser's cache; everything else splits by route.
        advancedChunks: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\//, priority: 3 },
            { name: 'data', test: /node_modules\/(@tanstack\/(react-query|query-core)|zod)\//, priority: 2 },
          ],
        },
      },
    },
  },
}))
