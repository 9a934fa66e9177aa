// npm run release-files: everything that a release consists of, in dist/release: the package, the bills of materials, the
// licences of all packages in it, and the checksums. Needs npm 11 for the bills of materials.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, fail, root, say } from './support/bootstrap.mjs'
import { isAllowed, licenceText, releasedPackages, writeMaterials } from './support/licences.mjs'

ensureInstalled()
const refused = releasedPackages().filter(({ licence }) => !isAllowed(licence))
for (const { name, version, licence } of refused)
  console.error(`${name} ${version}: ${licence ?? 'no licence'}`)
if (refused.length > 0) fail('the licences above are not in the list of scripts/support/licences.mjs')
await ensureBuilt()
const folder = join(root, 'dist/release')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// The package contains the licences too.
const licences = 'third-party-licences.txt'
writeFileSync(join(root, 'dist', licences), licenceText())
copyFileSync(join(root, 'dist', licences), join(folder, licences))
const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }))
const names = [filename, licences, ...writeMaterials(folder, version)]
const sums = names.map((name) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
  return `${hash}  ${name}\n`
})
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
for (const name of [...names, 'SHA256SUMS']) say(`dist/release/${name}`)
