import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The service that the development server asks; the same variables configure `npm start`. */
const service = `http://${process.env['HOST'] ?? '127.0.0.1'}:${process.env['PORT'] ?? '4400'}`

/** Everything the service answers itself. A page's own path never starts like one of these. */
const served = '^/(v1|v2|ext|events|docs|health|ready|metrics)(/|\\?|$)|^/(config|openapi)\\.json(\\?|$)'

type IconModule = { __iconData: { node: readonly (readonly [string, Record<string, string>])[] } }

/** A symbol for each lucide icon that `components/icons.ts` names. */
async function drawIcons(): Promise<string> {
  const source = await readFile(at('./src/components/icons.ts'), 'utf8')
  const names = [...source.matchAll(/ icon\('([\w-]+)'\)/g)].map((match) => match[1] ?? '')
  const symbols = names.map(async (name) => {
    const { __iconData } = (await import(`lucide-react/icons/${name}`)) as IconModule
    const shapes = __iconData.node.map(([tag, { key: _key, ...attributes }]) => {
      const text = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`)
      return `<${tag}${text.join('')}/>`
    })
    return `<symbol id="icon-${name}" viewBox="0 0 24 24">${shapes.join('')}</symbol>`
  })
  return (await Promise.all(symbols)).join('')
}

/**
 * The icons as symbols of the document itself: less script than components, and unlike a file of their own they
 * are there when the service is away, which is when a page first needs the icon of a failure.
 */
const iconSymbols = (): Plugin => ({
  name: 'icon-symbols',
  transformIndexHtml: async () => [
    {
      tag: 'svg',
      attrs: { width: '0', height: '0', 'aria-hidden': 'true' },
      children: await drawIcons(),
      injectTo: 'body-prepend',
    },
  ],
})

/** Descriptions in the contract are for the OpenAPI document; the browser parses without them. */
const slimContract = (): Plugin => ({
  name: 'slim-contract',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/contract\/[\w-]+\.ts$/.test(id)) return null
    const slim = code
      .replace(/\.describe\(\s*'(?:[^'\\]|\\.)*',?\s*\)/g, '')
      .replace(/\.describe\(\s*"(?:[^"\\]|\\.)*",?\s*\)/g, '')
      .replace(/\.describe\(\s*`[^`]*`,?\s*\)/g, '')
      .replace(/\.meta\(\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\)/g, '')
      .replace(/^ {2}(?:summary|tag|description):\s*'(?:[^'\\]|\\.)*',$/gm, '')
    return { code: slim, map: null }
  },
})

/**
 * Vite wraps every lazy import in a helper that preloads what it needs. With nothing to preload it is a call,
 * and the one place where a failed one gets words that a person can use.
 */
const importHelper = `export const __vitePreload = (load) => load().catch((cause) => {
  const words = 'Its code did not arrive: the service may be away, or a newer version has taken its place.'
  throw Object.assign(new Error(words, { cause }), { name: 'Not loaded' })
})`
const plainImports = (): Plugin => ({
  name: 'plain-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? importHelper : null),
})

/** Tailwind repeats its custom properties for browsers without @property; ours all have it (`target`). */
const withoutPropertyFallback = (): Plugin => ({
  name: 'without-property-fallback',
  enforce: 'post',
  apply: 'build',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = String(file.source).replace(
          /@layer properties\{@supports [^{]+\{[^{]+\{[^}]*\}\}\}/,
          '',
        )
  },
})

/**
 * The router names its components for developers' tools, and makes them by calls that a bundler may not
 * leave out: with both said otherwise, its forms, prefetching and scrolling that no page uses are gone.
 */
const leanRouter = (): Plugin => ({
  name: 'lean-router',
  apply: 'build',
  transform(code, id) {
    if (!/\/react-router\/dist\/production\/chunk-[^/]+\.mjs$/.test(id)) return null
    const lean = code
      .replace(/^\w+\.displayName = "\w+";$/gm, '')
      .replace(/ = (React\d*\.(?:createContext|forwardRef|memo)\()/g, ' = /* @__PURE__ */ $1')
    return { code: lean, map: null }
  },
})

/** The first page's libraries are named in the document, so that they come beside the entry, not after it. */
const preloadEntry = (): Plugin => ({
  name: 'preload-entry',
  apply: 'build',
  transformIndexHtml: (_html, { chunk }) =>
    (chunk?.imports ?? []).map((file) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
      injectTo: 'head' as const,
    })),
})

// The package's own entry is its development build, whatever the mode.
const routerForUse = [
  { find: /^react-router$/, replacement: at('./node_modules/react-router/dist/production/index.mjs') },
  {
    find: /^react-router\/dom$/,
    replacement: at('./node_modules/react-router/dist/production/dom-export.mjs'),
  },
]

export default defineConfig(({ mode }) => ({
  plugins: [
    slimContract(),
    plainImports(),
    leanRouter(),
    react(),
    tailwindcss(),
    withoutPropertyFallback(),
    preloadEntry(),
    iconSymbols(),
  ],
  resolve: {
    // The contract is written with zod's method style, which carries every format, every locale and the
    // JSON schema writer (28 kB gzipped). The browser needs its parsers only: the same core, 8 kB.
    // Unit tests of every room share this file, so they keep the whole of zod.
    alias:
      mode === 'test'
        ? []
        : [
            { find: /^zod$/, replacement: at('./src/api/zod-browser.ts') },
            ...(mode === 'production' ? routerForUse : []),
          ],
  },
  server: {
    host: process.env['HOST'] ?? '127.0.0.1',
    port: Number(process.env['DEV_PORT'] ?? 4402),
    proxy: { [served]: { target: service, changeOrigin: true, ws: true } },
  },
  build: {
    outDir: 'dist/web',
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // Routes share few chunks, so the helper that preloads them would cost more than it saves.
    modulePreload: false,
    // A strict content security policy allows no data: scripts or styles; small files stay files.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rollupOptions: {
      // The schemas of the contract do nothing but exist: what no page uses of them must not be carried along.
      treeshake: { manualPureFunctions: ['z', 'operation', 'record', 'openEnum', 'paging', 'commaList'] },
      output: {
        // Two chunks that every route needs anyway, so that a release of ours leaves the libraries in the
        // browser's cache; everything else splits by route.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|react-router)\/|rolldown\/runtime/,
              priority: 3,
            },
            {
              name: 'app',
              test: /\/src\/(paths|api\/(?!addresses|balances|contracts|events|local-token|metrics|nfts|node|normalise|primary|search|signatures|tokens)|lib\/(?!freshness|feed|pace|series|lttb|export|download|ics|watch|search-guess|moment|paging)|pages\/(frame\/(?!connection|freshness-link|countdown|palette|primary|search-(items|field)|\w+-entries)|parts\/(route-)?failed)|components\/(hooks|icons|link|menu\.|dialog\.|part\.|states|skeleton|use-search))|contract\/(?!aggregation|events|limit-headers|local-token|metrics|node|operations|primary|search|signatures|warp|evm-(addresses|balances|contracts|nfts|tokens))|node_modules\/@tanstack\/(react-query|query-core)\/(?!.*([qQ]ueries|useInfinite|infiniteQueryO))/,
              priority: 2,
            },
            {
              name: 'parts',
              test: /\/src\/(components\/(table\/(table|rows|columns)|(address|amount|copy-button|figures|hash|identicon|page-title|pill|section|time-ago|tx-status)\.)|pages\/parts\/(feed\.|crumbs|method-label|use-remember)|lib\/paging)/,
              priority: 1,
            },
            {
              // All of it must be there before the service is not.
              name: 'freshness',
              test: /\/src\/(lib\/(freshness|feed-words|pace)|pages\/(parts\/(chain-state|chain-notice|live-updates|use-feed|feed-look)|frame\/(freshness-link|connection-notice)))\./,
              priority: 0,
            },
            {
              name: 'chain-list',
              test: /\/(src\/(pages\/parts\/chain-rows|components\/sparkline|api\/metrics)|contract\/metrics)\./,
              priority: 1,
            },
          ],
        },
      },
    },
  },
}))
