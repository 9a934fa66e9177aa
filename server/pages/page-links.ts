import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chainsRequest, pages, type PageName } from '../../contract/pages.ts'
import { buildManifestSchema, entriesOf, staticImports, type BuildManifest } from './build-manifest.ts'
import { requestOf, type ClientPath } from './client-path.ts'

/**
 * Reads which files each page of the dashboard in `folder` needs. The returned function gives the value of a `Link` header
 * (RFC 8288), with which the browser fetches all of them while it parses the document, instead of one level of imports after
 * another; and the first answers that the page and its tab need, except in a profile other than the default, whose answers
 * may come from elsewhere. `network` is that of the default profile. The value is empty if the build has no manifest.
 */
export async function pageLinks(folder: string, network: string): Promise<(place: ClientPath) => string> {
  const manifest = await readManifest(folder)
  const entry = new Set(chunksOf(manifest, entriesOf(manifest)))
  const needs = new Map(
    (Object.keys(pages) as PageName[]).map((page) => {
      const { module, first = [] } = pages[page]
      return [
        page,
        {
          requests: [first, chainsRequest].flat(),
          chunks: new Set([...entry, ...chunksOf(manifest, [`src/pages/${module}`])]),
        },
      ]
    }),
  )
  return ({ page, profile, values, tab }) => {
    const { requests, chunks } = needs.get(page) ?? { requests: [], chunks: entry }
    return linkOf(
      entry,
      tab ? new Set([...chunks, ...chunksOf(manifest, [`src/pages/${tab.module}`])]) : chunks,
      (profile === undefined ? [requests, tab?.first ?? []].flat() : []).flatMap(
        (request) => requestOf(request, { ...values, ofProfile: network }) ?? [],
      ),
    )
  }
}

const chunksOf = (manifest: BuildManifest, keys: readonly string[]): BuildManifest[string][] =>
  [...staticImports(manifest, keys)].flatMap((key) => manifest[key] ?? [])

function linkOf(
  entry: ReadonlySet<BuildManifest[string]>,
  needed: ReadonlySet<BuildManifest[string]>,
  requests: readonly string[],
): string {
  if (needed.size === 0) return ''
  const chunks = [...needed]
  const module = ({ file }: { file: string }): string => `</${file}>; rel=modulepreload`
  const answer = (path: string): string => `<${path}>; rel=preload; as=fetch; crossorigin`
  // A browser opens six connections to a server: first what the first paint needs. The entry runs only when all that it
  // imports is there, however small.
  return [
    '</theme.js>; rel=preload; as=script',
    ...chunks.flatMap(({ css }) => css.map((file) => `</${file}>; rel=preload; as=style; crossorigin`)),
    ...chunks.filter((chunk) => entry.has(chunk)).map(module),
    answer('/config.json'),
    ...requests.map(answer),
    ...chunks.filter((chunk) => !entry.has(chunk)).map(module),
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
