import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, mkdir, open, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServerPlace, preparePlace } from './embedded-place.ts'
import { hasSocket, openDatabase } from './database.ts'

/** A PostgreSQL server that belongs to a home folder and is reached by a unix socket only. */
export type EmbeddedPostgres = {
  /** The URL for openDatabase. */
  readonly url: string
  /** True when another process started this server and still uses it: then it is not ours to stop. */
  readonly shared: boolean
  /** Shuts our server down ("fast": open transactions are rolled back) and waits for its end. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  /** The folder that holds the data, unless the server's user may not enter it: see embedded-place.ts. */
  home: string
  /** One line of news for a person. */
  onNews?: (line: string) => void
  /** Called when the server ended by itself; it is started again unless this throws. */
  onCrash?: (code: number | null) => void
}

const port = 5432
const user = 'ridgeline'
const readyDeadline = 30_000

/**
 * Settings of an index that can be built again from its node: commits need not reach the disk at once,
 * because a lost one leaves the tables whole and the indexer reads those blocks again.
 */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  log_timezone: 'UTC',
}

/**
 * Starts the PostgreSQL server of a home folder, initialising it the first time. One that a killed process
 * left running is started anew; one that another process uses is shared. Throws with a sentence for the
 * user when it can't.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const place = await preparePlace(options.home, options.onNews ?? (() => undefined))
  const socketFolder = await makeSocketFolder(place)
  const url = `postgres://${user}@localhost:${port}/postgres?host=${encodeURIComponent(socketFolder)}`

  const running = await runningServer(place)
  if (running !== undefined && (await answers(url))) {
    if (await isInUse(url)) return { url, shared: true, stop: async () => undefined }
    process.kill(running, 'SIGINT')
    while (isAlive(running)) await delay(10)
  }

  await initialise(place)
  let stopping = false
  let server = await launch(place, socketFolder, url)
  const restart = async (): Promise<void> => {
    try {
      server = await launch(place, socketFolder, url)
      watch(server)
      if (stopping) server.kill('SIGINT')
    } catch (error) {
      options.onNews?.(`PostgreSQL did not come back: ${String(error)}`)
    }
  }
  const watch = (child: ChildProcess): void => {
    child.once('exit', (code) => {
      if (stopping) return
      options.onCrash?.(code)
      void restart()
    })
  }
  watch(server)
  return {
    url,
    shared: false,
    async stop() {
      stopping = true
      if (server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
  }
}

/**
 * Whether another Ridgeline is connected. One that was killed leaves its server up and its sessions for
 * the moment that the server needs to notice.
 */
async function isInUse(url: string): Promise<boolean> {
  const database = openDatabase(url, { max: 1, applicationName: 'start' })
  try {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const rows = await database`
        select 1 from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name like 'ridgeline%' limit 1`
      if (rows.length === 0) return false
      await delay(25)
    }
    return true
  } finally {
    await database.end({ timeout: 1 })
  }
}

/** A unix socket's path holds at most 107 bytes, so the socket lives in a short folder of its own. */
async function makeSocketFolder(place: ServerPlace): Promise<string> {
  const name = `ridgeline-${createHash('sha256').update(place.dataFolder).digest('hex').slice(0, 12)}`
  const base = tmpdir().length > 60 ? '/tmp' : tmpdir()
  const folder = join(base, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (place.owner) await chown(folder, place.owner.uid, place.owner.gid)
  return folder
}

async function runningServer(place: ServerPlace): Promise<number | undefined> {
  let text: string
  try {
    text = await readFile(join(place.dataFolder, 'postmaster.pid'), 'utf8')
  } catch {
    return undefined
  }
  const pid = Number(text.split('\n')[0])
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function answers(url: string): Promise<boolean> {
  const database = openDatabase(url, { max: 1 })
  try {
    await database`select 1`
    return true
  } catch {
    return false
  } finally {
    await database.end({ timeout: 1 })
  }
}

async function initialise(place: ServerPlace): Promise<void> {
  try {
    await readFile(join(place.dataFolder, 'PG_VERSION'))
    return
  } catch {
    await mkdir(place.dataFolder, { recursive: true, mode: 0o700 })
    if (place.owner) await chown(place.dataFolder, place.owner.uid, place.owner.gid)
  }
  const flags = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const child = spawn(place.initdb, [`--pgdata=${place.dataFolder}`, `--username=${user}`, ...flags], {
    ...place.owner,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0)
    throw new Error(`PostgreSQL could not be initialised: ${Buffer.concat(output).toString().trim()}`)
}

async function launch(place: ServerPlace, socketFolder: string, url: string): Promise<ChildProcess> {
  const log = await open(place.logFile, 'a')
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    place.postgres,
    ['-D', place.dataFolder, '-k', socketFolder, '-p', String(port), ...flags],
    // A group of its own: Ctrl-C in the terminal reaches us, and we end the server in order.
    { ...place.owner, cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] },
  )
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => undefined)
  try {
    await Promise.race([failed, waitUntilReady(child, socketFolder, url, place.logFile)])
  } finally {
    await log.close()
  }
  return child
}

async function waitUntilReady(
  child: ChildProcess,
  folder: string,
  url: string,
  logFile: string,
): Promise<void> {
  const deadline = Date.now() + readyDeadline
  while (Date.now() < deadline) {
    if (child.exitCode !== null) {
      const tail = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join(' | ')
      throw new Error(`PostgreSQL ended at once: ${tail}`)
    }
    if (hasSocket(folder, port) && (await answers(url))) return
    await delay(15)
  }
  child.kill('SIGQUIT')
  throw new Error(`PostgreSQL was not ready after ${readyDeadline / 1000} s`)
}
