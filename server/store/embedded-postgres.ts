import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ServerPlace, exists, prepareServerFolder } from './embedded-place.ts'
import { isAlive } from '../kernel/is-alive.ts'
import { hasSocket, openDatabase } from './database.ts'

/** A PostgreSQL server that belongs to a home folder and listens only on a unix socket. */
export type EmbeddedPostgres = {
  /** The URL for openDatabase. */
  readonly url: string
  /** Whether another process started this server and still uses it; then this process must not stop it. */
  readonly shared: boolean
  /** Shuts down the own server ("fast": open transactions are rolled back) and waits for its end. */
  stop(): Promise<void>
}

type EmbeddedPostgresOptions = {
  /** The folder of the data, unless the server's user cannot enter it: see embedded-place.ts. */
  home: string
  /** Receives progress messages for the user, one line each. */
  onNews?: (line: string) => void
  /** Called when the server ended unexpectedly; it is restarted unless this throws. */
  onCrash?: (code: number | null) => void
  /** Called with the server's process id after every start. */
  onProcess?: (pid: number) => void
  /** Cancels the start; everything that it started is ended before the promise rejects. */
  signal?: AbortSignal
}

const port = 5432
const user = 'ridgeline'
const readyDeadline = 30_000
/** Milliseconds until a shutdown is replaced with an immediate one, without a checkpoint. */
const fastShutdown = 7_000
/** Milliseconds for which the processes of a killed server may hold the data. */
const remainsDeadline = 10_000

/**
 * Settings for an index that can be rebuilt from its node: commits need not reach the disk at once, because a
 * lost commit leaves consistent tables and the indexer reads those blocks again.
 */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  // A statement about all partitions of a large chain locks them with all of their indexes.
  max_locks_per_transaction: '512',
  shared_buffers: '128MB',
  synchronous_commit: 'off',
  // What a backup of the running server needs (server/maintenance).
  wal_level: 'replica',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  log_timezone: 'UTC',
}

/**
 * Starts the PostgreSQL server of a home folder and initializes it the first time. A server left running by a
 * killed process is restarted; one that another process uses is shared. Throws with a message for the user if
 * it cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const place = await prepareServerFolder(options.home, options.onNews ?? (() => undefined))
  const socketFolder = await makeSocketFolder(place)
  const url = `postgres://${user}@localhost:${port}/postgres?host=${encodeURIComponent(socketFolder)}`

  const { signal, onProcess = () => undefined } = options
  const launchHere = (): Promise<ChildProcess> => launch(place, { socketFolder, url, signal, onProcess })

  if ((await predecessor(place, url, signal)) === 'in use')
    return { url, shared: true, stop: async () => undefined }
  await initialise(place, signal)
  let stopping = false
  let server = await launchHere()
  const restart = async (): Promise<void> => {
    try {
      server = await launchHere()
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
      await endServer(server)
      // Its socket is gone with it, unless another server has begun.
      await rmdir(socketFolder).catch(() => undefined)
    },
  }
}

/** Shuts down "fast", or immediately if that takes too long; the next start then replays the log. */
async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  const tooLong = setTimeout(() => server.kill('SIGQUIT'), fastShutdown)
  await ended
  clearTimeout(tooLong)
}

/**
 * Looks for a server that already runs on the data: one that is in use is kept, any other is ended. While a
 * server starts, recovers or ends, it is waited for, because its data cannot be opened before.
 */
async function predecessor(
  place: ServerPlace,
  url: string,
  signal: AbortSignal | undefined,
): Promise<'in use' | 'gone'> {
  const deadline = Date.now() + readyDeadline
  let told: 'SIGINT' | 'SIGQUIT' | undefined
  for (;;) {
    const pid = await runningServer(place)
    if (pid === undefined) return 'gone'
    signal?.throwIfAborted()
    if (told === undefined && (await answers(url))) {
      if (await isInUse(url)) return 'in use'
      told = 'SIGINT'
      sendSignal(pid, told)
    } else if (told !== 'SIGQUIT' && Date.now() > deadline) {
      told = 'SIGQUIT'
      sendSignal(pid, told)
    }
    await delay(20)
  }
}

/** The process may end before the signal is sent. */
function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Whether another Ridgeline is connected. A killed one leaves the server running, and its sessions until the
 * server notices.
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

/** The path of a unix socket has at most 107 bytes, so the socket gets its own short folder. */
async function makeSocketFolder(place: ServerPlace): Promise<string> {
  const name = `ridgeline-${createHash('sha256').update(place.dataFolder).digest('hex').slice(0, 12)}`
  const base = tmpdir().length > 60 ? '/tmp' : tmpdir()
  const folder = join(base, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (place.owner) await chown(folder, place.owner.uid, place.owner.gid)
  return folder
}

/** The process that serves the data folder; undefined if there is none, regardless of the pid file. */
export async function runningServer(place: ServerPlace): Promise<number | undefined> {
  const file = join(place.dataFolder, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  // Another program has the pid now, for example after a restart of the machine. Without /proc, PostgreSQL
  // itself decides.
  if (command !== undefined && !command.includes(place.dataFolder)) {
    await rm(file, { force: true })
    return undefined
  }
  return pid
}

/** Whether a server answers at a URL. */
export async function answers(url: string): Promise<boolean> {
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

/** The name of restored data that are complete and not yet in place; see server/maintenance/restore.ts. */
export const restoredFolder = (place: ServerPlace): string => `${place.dataFolder}.restored`

/** Creates the data folder, completely or not at all: the remains of a killed initialization are deleted. */
async function initialise(place: ServerPlace, signal: AbortSignal | undefined): Promise<void> {
  if (await exists(join(place.dataFolder, 'PG_VERSION'))) return
  // A restore was killed after it was complete, before its last rename.
  const restored = restoredFolder(place)
  if (await exists(restored)) return rename(restored, place.dataFolder)
  const scratch = `${place.dataFolder}.new`
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  if (place.owner) await chown(scratch, place.owner.uid, place.owner.gid)
  const flags = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const child = spawn(place.initdb, [`--pgdata=${scratch}`, `--username=${user}`, ...flags], {
    ...place.owner,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = (): boolean => child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  const output: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'exit')) as [number | null]
  signal?.removeEventListener('abort', stop)
  signal?.throwIfAborted()
  if (code !== 0)
    throw new Error(`PostgreSQL could not be initialised: ${Buffer.concat(output).toString().trim()}`)
  await rename(scratch, place.dataFolder)
}

type Launch = {
  readonly socketFolder: string
  readonly url: string
  readonly signal: AbortSignal | undefined
  readonly onProcess: (pid: number) => void
}

/**
 * Starts the server, and retries while the processes of a killed one still hold its memory or its pid file.
 */
async function launch(place: ServerPlace, options: Launch): Promise<ChildProcess> {
  const deadline = Date.now() + remainsDeadline
  for (;;) {
    try {
      return await launchOnce(place, options)
    } catch (error) {
      if (!(error instanceof DataHeldError) || Date.now() > deadline) throw error
      await delay(100)
    }
  }
}

async function launchOnce(
  place: ServerPlace,
  { socketFolder, url, signal, onProcess }: Launch,
): Promise<ChildProcess> {
  signal?.throwIfAborted()
  const log = await open(place.logFile, 'a')
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    place.postgres,
    ['-D', place.dataFolder, '-k', socketFolder, '-p', String(port), ...flags],
    // A separate process group, so that Ctrl-C in the terminal reaches only this process, which then shuts
    // the server down.
    { ...place.owner, cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] },
  )
  if (child.pid !== undefined) onProcess(child.pid)
  const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => undefined)
  try {
    await Promise.race([failed, waitUntilReady(child, socketFolder, url, place.logFile, signal)])
  } catch (error) {
    await endServer(child)
    throw error
  } finally {
    await log.close()
  }
  return child
}

/** Another server, or the remains of one, still holds the data. */
class DataHeldError extends Error {
  override readonly name = 'DataHeldError'
}

async function waitUntilReady(
  child: ChildProcess,
  folder: string,
  url: string,
  logFile: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = Date.now() + readyDeadline
  while (Date.now() < deadline) {
    signal?.throwIfAborted()
    if (child.exitCode !== null || child.signalCode !== null) {
      const tail = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join(' | ')
      const message = `PostgreSQL ended at once: ${tail}`
      throw /still in use|another (postmaster|postgres)/i.test(tail)
        ? new DataHeldError(message)
        : new Error(message)
    }
    if (hasSocket(folder, port) && (await answers(url))) return
    await delay(15)
  }
  throw new Error(`PostgreSQL was not ready after ${readyDeadline / 1000} s`)
}
