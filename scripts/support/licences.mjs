// The packages that a release contains, and their licences: what is installed with it, and what the dashboard's files are
// built from, which package.json lists as tools.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'

/** Licences that a release may contain, as SPDX identifiers: permissive ones, and that of the typeface. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
])

/** The viewer of the API (src/pages/docs). */
const viewer = 'swagger-ui-dist'

/** Whether an SPDX expression is allowed: one side of OR, both of AND. Undefined is not. */
export function isAllowed(expression) {
  if (expression === undefined) return false
  const text = expression.replaceAll(/[()]/g, '')
  return text.split(' OR ').some((side) => side.split(' AND ').every((name) => allowed.has(name.trim())))
}

/**
 * The names of packages that the dashboard's sources import, and of that whose icons the build draws into the document.
 */
function builtIn() {
  const names = new Set(['lucide-react'])
  for (const folder of ['src', 'charts', 'contract', 'protocol'])
    for (const path of readdirSync(join(root, folder), { recursive: true })) {
      if (!/\.(tsx?|css)$/.test(path) || /\.test\.tsx?$|(^|\/)testing\//.test(path)) continue
      const text = readFileSync(join(root, folder, path), 'utf8')
      for (const [, name] of text.matchAll(
        /(?:from|import|import\()\s*['"]((?:@[\w.-]+\/)?[a-z][\w.-]*)[^'"]*['"]/g,
      ))
        names.add(name)
    }
  return names
}

/**
 * The packages of a release: `{ path, name, version, licence }`, `path` as in the lock file. Those that are built into
 * the dashboard come with everything they depend on, used or not.
 */
export function releasedPackages(lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))) {
  const { packages } = lock
  const found = new Map()
  const place = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
      if (packages[path]) return path
      if (folder === '') return undefined
    }
  }
  const add = (path, parent) => {
    if (path === undefined || found.has(path)) return
    const entry = packages[path]
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // The lock has no licence of packages for other platforms than where it was made: it is that of the package whose
    // parts they are.
    const licence = entry.license ?? (entry.optional ? found.get(parent)?.licence : undefined)
    found.set(path, { path, name, version: entry.version, licence, parent })
    // Its only dependency, which package.json replaces by an empty package, is not in its files.
    if (name === viewer) return
    const all = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies }
    for (const other of Object.keys(all)) add(place(path, other), path)
  }
  const { dependencies, devDependencies } = packages['']
  for (const name of Object.keys(dependencies)) add(place('', name))
  for (const name of builtIn()) if (devDependencies[name]) add(place('', name))
  return [...found.values()].sort((a, b) => a.path.localeCompare(b.path))
}

/** The texts of a package's licence and notices; of a package for another platform, those of its parent. */
function textsOf({ path, parent }) {
  for (const folder of [path, parent].filter(Boolean).map((each) => join(root, each))) {
    if (!existsSync(folder)) continue
    const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice|ofl)/i.test(name))
    const texts = files.flatMap((name) => {
      try {
        return [readFileSync(join(folder, name), 'utf8').trim()]
      } catch {
        // A folder of that name.
        return []
      }
    })
    if (texts.length > 0) return texts
  }
  return []
}

/** The licences of all packages of a release as one text, each text once. */
export function licenceText() {
  const byText = new Map()
  for (const each of releasedPackages()) {
    const text =
      textsOf(each).join('\n\n') || `The package contains no text of its licence (${each.licence}).`
    byText.set(text, [...(byText.get(text) ?? []), `${each.name} ${each.version} (${each.licence})`])
  }
  const line = '='.repeat(80)
  const parts = [...byText].map(
    ([text, names]) => `${line}\n${[...new Set(names)].join('\n')}\n${line}\n\n${text}\n`,
  )
  return `Ridgeline contains the packages below, or is built from them.\n\n${parts.join('\n')}`
}

/**
 * Writes the bill of materials of what is installed, and that of everything including the tools, in CycloneDX's format,
 * as npm makes it from the lock file. Returns the names of the files.
 */
export function writeMaterials(folder, version) {
  // npm calls the project by the name of its folder.
  const scratch = mkdtempSync(join(tmpdir(), 'ridgeline-materials-'))
  const project = join(scratch, 'ridgeline')
  mkdirSync(project)
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, name), join(project, name))
  try {
    return [
      [`ridgeline-${version}.cdx.json`, ['--omit=dev']],
      [`ridgeline-${version}-with-tools.cdx.json`, []],
    ].map(([name, flags]) => {
      const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', ...flags]
      const options = { cwd: project, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }
      writeFileSync(join(folder, name), execFileSync('npm', args, options))
      return name
    })
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
