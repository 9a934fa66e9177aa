import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { cacheFolder, root } from './support/paths.ts'
import type { Figure, Report } from './support/report.ts'

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    src: z.string().optional(),
    isEntry: z.boolean().default(false),
    isDynamicEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)

/** Vite's manifest: which file each module became and what that file imports. */
export type Manifest = z.infer<typeof manifestSchema>

/** A built dashboard: its folder, its manifest, and the sources of the pages that `src/routes.tsx` loads lazily. */
export type Build = {
  readonly folder: string
  readonly manifest: Manifest
  readonly pages: readonly string[]
}

/** What a page costs before it shows: its own chunk and everything that it and the entry import. */
export type RouteBytes = {
  /** The source of the route's module, below the repository. */
  readonly source: string
  readonly files: readonly string[]
  /** Bytes after gzip and after brotli, both at the level a server uses for files. */
  readonly gzip: number
  readonly brotli: number
  /** Bytes after gzip together with the largest part that the page loads later and that draws with the chart library. */
  readonly gzipWithCharts: number
  readonly charts: boolean
  /** Other routes' modules among what it loads: each should be loaded when it is visited. */
  readonly otherRoutes: readonly string[]
}

/** Budgets of docs/performance.md in kB (1,000 bytes) after gzip. */
export const byteBudgets = { plain: 175, charts: 300 } as const

/** The pages that exist to show charts. A sparkline on another page has to fit that page's budget. */
const isChartPage = (source: string): boolean => /\/metrics?\.tsx$/.test(source)

/** The budget of a route in bytes after gzip. */
export function budgetOf(route: RouteBytes): number {
  return byteBudgets[route.charts ? 'charts' : 'plain'] * 1_000
}

/** The keys that a key leads to by static imports, itself included. */
export function closure(manifest: Manifest, keys: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [...keys]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (reached.has(key)) continue
    reached.add(key)
    waiting.push(...(manifest[key]?.imports ?? []))
  }
  return reached
}

/** The keys of the pages' own chunks. Fails on a page that has none. */
export function routesOf({ manifest, pages }: Pick<Build, 'manifest' | 'pages'>): string[] {
  return pages.map((page) => {
    const key = Object.keys(manifest).find((each) => (manifest[each]?.src ?? each) === page)
    if (key === undefined || manifest[key]?.isDynamicEntry !== true)
      throw new Error(`${page} has no chunk of its own`)
    return key
  })
}

const entriesOf = (manifest: Manifest): string[] =>
  Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true)

/** The files that a page of these keys needs, styles included. */
export function filesOf(manifest: Manifest, keys: readonly string[]): string[] {
  const files = [...closure(manifest, keys)].flatMap((key) => {
    const chunk = manifest[key]
    return chunk ? [chunk.file, ...chunk.css] : []
  })
  return [...new Set(files)].filter((file) => /\.(js|css)$/.test(file)).toSorted()
}

/** The keys that a route may load while it is shown: dynamic imports below it that are no other routes. */
export function laterKeys(build: Pick<Build, 'manifest' | 'pages'>, route: string): string[] {
  const { manifest } = build
  const routes = new Set(routesOf(build))
  const found = new Set<string>()
  const waiting = [route]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    for (const reached of closure(manifest, [key])) {
      if (manifest[reached]?.isEntry === true) continue
      const lazy = manifest[reached]?.dynamicImports ?? []
      const fresh = lazy.filter((other) => !routes.has(other) && !found.has(other))
      for (const other of fresh) found.add(other)
      waiting.push(...fresh)
    }
  }
  return [...found]
}

/** Measures every route of a build. */
export function measureRoutes(build: Build): RouteBytes[] {
  const { folder, manifest } = build
  const entries = entriesOf(manifest)
  const routes = routesOf(build)
  const sizes = new Map<string, { gzip: number; brotli: number }>()
  const sizeOf = (file: string): { gzip: number; brotli: number } => {
    const known = sizes.get(file)
    if (known) return known
    const bytes = readFileSync(join(folder, file))
    const size = { gzip: gzipSync(bytes, { level: 6 }).length, brotli: brotliCompressSync(bytes).length }
    sizes.set(file, size)
    return size
  }
  const hasChartLibrary = (file: string): boolean =>
    readFileSync(join(folder, file), 'utf8').includes('recharts-surface')
  const sum = (files: readonly string[], kind: 'gzip' | 'brotli'): number =>
    files.reduce((total, file) => total + sizeOf(file)[kind], 0)
  return routes.map((route) => {
    const files = filesOf(manifest, [...entries, route])
    const reached = closure(manifest, [...entries, route])
    const source = manifest[route]?.src ?? route
    const laterCharts = laterKeys(build, route).filter((key) =>
      filesOf(manifest, [key]).some(hasChartLibrary),
    )
    return {
      source,
      files,
      gzip: sum(files, 'gzip'),
      brotli: sum(files, 'brotli'),
      gzipWithCharts: Math.max(
        ...[route, ...laterCharts].map((key) => sum(filesOf(manifest, [...entries, route, key]), 'gzip')),
      ),
      charts: isChartPage(source),
      otherRoutes: routes.filter((other) => other !== route && reached.has(other)),
    }
  })
}

/** The scripts and styles that index.html itself names: loaded on every page, whatever the route. */
export function linkedFiles({ folder }: Build): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="\/?(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '')
}

/**
 * The built dashboard with its manifest. Where the build of `npm start` wrote none, the same sources are
 * built once more below `.cache/bench`.
 */
export function openBuild(): Build {
  const served = join(root, 'dist', 'web')
  if (existsSync(manifestIn(served))) return readBuild(served)
  const folder = cacheFolder('web')
  const vite = createRequire(import.meta.url).resolve('vite/package.json')
  const result = spawnSync(
    process.execPath,
    [join(dirname(vite), 'bin/vite.js'), 'build', '--manifest', '--outDir', folder, '--emptyOutDir'],
    // A test runner sets NODE_ENV=test, with which React's development build would be measured.
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (result.status !== 0)
    throw new Error(`the dashboard could not be built: ${result.stdout}${result.stderr}`)
  return readBuild(folder)
}

const manifestIn = (folder: string): string => join(folder, '.vite', 'manifest.json')

function readBuild(folder: string): Build {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestIn(folder), 'utf8')))
  const routes = readFileSync(join(root, 'src', 'routes.tsx'), 'utf8')
  const pages = [...routes.matchAll(/import\('\.\/(pages\/[^']+)'\)/g)].map((match) => `src/${match[1]}`)
  return { folder, manifest, pages: pages.toSorted() }
}

/** Bytes of every route after gzip, against the empty shell's where its size is given. */
export function runBytesBench(build: Build, shell: { gzip: number } | undefined): Report {
  const routes = measureRoutes(build)
  return {
    title: 'First load: JavaScript and CSS after gzip',
    figures: routes.flatMap((route) => {
      const figure = (name: string, bytes: number): Figure => ({
        name,
        value: bytes / 1_000,
        unit: 'kB',
        ...(shell && { anchor: { name: 'empty shell', value: shell.gzip / 1_000 } }),
        budget: { of: 'value', bound: 'at most', limit: budgetOf(route) / 1_000 },
      })
      const name = nameOf(route)
      return route.gzipWithCharts > route.gzip
        ? [figure(name, route.gzip), figure(`${name}, with its charts`, route.gzipWithCharts)]
        : [figure(name, route.gzip)]
    }),
    notes: [
      `After brotli: ${routes.map((route) => `${nameOf(route)} ${Math.round(route.brotli / 1_000)}`).join(', ')} kB.`,
      ...routes
        .filter((route) => route.otherRoutes.length > 0)
        .map((route) => `${route.source} loads other routes: ${route.otherRoutes.join(', ')}`),
    ],
  }
}

const nameOf = (route: RouteBytes): string => route.source.replace(/^src\/pages\//, '').replace(/\.tsx$/, '')
