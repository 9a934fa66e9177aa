import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { failureTexts } from '../contract/document/statuses.ts'
import {
  channelDefinition,
  channelKinds,
  channelSecrets,
  channelSettings,
} from '../contract/watch/channels.ts'

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

test('docs/api.md explains every status that an operation may answer, in the words of the document', () => {
  const text = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const rows = [...text.matchAll(/^\| (\d{3}) +\| (.*?) +\|$/gm)]
  const explained = rows.map(([, status, when = '']) => [status, when.replaceAll(/\[(.+?)\]\(.+?\)/g, '$1')])
  // What a 500 reveals stands above the table, and no operation answers 405.
  const documented = Object.entries(failureTexts).filter(([status]) => status !== '500')
  expect(explained.filter(([status]) => status !== '405')).toEqual(documented)
})

test('docs/watch.md has a body with every setting for each kind of channel, and SECRET where its secrets are', () => {
  const text = readFileSync(join(root, 'docs/watch.md'), 'utf8')
  const lines = text.split('\n').filter((line) => line.startsWith('{ "name": '))
  const bodies = lines.map((line) => channelDefinition.parse(JSON.parse(line)))
  expect(bodies.map(({ kind }) => kind)).toEqual(channelKinds)
  for (const body of bodies) {
    const given = Object.entries(body[body.kind] ?? {})
    expect(given.map(([name]) => name).sort()).toEqual(Object.keys(channelSettings[body.kind].shape).sort())
    const secrets = given.filter(([, value]) => String(value).includes('SECRET')).map(([name]) => name)
    expect(secrets.sort(), body.kind).toEqual([...channelSecrets[body.kind]].sort())
  }
})

test('the README generates a client with the versions that are tested', () => {
  const { devDependencies } = JSON.parse(
    readFileSync(join(root, 'scripts/generators/package.json'), 'utf8'),
  ) as { devDependencies: Record<string, string> }
  const named = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/ -p (\S+)@([\d.]+)/g)]
  expect(named.map(([, name = '', version]) => [name, version])).toEqual(
    ['typescript', '@hey-api/openapi-ts'].map((name) => [name, devDependencies[name]]),
  )
})
