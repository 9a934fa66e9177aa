import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Build,
  byteBudgets,
  budgetOf,
  filesOf,
  laterKeys,
  linkedFiles,
  measureRoutes,
  openBuild,
  type RouteBytes,
  routesOf,
} from './bytes.ts'
import { staticImports, type BuildManifest } from '../server/pages/build-manifest.ts'

const chunk = (file: string, rest: Partial<BuildManifest[string]> = {}): BuildManifest[string] => ({
  file,
  isEntry: false,
  isDynamicEntry: false,
  imports: [],
  dynamicImports: [],
  css: [],
  ...rest,
})

/** Two routes on one entry; the second imports a chunk that imports back, and one that is loaded later. */
const manifest: BuildManifest = {
  'index.html': chunk('assets/index.js', {
    isEntry: true,
    imports: ['_react.js'],
    dynamicImports: ['src/pages/a.tsx', 'src/pages/b.tsx', 'src/lib/late.ts'],
    css: ['assets/index.css'],
  }),
  '_react.js': chunk('assets/react.js'),
  'src/pages/a.tsx': chunk('assets/a.js', {
    src: 'src/pages/a.tsx',
    isDynamicEntry: true,
    imports: ['index.html'],
  }),
  'src/pages/b.tsx': chunk('assets/b.js', {
    src: 'src/pages/b.tsx',
    isDynamicEntry: true,
    imports: ['_table.js'],
    dynamicImports: ['src/lib/late.ts'],
    css: ['assets/b.css'],
  }),
  '_table.js': chunk('assets/table.js', { imports: ['_react.js', 'src/pages/b.tsx'] }),
  'src/lib/late.ts': chunk('assets/late.js', { src: 'src/lib/late.ts' }),
}

const graph = { manifest, pages: ['src/pages/a.tsx', 'src/pages/b.tsx'] }

describe('the graph of a build', () => {
  test('follows static imports, through circles, and no dynamic ones', () => {
    expect([...staticImports(manifest, ['src/pages/b.tsx'])].toSorted()).toEqual([
      '_react.js',
      '_table.js',
      'src/pages/b.tsx',
    ])
  })

  test('finds the chunk of each page, and refuses a page that is part of another chunk', () => {
    expect(routesOf(graph)).toEqual(['src/pages/a.tsx', 'src/pages/b.tsx'])
    expect(() => routesOf({ manifest, pages: ['src/pages/c.tsx'] })).toThrow('src/pages/c.tsx')
  })

  test('finds what a route loads later, other routes left out', () => {
    expect(laterKeys(graph, 'src/pages/b.tsx')).toEqual(['src/lib/late.ts'])
    expect(laterKeys(graph, 'src/pages/a.tsx')).toEqual([])
  })

  test('counts each file of a route once, styles included', () => {
    expect(filesOf(manifest, ['index.html', 'src/pages/b.tsx'])).toEqual([
      'assets/b.css',
      'assets/b.js',
      'assets/index.css',
      'assets/index.js',
      'assets/react.js',
      'assets/table.js',
    ])
  })
})

describe('the built dashboard', () => {
  let build: Build
  let routes: readonly RouteBytes[]
  beforeAll(() => {
    build = openBuild()
    routes = measureRoutes(build)
    // The dashboard is built first where its sources are newer.
  })

  test('has its pages in separate chunks', () => {
    expect(routes.length).toBeGreaterThan(30)
    expect(routes.filter((route) => route.charts)).toHaveLength(4)
  })

  test('holds the byte budget on every route', () => {
    const over = routes.filter(
      (route) => route.gzip > budgetOf(route) || route.gzipWithCharts > byteBudgets.charts * 1_000,
    )
    expect(over).toEqual([])
    expect(routes.filter((route) => route.gzipWithCharts > route.gzip).length).toBeGreaterThan(2)
  })

  test('loads no page before it is visited', () => {
    expect(routes.filter((route) => route.otherRoutes.length > 0)).toEqual([])
    const pages = new Set(routesOf(build).map((key) => build.manifest[key]?.file))
    expect(linkedFiles(build).filter((file) => pages.has(file))).toEqual([])
    expect(linkedFiles(build).length).toBeGreaterThan(0)
  })

  test('has no description of an operation that no page shows', async () => {
    const contract = new URL('../contract/', import.meta.url)
    const sources = await Promise.all(
      (await readdir(contract, { recursive: true }))
        .filter((name) => /^(base|evm|metrics|network|primary|tokens)\/.*\.ts$/.test(name))
        .map((name) => readFile(new URL(name, contract), 'utf8')),
    )
    const told = sources.flatMap((source) =>
      [...source.matchAll(/z\.describe\(\s*'([^'\\]{30,})'/g)].map(([, text = '']) => text),
    )
    expect(told.length).toBeGreaterThan(100)
    const files = new URL('../dist/web/assets/', import.meta.url)
    const scripts = (await readdir(files)).filter((name) => name.endsWith('.js'))
    const shipped = await Promise.all(scripts.map((name) => readFile(new URL(name, files), 'utf8')))
    const quoted = (text: string): string[] => ['`', '"', "'"].map((quote) => quote + text + quote)
    const isShipped = (text: string): boolean =>
      shipped.some((script) => quoted(text).some((each) => script.includes(each)))
    expect(told.filter(isShipped)).toEqual([])
  })
})
