import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { listFile, longVersion, readCompilers, type CompilerBuild } from './compilers.ts'
import { runCompiler } from './run-compiler.ts'
import { within } from '../../kernel/within.ts'

/** The most bytes of a build: those of today have 10 MB. */
const maxBytes = 64 * 1_048_576

const sha256Of = (bytes: Uint8Array): string => `0x${createHash('sha256').update(bytes).digest('hex')}`

/** A short version, as it is asked for. */
export const shortVersion = /^\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** The list of a mirror of the official builds, as far as it is needed (solc-bin's list.json). */
const mirrorList = z.object({
  builds: z.array(
    z.object({
      path: z.string().regex(/^[\w.+-]{1,128}\.js$/),
      version: z.string(),
      prerelease: z.string().optional(),
      longVersion: z.string(),
      sha256: z.string().regex(/^0x[0-9a-f]{64}$/),
    }),
  ),
})

/**
 * Puts a compiler into the folder: the build in the npm package `solc` of that version, installed or fetched by npm;
 * with `from`, the one in a folder or at the URL of a mirror of the official list, whose checksum it must have. Returns
 * its whole version. Throws an Error that says why it can't.
 */
export async function addCompiler(folder: string, version: string, from?: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const temporary = await mkdtemp(join(tmpdir(), 'ridgeline-compiler-'))
  try {
    const file = join(temporary, 'soljson.js')
    const claimed =
      from === undefined ? await fromPackage(version, temporary, file) : await fromMirror(version, from, file)
    const found = await versionOf(file)
    if (found.split('+')[0] !== version || (claimed !== undefined && claimed !== found))
      throw new Error(`the build is ${found}, not ${claimed ?? version}`)
    const path = `soljson-v${found}.js`
    const build: CompilerBuild = { path, longVersion: found, sha256: sha256Of(await readFile(file)) }
    await copyFile(file, join(folder, path))
    const others = (await readCompilers(folder)).filter((each) => each.longVersion !== found)
    await writeList(folder, [...others, build])
    return found
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Writes the list at once: a service reads it for every check. */
async function writeList(folder: string, builds: readonly CompilerBuild[]): Promise<void> {
  const file = join(folder, listFile)
  await writeFile(`${file}.new`, `${JSON.stringify({ builds }, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

async function fromPackage(version: string, folder: string, file: string): Promise<undefined> {
  const installed = installedBuild(version)
  if (installed !== undefined) return void (await copyFile(installed, file))
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `solc@${version}`,
  ])
  await copyFile(join(folder, 'node_modules/solc/soljson.js'), file)
}

/** The build in the package `solc` of a version, if it is installed beside the program. */
function installedBuild(version: string): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    const { version: found } = require('solc/package.json') as { version: string }
    return found === version ? require.resolve('solc/soljson.js') : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

async function fromMirror(version: string, from: string, file: string): Promise<string> {
  const list = mirrorList.parse(JSON.parse((await readFrom(from, 'list.json')).toString('utf8')))
  const build = list.builds.find((each) => each.version === version && each.prerelease === undefined)
  if (!build || !longVersion.test(build.longVersion)) throw new Error(`${from} has no release ${version}`)
  const bytes = await readFrom(from, build.path)
  if (sha256Of(bytes) !== build.sha256)
    throw new Error(`${build.path} does not have the checksum that the list gives`)
  await writeFile(file, bytes)
  return build.longVersion
}

async function readFrom(from: string, name: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(from)) return readFile(join(from, name))
  const url = `${from.replace(/\/$/, '')}/${name}`
  const bytes = await within(120_000, async (signal) => {
    const response = await fetch(url, { signal })
    if (!response.ok) throw new Error(`${url} is a ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  })
  if (bytes.length > maxBytes) throw new Error(`${url} is larger than ${maxBytes} bytes`)
  return bytes
}

/** What a build calls itself, by the metadata of a contract that it compiles. */
async function versionOf(file: string): Promise<string> {
  const input = JSON.stringify({
    language: 'Solidity',
    sources: { 'a.sol': { content: 'contract A {}' } },
    settings: { outputSelection: { '*': { '*': ['metadata'] } } },
  })
  const answer = await runCompiler(file, input, { seconds: 60, memoryMegabytes: 512, outputBytes: 1_000_000 })
  const output = JSON.parse(answer) as { contracts?: Record<string, Record<string, { metadata: string }>> }
  const metadata = JSON.parse(output.contracts?.['a.sol']?.['A']?.metadata ?? '{}') as {
    compiler?: { version?: string }
  }
  const version = metadata.compiler?.version ?? ''
  if (!longVersion.test(version)) throw new Error('the build does not say which version it is')
  return version
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      shell: process.platform === 'win32',
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = `${complaint}${text}`.slice(-2_000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} failed: ${complaint.trim()}`))
    })
  })
}
