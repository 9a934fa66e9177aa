import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The path of a program, also in folders that only root has on the PATH; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** The only example in this language on a page of docs/. */
export function exampleOf(page: string, language: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${page}`, import.meta.url)), 'utf8')
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
  const [example, ...more] = found.map((match) => match[1] ?? '')
  if (example === undefined || more.length > 0) throw new Error(`${page} has not one example of ${language}`)
  return example
}

/** Replaces each text. Throws if one is missing. */
export function adapt(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`the example has no ${JSON.stringify(from)}`)
    return changed.replaceAll(from, to)
  }, text)
}

/** A folder with a certificate for `explorer.example` in the formats of the proxies. */
export type Certificate = {
  readonly folder: string
  readonly certificate: string
  readonly key: string
  /** Certificate and key in one file. */
  readonly both: string
  readonly authority: string
  remove(): void
}

/** Creates a self-signed certificate. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'ridgeline-proxy-'))
  const [certificate, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const subject = ['-subj', '/CN=explorer.example', '-addext', 'subjectAltName=DNS:explorer.example']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', '-x509', ...kind, ...subject, '-out', certificate, '-keyout', key],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr}`)
  const authority = readFileSync(certificate, 'utf8')
  writeFileSync(both, authority + readFileSync(key, 'utf8'), { mode: 0o600 })
  return { folder, certificate, key, both, authority, remove: () => rmSync(folder, { recursive: true }) }
}

/** A port of the loopback interface that is currently free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

/** A running proxy. */
export type Proxy = { stop(): Promise<void> }

/** Runs nginx with the contents of its `http` block. */
export async function startNginx(
  program: string,
  folder: string,
  http: string,
  port: number,
): Promise<Proxy> {
  const own = join(folder, `nginx-${port}`)
  mkdirSync(own)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(own, name)};`,
  )
  const settings = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off; worker_processes 1;',
    `pid ${join(own, 'pid')}; error_log stderr;`,
    'events { worker_connections 64; }',
    `http { access_log off; ${temporary.join(' ')}\n${http}\n}`,
  ]
  const file = join(own, 'nginx.conf')
  writeFileSync(file, settings.join('\n'))
  return run(program, ['-p', own, '-c', file, '-e', 'stderr'], port)
}

/** Runs HAProxy with a whole configuration. */
export function startHaproxy(program: string, folder: string, text: string, port: number): Promise<Proxy> {
  const file = join(folder, `haproxy-${port}.cfg`)
  writeFileSync(file, text)
  return run(program, ['-db', '-f', file], port)
}

async function run(program: string, args: readonly string[], port: number): Promise<Proxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit')
  await untilListening(port, child, () => said)
  return {
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilListening(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended: ${said()}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await delay(20)
  }
}
