import { createHash } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compilersFolder, listFile } from '../compiler/compilers.ts'

/** The compilers of tests: the package that holds each, and what the build calls itself. */
export const testCompilers = {
  'solc-0.4': '0.4.26+commit.4563c3fc',
  'solc-0.5': '0.5.16+commit.9c3226ce',
  'solc-0.6': '0.6.12+commit.27d51765',
  'solc-0.7': '0.7.4+commit.3f05b770',
  'solc-0.8.17': '0.8.17+commit.8df45f5f',
  'solc-0.8.18': '0.8.18+commit.87f61d96',
  'solc-0.8.26': '0.8.26+commit.8a97fa7a',
  solc: '0.8.30+commit.73712a01',
} as const

const { resolve } = createRequire(import.meta.url)

/** The file of a compiler of tests. */
export const compilerFile = (name: keyof typeof testCompilers): string => resolve(`${name}/soljson.js`)

/** Puts compilers into a home, as `ridgeline compilers add` does, without copying them. */
export async function installCompilers(
  home: string,
  names: readonly (keyof typeof testCompilers)[] = ['solc'],
): Promise<void> {
  const folder = compilersFolder(home)
  await mkdir(folder, { recursive: true })
  const builds = []
  for (const name of names) {
    const longVersion = testCompilers[name]
    const path = `soljson-v${longVersion}.js`
    const sha256 = createHash('sha256')
      .update(await readFile(compilerFile(name)))
      .digest('hex')
    await symlink(compilerFile(name), join(folder, path))
    builds.push({ path, longVersion, sha256: `0x${sha256}` })
  }
  await writeFile(join(folder, listFile), JSON.stringify({ builds }))
}
