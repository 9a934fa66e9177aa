import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { pages } from '../contract/pages.ts'
import {
  type BuildManifest,
  buildManifestSchema,
  entriesOf,
  staticImports,
} from '../server/pages/build-manifest.ts'
import { root } from './support/paths.ts'
import { atMost, type Figure, type Report } from './support/report.ts'

/** A built dashboard: its folder, its manifest, and the sources of its pages. */
export type Build = {
  readonly folder: string
  readonly manifest: BuildManifest
  readonly pages: readonly string[]
}

/** The size of a page before it is shown: its chunk and everything that it and the entry import. */
export type RouteBytes = {
  /** The source of the route's module, below the repository. */
  readonly source: string
  readonly files: readonly string[]
  /** Sizes after gzip and after brotli, at the levels used for static files. */
  readonly gzip: number
  readonly brotli: number
  /** Size after gzip, including the largest later-loaded part that uses the chart library. */
  readonly gzipWithCharts: number
  readonly charts: boolean
  /** Other routes' modules that it loads, which should only be loaded on a visit. */
  readonly otherRoutes: readonly string[]
}

/** Budgets of docs/performance.md in kB (1,000 bytes) after gzip. */
export const byteBudgets = { plain: 200, charts: 330 } as const

/** The pages whose purpose is charts. A sparkline on another page must fit into that page's budget. */
const isChartPage = (source: string): boolean => /\/(network-)?metrics?\.tsx$/.test(source)

/** The budget of a route in bytes after gzip. */
export function budgetOf(route: RouteBytes): number {
  return byteBudgets[route.charts ? 'charts' : 'plain'] * 1_000
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

/** The files that a page of these keys needs, styles included. */
export function filesOf(manifest: BuildManifest, keys: readonly string[]): string[] {
  const files = [...staticImports(manifest, keys)].flatMap((key) => {
    const chunk = manifest[key]
    return chunk ? [chunk.file, ...chunk.css] : []
  })
  return [...new Set(files)].filter((file) => /\.(js|css)$/.test(file)).toSorted()
}

/** The keys that a route may load later: dynamic imports below it, except other routes. */
export function laterKeys(build: Pick<Build, 'manifest' | 'pages'>, route: string): string[] {
  const { manifest } = build
  const routes = new Set(routesOf(build))
  const found = new Set<string>()
  const waiting = [route]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    for (const reached of staticImports(manifest, [key])) {
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
    const reached = staticImports(manifest, [...entries, route])
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

/** The scripts and styles in index.html, which every page loads. */
export function linkedFiles({ folder }: Build): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  return [...html.matchAll(/(?:src|href)="\/?(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '')
}

/** The built dashboard with its manifest. It is built first where its sources are newer. */
export function openBuild(): Build {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The dashboard could not be built.')
  const folder = join(root, 'dist', 'web')
  const manifest = buildManifestSchema.parse(
    JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8')),
  )
  const modules = Object.values(pages).map(({ module }) => `src/pages/${module}`)
  return { folder, manifest, pages: modules.toSorted() }
}

/** The size of every route after gzip, compared with the empty shell's if given. */
export function runBytesBench(build: Build, shell: { gzip: number } | undefined): Report {
  const routes = measureRoutes(build)
  return {
    title: 'First load: JavaScript and CSS after gzip',
    figures: routes.flatMap((route) => {
      const figure = (name: string, bytes: number, budget: number): Figure => ({
        name,
        value: bytes / 1_000,
        unit: 'kB',
        ...(shell && { anchor: { name: 'empty shell', value: shell.gzip / 1_000 } }),
        budget: atMost(budget),
      })
      const name = nameOf(route)
      const budget = budgetOf(route) / 1_000
      return route.gzipWithCharts > route.gzip
        ? [
            figure(name, route.gzip, budget),
            figure(`${name}, with its charts`, route.gzipWithCharts, byteBudgets.charts),
          ]
        : [figure(name, route.gzip, budget)]
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
