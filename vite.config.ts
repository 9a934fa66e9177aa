import tailwindcss from '@tailwindcss/vite'
import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { defineConfig, parseAst, type Plugin } from 'vite'
import { contentPolicy } from './contract/content-policy.ts'
import { openApiDocument } from './contract/document/openapi.ts'
import { operations } from './contract/operations.ts'
import { profileSettingsOf, shippedProfiles, staticConfig } from './contract/profile-settings.ts'
import pack from './package.json' with { type: 'json' }
import * as icons from './src/components/icons.ts'

/** The service that the development server forwards to; the same variables configure `npm start`. */
const service = `http://${process.env['HOST'] ?? '127.0.0.1'}:${process.env['PORT'] ?? '4400'}`

/** Every path that the service answers itself. No page has a path that starts like one of these. */
const servicePaths = '^/(v1|v2|ext|events|health|ready|metrics)(/|\\?|$)|^/(config|openapi)\\.json(\\?|$)'

async function symbolOf(name: string): Promise<string> {
  const { default: Icon } = (await import(`lucide-react/icons/${name}`)) as { default: ComponentType }
  return renderToStaticMarkup(createElement(Icon))
    .replace(/^<svg[^>]*>/, `<symbol id="icon-${name}" viewBox="0 0 24 24">`)
    .replace(/<\/svg>$/, '</symbol>')
}

/**
 * Draws the icons of `components/icons.ts` into index.html as symbols. The document carries them, not a file of
 * their own, because the page needs them most when the service is away.
 */
const iconSprite = (): Plugin => ({
  name: 'icon-sprite',
  transformIndexHtml: async () => [
    {
      tag: 'svg',
      attrs: { width: '0', height: '0', 'aria-hidden': 'true' },
      children: (await Promise.all(Object.values(icons).map((icon) => symbolOf(icon.displayName)))).join(''),
      injectTo: 'body-prepend',
    },
  ],
})

/** The `config.json` of a static build: the one that `npm run build:static -- --config` names, or the profiles that ship. */
function configOfStatic(): unknown {
  const file = process.env['RIDGELINE_STATIC_CONFIG']
  if (file === undefined) return { profiles: shippedProfiles }
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const { error, data } = staticConfig.safeParse(content)
  const named = profileSettingsOf(new Set(operations.map(({ id }) => id))).safeParse(data?.profiles ?? [])
  const problems = [error, named.error]
    .flatMap((one) => one?.issues ?? [])
    .map(({ path, message }) => `${path.join('.')}: allowed: ${message}`)
  if (problems.length > 0) throw new Error(`${file}\n${problems.join('\n')}`)
  return content
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/**
 * What a static build has in place of a service: a policy in the document, where no header can set it (the page narrows
 * it when it has read which URLs its profiles have), its configuration, and the description of all operations.
 */
const staticFiles = (config = configOfStatic()): Plugin => ({
  name: 'static-files',
  transformIndexHtml: (html) => ({
    html: html.replace('href="/config.json"', 'href="./config.json"'),
    tags: [
      {
        tag: 'meta',
        attrs: {
          'http-equiv': 'Content-Security-Policy',
          content: Object.entries(contentPolicy(['*']))
            .map(([name, sources]) => `${name} ${sources.join(' ')}`)
            .join('; '),
        },
        injectTo: 'head-prepend',
      },
      { tag: 'meta', attrs: { name: 'referrer', content: 'no-referrer' }, injectTo: 'head' },
    ],
  }),
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'config.json', source: json(config) })
    const document = JSON.stringify(openApiDocument(operations, pack.version))
    this.emitFile({ type: 'asset', fileName: 'openapi.json', source: document })
  },
})

type Call = {
  readonly callee: {
    readonly object?: { readonly name?: string }
    readonly property?: { readonly name?: string }
  }
  readonly arguments: readonly { readonly start: number; readonly end: number }[]
}

/** Where the texts of `z.describe(…)` begin and end in a source, in order. */
function descriptionsIn(code: string): (readonly [start: number, end: number])[] {
  const found: (readonly [number, number])[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    Object.values(node).forEach(visit)
    if (!('type' in node) || node.type !== 'CallExpression') return
    const { callee, arguments: given } = node as unknown as Call
    const [text] = given
    if (callee.object?.name === 'z' && callee.property?.name === 'describe' && text)
      found.push([text.start, text.end])
  }
  visit(parseAst(code, { lang: 'ts' }))
  return found.sort(([left], [right]) => left - right)
}

/** Leaves out of the pages what only the operations' document tells: it would be 1 % of a page. */
const withoutDescriptions = (): Plugin => ({
  name: 'without-descriptions',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/contract/') || !code.includes('z.describe(')) return null
    let rest = 0
    let kept = ''
    for (const [start, end] of descriptionsIn(code)) {
      kept += `${code.slice(rest, start)}''`
      rest = end
    }
    return { code: kept + code.slice(rest), map: null }
  },
})

export default defineConfig(({ mode }) => ({
  // A static build may lie in any folder.
  ...(mode === 'static' && { base: './' }),
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(pack.version) },
  plugins: [
    withoutDescriptions(),
    react(),
    tailwindcss(),
    iconSprite(),
    ...(mode === 'static' ? [staticFiles()] : []),
  ],
  server: {
    host: process.env['HOST'] ?? '127.0.0.1',
    port: Number(process.env['DEV_PORT'] ?? 4402),
    proxy: { [servicePaths]: { target: service, changeOrigin: true, ws: true } },
  },
  build: {
    outDir: 'dist/web',
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // The service reads from it which chunks a page needs, and names them in the answer of the page's path. The same
    // list in the entry would cost each page 3 kB after gzip.
    manifest: mode !== 'static',
    modulePreload: false,
    // The content security policy allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    rollupOptions: {
      // The entry exports nothing that anyone imports: required for inlining.
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          // A page is a few scripts: the entry, what most pages share, and the page with its parts. Small modules that only
          // some pages share would be a chunk for each set of pages, dozens a page, which browsers fetch six at a time; they
          // are copied into the chunks that use them instead. A module with several copies still runs once and has one state
          // (rolldown.rs/in-depth/inline-common-chunks). The size is that of the sources, in bytes.
          experimentalInlineCommonChunks: { maxSize: 30_000 },
          groups: [{ name: 'shared', minShareCount: 54 }],
        },
      },
    },
  },
}))
