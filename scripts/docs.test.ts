import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bodyErrorNames, errorNames } from '../contract/base/errors.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Repository paths in a page: in code, in drawings, and in links. */
function pathsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const named = text.match(
    /(?<![\w./-])(?:contract|protocol|src|server|sample|e2e|real-node|bench|scripts|docs)\/[\w./-]*\w\/?/g,
  )
  const links = [...text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, link = '']) =>
    join(dirname(page), link),
  )
  return [...new Set([...(named ?? []), ...links])]
}

test.each(pages)('%s names only files and folders that exist', (page) => {
  expect(pathsOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('docs/api.md explains every status that an operation may answer', () => {
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const explained = [...text.matchAll(/^\| (\d{3}) +\|/gm)].map(([, status]) => Number(status))
  const all = [...Object.keys(errorNames), ...Object.keys(bodyErrorNames)].map(Number)
  // What a 500 reveals stands above the table.
  expect(explained).toEqual(all.filter((status) => status !== 500).toSorted())
})
