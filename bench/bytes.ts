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

/** A built dashboard: its folder and its manifest. */
export type Build = { readonly folder: string; readonly manifest: Manifest }

/** What a page costs before it shows: its own chunk and everything that it and the entry import. */
export type RouteBytes = {
  /** The source of the route's module, below the repository. */
  readonly source: string
  readonly files: readonly string[]
  /** Bytes after gzip and after brotli, both at the level a server uses for files. */
  readonly gzip: number
  readonly brotli: number
  /** Bytes after gzip together with the kinds of chart that the page loads when they are first asked for. */
  readonly gzipWithCharts: number
  readonly charts: boolean
  /** Other routes' modules among what it loads: each should be loaded when it is visited. */
  readonly otherRoutes: readonly string[]
}

/** Budgets of performance.md in kB (1,000 bytes) after gzip. */
export const byteBudgets = { plain: 143, charts: 240 } as const

/** The pages that exist to show charts. A sparkline on another page has to fit that page's budget. */
const chartRoutes: ReadonlySet<string> = new Set([
  'src/pages/metrics/metrics.tsx',
  'src/pages/metrics/metric.tsx',
])

/** The budget of a route in bytes after gzip. */
export function budgetOf(route: RouteBytes): number {
  return byteBudgets[route.charts ? 'charts' : 'plain'] * 1_000
}

/** Folders of src/pages hold parts of pages; only the files beside them are routes. */
const isRoute = (source: string): boolean => /^src\/pages\/[^/]+\.tsx$/.test(source)
const isChart = (source: string): boolean => source.startsWith('src/components/charts/')

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

/** The lazy chunks that show a page: modules of src/pages that the entry's graph imports dynamically. */
export function routesOf(manifest: Manifest): string[] {
  const shell = closure(manifest, entriesOf(manifest))
  const lazy = [...shell].flatMap((key) => manifest[key]?.dynamicImports ?? [])
  return [...new Set(lazy)].filter((key) => isRoute(manifest[key]?.src ?? key)).toSorted()
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
export function laterKeys(manifest: Manifest, route: string): string[] {
  const routes = new Set(routesOf(manifest))
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
export function measureRoutes({ folder, manifest }: Build): RouteBytes[] {
  const entries = entriesOf(manifest)
  const routes = routesOf(manifest)
  const sizes = new Map<string, { gzip: number; brotli: number }>()
  const sizeOf = (file: string): { gzip: number; brotli: number } => {
    const known = sizes.get(file)
    if (known) return known
    const bytes = readFileSync(join(folder, file))
    const size = { gzip: gzipSync(bytes, { level: 6 }).length, brotli: brotliCompressSync(bytes).length }
    sizes.set(file, size)
    return size
  }
  const sum = (files: readonly string[], kind: 'gzip' | 'brotli'): number =>
    files.reduce((total, file) => total + sizeOf(file)[kind], 0)
  return routes.map((route) => {
    const files = filesOf(manifest, [...entries, route])
    const reached = closure(manifest, [...entries, route])
    const source = manifest[route]?.src ?? route
    const laterCharts = laterKeys(manifest, route).filter((key) => isChart(manifest[key]?.src ?? key))
    return {
      source,
      files,
      gzip: sum(files, 'gzip'),
      brotli: sum(files, 'brotli'),
      gzipWithCharts: sum(filesOf(manifest, [...entries, route, ...laterCharts]), 'gzip'),
      charts: chartRoutes.has(source),
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
  return { folder, manifest: manifestSchema.parse(JSON.parse(readFileSync(manifestIn(folder), 'utf8'))) }
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
        ? [figure(name, route.gzip), figure(`${name}, with every kind of chart`, route.gzipWithCharts)]
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
