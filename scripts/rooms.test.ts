import { expect, test } from 'vitest'
import { breachesOf, circlesOf, importsOf, needlessExportsOf, readRooms } from './rooms.mjs'

const rooms = readRooms(`
## The rooms

### \`base/\`

Ground, which \`store/\` uses.

### \`store/\`

Rows.

- May import:
  \`base/\`
- Its tests also: \`helpers/\`

### \`helpers/\`

For tests.

- May import: \`store/\`

### Rules of the rooms

- May import: \`base/\`
`)

test('a room is a block with two lists, either of which may be missing or wrapped', () => {
  expect(rooms.map(({ name, imports, testImports }) => [name, [...imports], [...testImports]])).toEqual([
    ['base', [], []],
    ['store', ['base'], ['base', 'helpers']],
    ['helpers', ['store'], ['store']],
  ])
})

const importsIn = (files: Record<string, string>) => importsOf(new Map(Object.entries(files)))

test('an import that a room may not have is a breach, in every form of import', () => {
  const found = breachesOf(
    rooms,
    importsIn({
      'base/one.ts': "import { row } from '../store/rows.ts'",
      'base/two.ts': "const rows = () => import('../store/rows.ts')",
      'base/three.ts': "new Worker(new URL('../store/rows.ts', import.meta.url))",
      'store/rows.ts': "import '../base/one.ts'",
    }),
  )
  expect(found).toEqual(
    ['one', 'two', 'three'].map((name) => `base/${name}.ts: base/ may not import store/ (store/rows.ts)`),
  )
})

test('tests may import what their list adds, code may not', () => {
  const text = "import { rows } from '../helpers/rows.ts'"
  const files = {
    'store/a.ts': text,
    'store/a.test.ts': text,
    'store/testing/b.ts': text.replace('..', '../..'),
  }
  const found = breachesOf(rooms, importsIn({ ...files, 'helpers/rows.ts': '' }))
  expect(found).toEqual(['store/a.ts: store/ may not import helpers/ (helpers/rows.ts)'])
})

test('a folder in no room is named', () => {
  const found = breachesOf(rooms, importsIn({ 'other/a.ts': "import '../base/one.ts'", 'base/one.ts': '' }))
  expect(found).toEqual(['other/a.ts: is in no room of docs/architecture.md'])
})

test('folders that import each other are found, also around corners and inside a room', () => {
  const circles = circlesOf(
    importsIn({
      'store/a.ts': "import './evm/b.ts'",
      'store/evm/b.ts': "import '../tokens/c.ts'",
      'store/tokens/c.ts': "import '../d.ts'",
      'store/d.ts': '',
      'base/one.ts': "import '../store/d.ts'",
    }),
  )
  expect(circles).toEqual(['store, store/evm, store/tokens'])
})

test('an export that no other file imports is named, whatever the form of the others’ imports', () => {
  const found = needlessExportsOf(
    new Map([
      [
        'base/one.ts',
        'export const a = 1\nexport type B = 1\nexport async function c() {}\nexport const d = a',
      ],
      ['base/all.ts', 'export const a = 1\nexport const b = 1'],
      ['base/lazy.ts', 'export const a = 1\nexport const b = 1'],
      ['base/some.ts', "import { b } from './all.ts'\nimport { b as other } from './lazy.ts'"],
      ['base/program.ts', "import { a as x, type B } from './one.ts'\nexport const setup = x"],
      ['store/again.ts', "export { c } from '../base/one.ts'\nexport * as all from '../base/all.ts'"],
      ['store/lazy.ts', "const load = () => import('../base/lazy.ts')"],
    ]),
  )
  expect(found).toEqual(['base/one.ts: no other file imports d: leave out its export'])
})
