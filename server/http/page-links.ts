import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientRoutes } from '../../contract/client-routes.ts'
import { buildManifestSchema, staticImports, type BuildManifest } from './build-manifest.ts'

/**
 * Reads which files each page of the dashboard in `folder` needs. Returns, for the path of a page, the value of a
 * `Link` header (RFC 8288) that has the browser fetch them all while it still reads the document, instead of one level
 * of imports after another; empty where the build has no manifest; undefined for a path that is no page.
 */
export async function pageLinks(folder: string): Promise<(path: string) => string | undefined> {
  const manifest = await readManifest(folder)
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const pages = Object.entries(clientRoutes).map(([route, page]) => ({
    path: new RegExp(`^(/p/[\\w-]+)?${route === '/' ? '' : route.replaceAll(/:\w+/g, '[^/]+')}/?$`),
    link: linkOf(manifest, page === undefined ? entries : [...entries, `src/pages/${page}`]),
  }))
  return (path) => pages.find((page) => page.path.test(path))?.link
}

function linkOf(manifest: BuildManifest, keys: readonly string[]): string {
  const chunks = [...staticImports(manifest, keys)].flatMap((key) => manifest[key] ?? [])
  if (chunks.length === 0) return ''
  const module = ({ file }: { file: string }): string => `</${file}>; rel=modulepreload`
  // A browser opens six connections to a server: first what the first pixel waits for, then the largest file.
  return [
    '</theme.js>; rel=preload; as=script',
    ...chunks.flatMap(({ css }) => css.map((file) => `</${file}>; rel=preload; as=style; crossorigin`)),
    ...chunks.filter(({ isEntry }) => isEntry).map(module),
    '</config.json>; rel=preload; as=fetch; crossorigin',
    ...chunks.filter(({ isEntry }) => !isEntry).map(module),
  ].join(', ')
}

async function readManifest(folder: string): Promise<BuildManifest> {
  try {
    return buildManifestSchema.parse(
      JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
