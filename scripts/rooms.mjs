// Enforces the rooms of docs/architecture.md: what each folder may import, no circular imports between folders, and no
// export that no other file imports. `npm run lint` fails on any violation; `node scripts/rooms.mjs --measure` also prints the sizes.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { root } from './support/bootstrap.mjs'
import { readTracked } from './support/tracked-files.mjs'

/** @typedef {{ name: string, imports: ReadonlySet<string>, testImports: ReadonlySet<string> }} Room */

const names = (cell) => new Set([...cell.matchAll(/`([^`]+?)\/?`/g)].map((match) => match[1]))

/** The folders in the item of a list that begins with `label`, which may be wrapped. */
const listed = (block, label) =>
  names(new RegExp(`^- ${label}:([^]*?)(?=\\n- |\\n\\n|$(?![^]))`, 'm').exec(block)?.[1] ?? '')

/** The rooms: a block below a heading that is a folder, such as "### `src/`". @returns {Room[]} */
export function readRooms(markdown) {
  const blocks = markdown.split(/^(?=#+ )/m).filter((block) => /^### `[^`]+\/`\n/.test(block))
  return blocks.map((block) => {
    const [heading] = block.split('\n', 1)
    const [name] = names(heading)
    const imports = listed(block, 'May import')
    return { name, imports, testImports: new Set([...imports, ...listed(block, 'Its tests also')]) }
  })
}

const isTest = (file) => /\.(test|spec|setup)\.|\/testing\//.test(file)

/** The innermost room of a file. @returns {Room | undefined} */
function roomOf(rooms, file) {
  return rooms
    .filter(({ name }) => file.startsWith(`${name}/`))
    .sort((one, other) => other.name.length - one.name.length)[0]
}

const specifier = /(?:\bfrom|\bimport\(|\bimport|\bnew URL\()\s*['"](\.\.?\/[^'"]+)['"]/g

/** Every import of a file of `files` (path to text) by another: `{ from, to }`. */
export function importsOf(files) {
  const found = []
  for (const [from, text] of files)
    for (const [, path] of text.matchAll(specifier)) {
      const to = normalize(join(dirname(from), path))
      if (files.has(to)) found.push({ from, to })
    }
  return found
}

/** Imports that the rooms do not allow, one line each. */
export function breachesOf(rooms, imports) {
  return imports.flatMap(({ from, to }) => {
    const [room, other] = [roomOf(rooms, from), roomOf(rooms, to)]
    if (!room || !other) return `${room ? to : from}: is in no room of docs/architecture.md`
    if (room === other) return []
    const allowed = isTest(from) ? room.testImports : room.imports
    return allowed.has(other.name) ? [] : `${from}: ${room.name}/ may not import ${other.name}/ (${to})`
  })
}

/** Groups of folders that import each other, tests left out. */
export function circlesOf(imports) {
  const next = new Map()
  for (const { from, to } of imports) {
    if (isTest(from) || dirname(from) === dirname(to)) continue
    next.set(dirname(from), (next.get(dirname(from)) ?? new Set()).add(dirname(to)))
  }
  const reach = new Map([...next.keys()].map((folder) => [folder, reachedFrom(folder, next)]))
  const circles = new Set()
  for (const [folder, reached] of reach) {
    if (!reached.has(folder)) continue
    circles.add(
      [...reached]
        .filter((other) => reach.get(other)?.has(folder))
        .sort()
        .join(', '),
    )
  }
  return [...circles]
}

function reachedFrom(folder, next) {
  const reached = new Set()
  const waiting = [...(next.get(folder) ?? [])]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (reached.has(one)) continue
    reached.add(one)
    waiting.push(...(next.get(one) ?? []))
  }
  return reached
}

const importedNames =
  /(?:\b(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*[^'"]*?)\s*from|\bimport\()\s*['"](\.\.?\/[^'"]+)['"]/g
const exportedName = /^export (?:async )?(?:const|function\*?|class|type) (\w+)/gm

/** Exports that no other file imports, one line each. A file that none imports may be loaded by a tool. */
export function needlessExportsOf(files) {
  const used = new Map()
  for (const [from, text] of files)
    for (const [, list = '*', path] of text.matchAll(importedNames)) {
      const to = normalize(join(dirname(from), path))
      const imported = list.startsWith('*') ? ['*'] : list.match(/\w+(?=(\s+as\s+\w+)?\s*[,}])/g)
      used.set(to, new Set([...(used.get(to) ?? []), ...(imported ?? [])]))
    }
  return [...files].flatMap(([path, text]) => {
    const imported = used.get(path)
    if (!imported || imported.has('*') || text.includes('// @generated')) return []
    const exported = [...text.matchAll(exportedName)].map(([, name]) => name)
    return exported
      .filter((name) => !imported.has(name))
      .map((name) => `${path}: no other file imports ${name}: leave out its export`)
  })
}

function printSizes(rooms, files) {
  const counts = new Map()
  for (const path of files.keys())
    if (!isTest(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const lines = (paths) => paths.reduce((sum, path) => sum + files.get(path).split('\n').length - 1, 0)
  for (const room of rooms) {
    const own = [...files.keys()].filter((path) => roomOf(rooms, path) === room)
    const tests = own.filter(isTest)
    const code = own.filter((path) => !isTest(path))
    console.log(
      `${room.name.padEnd(20)} ${code.length} files, ${lines(code)} lines; tests ${lines(tests)} lines`,
    )
  }
  const large = [...counts].filter(([, count]) => count > 30).sort((one, other) => other[1] - one[1])
  console.log(
    `folders over 30 files: ${large.map(([folder, count]) => `${folder} ${count}`).join(', ') || 'none'}`,
  )
}

/**
 * Compares the sources with the rooms and prints violations on standard error; with `sizes`, also prints the
 * files and lines of each room. Returns whether there are no violations.
 */
export function checkRooms({ sizes = false } = {}) {
  const rooms = readRooms(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))
  const files = readTracked(/\.(ts|tsx|mts|mjs)$/)
  // The settings of tools, which lie in no room, may import from all.
  const imports = importsOf(files).filter(({ from }) => from.includes('/'))
  const breaches = breachesOf(rooms, imports)
  const circles = circlesOf(imports)
  const needless = needlessExportsOf(files)
  if (sizes) printSizes(rooms, files)
  for (const breach of breaches) console.error(breach)
  for (const circle of circles) console.error(`these folders import each other: ${circle}`)
  for (const each of needless) console.error(each)
  const found = `${breaches.length} not allowed, ${circles.length} circles of folders, ${needless.length} needless exports`
  console.log(`${rooms.length} rooms, ${imports.length} imports: ${found}`)
  return breaches.length + circles.length + needless.length === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exit(checkRooms({ sizes: process.argv.includes('--measure') }) ? 0 : 1)
