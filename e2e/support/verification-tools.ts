import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Forge and hardhat as people use them to verify contracts, and the compiler for them: both would fetch one of their own.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The build of Solidity that the tools and the service compile by, and its version. */
export const solc = {
  file: createRequire(import.meta.url).resolve('solc/soljson.js'),
  version: '0.8.30',
  longVersion: '0.8.30+commit.73712a01',
} as const

/** Puts that build into a home, as `ridgeline compilers add` does. */
export function installCompiler(home: string): void {
  const folder = join(home, 'compilers')
  mkdirSync(folder)
  const path = `soljson-v${solc.longVersion}.js`
  copyFileSync(solc.file, join(folder, path))
  const sha256 = `0x${createHash('sha256').update(readFileSync(solc.file)).digest('hex')}`
  const builds = [{ path, longVersion: solc.longVersion, sha256 }]
  writeFileSync(join(folder, 'list.json'), JSON.stringify({ builds }))
}

/** The folder in which both tools are installed, once, as pinned by e2e/tools/package-lock.json. */
export function installTools(): string {
  const files = ['package.json', 'package-lock.json'].map((name) => join(root, 'e2e/tools', name))
  const state = createHash('sha256')
  for (const file of files) state.update(readFileSync(file))
  // The cache that all clones of the project share, as scripts/support/avalanchego.mjs has it.
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const path = join(cache, 'ridgeline', `verification-tools-${state.digest('hex').slice(0, 12)}`)
  if (existsSync(path)) return path
  const scratch = `${path}-${process.pid}`
  mkdirSync(scratch, { recursive: true })
  try {
    for (const file of files) copyFileSync(file, join(scratch, file.slice(file.lastIndexOf('/') + 1)))
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, stderr } = spawnSync('npm', args, { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] })
    if (status !== 0) throw new Error(`npm ci failed: ${stderr.toString()}`)
    if (!existsSync(path)) renameSync(scratch, path)
    return path
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The program of forge itself: the npm package's wrapper would only start it. */
export function forgeProgram(tools: string): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  return join(tools, `node_modules/@foundry-rs/forge-${process.platform}-${architecture}/bin/forge`)
}

/** Where forge looks for what it needs besides its project. */
export type ForgeSurroundings = {
  readonly env: Readonly<Record<string, string>>
  stop(): void
}

/** The host whose list of compilers forge reads before it verifies anything, even if it knows the commit. */
const listHost = 'binaries.soliditylang.org'

/**
 * Gives forge a compiler where it keeps those that it has fetched, which is a program with the flags of the native one
 * around the build for Node; and the list of compilers, through a proxy, because it can't be told to do without.
 */
export async function surroundForge(folder: string): Promise<ForgeSurroundings> {
  const place = join(folder, 'svm', solc.version)
  mkdirSync(place, { recursive: true })
  const program = join(place, `solc-${solc.version}`)
  writeFileSync(
    program,
    `#!${process.execPath}
const { readFileSync } = require('node:fs')
if (process.argv.includes('--version')) {
  console.log('solc, the solidity compiler commandline interface\\nVersion: ${solc.longVersion}.Emscripten.clang')
} else {
  const build = require(${JSON.stringify(solc.file)})
  const compile = build.cwrap('solidity_compile', 'string', ['string', 'number', 'number'])
  process.stdout.write(compile(readFileSync(0, 'utf8'), 0, 0))
}
`,
  )
  chmodSync(program, 0o755)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const named = ['-subj', `/CN=${listHost}`, '-addext', `subjectAltName=DNS:${listHost}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    ...curve,
    '-keyout',
    key,
    '-out',
    certificate,
    '-days',
    '2',
    ...named,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ])
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${String(made.stderr)}`)
  const site = createTlsServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (_request, reply) => {
      reply.end(`soljson-v${solc.longVersion}.js\n`)
    },
  )
  const proxy = createServer((_request, reply) => reply.writeHead(403).end())
  proxy.on('connect', ({ url }, socket) => {
    if (url !== `${listHost}:443`) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    site.emit('connection', socket)
  })
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve)
  })
  const { port } = proxy.address() as AddressInfo
  return {
    env: {
      XDG_DATA_HOME: folder,
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NO_PROXY: '127.0.0.1',
      SSL_CERT_FILE: certificate,
    },
    stop: () => proxy.close(),
  }
}

/** Runs a tool in a folder; its exit code, and all that it said. */
export function runTool(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true', NO_COLOR: '1', ...env },
    })
    let said = ''
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.stdin.end()
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said }))
  })
}
