import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase, type Database } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import { prepareServerFolder } from '../store/embedded-place.ts'
import { answers } from '../store/embedded-postgres.ts'
import { freePort } from './proxies.ts'

const run = promisify(execFile)
const user = 'ridgeline'
/** Debian's programs of the oldest version that is supported; without them, those of the package. */
const debian = '/usr/lib/postgresql/15/bin'

/** One PostgreSQL server of a cluster, on a port of the loopback interface. */
export type ClusterServer = {
  readonly port: number
  /** The URL of the migrated database. */
  readonly url: string
  /** A pool of two connections, which is closed with the cluster. */
  readonly database: Database
  start(): Promise<void>
  /** Kills the server's main process with SIGKILL; its children end by themselves. */
  kill(): Promise<void>
  /** On a standby: receives from no primary any more, or again. */
  receive(on: boolean): Promise<void>
}

/** A primary and two standbys that stream from it, or from whichever of the three is promoted. */
export type Cluster = {
  readonly servers: readonly [ClusterServer, ClusterServer, ClusterServer]
  /** The ids of the user that runs the servers, if this process is root. */
  readonly owner: { uid: number; gid: number } | undefined
  /** A folder that this user owns. */
  readonly folder: string
  /** A URL that names the given servers. */
  urlOf(servers: readonly ClusterServer[], query?: string): string
  stop(): Promise<void>
}

/**
 * Starts three servers: a standby is a copy of the migrated primary, taken while it is stopped, with `standby.signal`.
 */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'ridgeline-cluster-'))
  await chmod(folder, 0o755)
  const { postgres, owner } = await prepareServerFolder(folder, () => undefined)
  const programs = existsSync(join(debian, 'postgres')) ? debian : dirname(postgres)
  if (owner) await chown(folder, owner.uid, owner.gid)
  const ports = [await freePort(), await freePort(), await freePort()] as const
  const data = ports.map((_, index) => join(folder, `server-${index}`)) as [string, string, string]
  await run(
    join(programs, 'initdb'),
    ['-D', data[0], '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '-N'],
    { ...owner, cwd: '/' },
  )
  const hosts = `host=${ports.map(() => '127.0.0.1').join()} port=${ports.join()}`
  await writeFile(
    join(data[0], 'postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'shared_buffers = 32MB',
      'max_connections = 100',
      // The tests kill processes, not the machine.
      'fsync = off',
      'wal_keep_size = 256MB',
      'wal_retrieve_retry_interval = 100ms',
      `primary_conninfo = '${hosts} user=${user} target_session_attrs=read-write connect_timeout=2'`,
      "log_timezone = 'UTC'",
      '',
    ].join('\n'),
  )
  const servers = ports.map((port, index) => createServer({ port, data: data[index] ?? '', programs, owner }))
  const [first, ...standbys] = servers as [Startable, Startable, Startable]
  await first.start()
  await migrate(first.database)
  await first.stop()
  for (const copy of data.slice(1)) {
    await cp(data[0], copy, { recursive: true })
    if (owner) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, copy])
    await chmod(copy, 0o700)
    await writeFile(join(copy, 'standby.signal'), '')
  }
  await Promise.all(servers.map((server) => server.start()))
  return {
    servers: [first, ...standbys] as Cluster['servers'],
    owner,
    folder,
    urlOf: (some, query = '') =>
      `postgres://${user}@${some.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres${query}`,
    async stop() {
      await Promise.all(servers.map((server) => server.database.end({ timeout: 1 })))
      await Promise.all(servers.map((server) => server.stop()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Startable = ClusterServer & { stop(): Promise<void> }

type Place = {
  readonly port: number
  readonly data: string
  readonly programs: string
  readonly owner: { uid: number; gid: number } | undefined
}

function createServer({ port, data, programs, owner }: Place): Startable {
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`
  const database = openDatabase(url, { max: 2, applicationName: 'test' })
  let child: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    port,
    url,
    database,
    async start() {
      if (child && child.exitCode === null && child.signalCode === null) return
      const log = join(data, 'server.log')
      const said: string[] = []
      child = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port)], {
        ...owner,
        cwd: '/',
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.stderr?.on('data', (chunk: Buffer) => {
        said.push(chunk.toString())
        void appendFile(log, chunk).catch(() => undefined)
      })
      const deadline = performance.now() + 20_000
      while (!(await answers(url))) {
        if (child.exitCode !== null || performance.now() > deadline) throw new Error(said.join(''))
        await delay(20)
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async receive(on) {
      await database.unsafe(
        on
          ? 'alter system reset primary_conninfo'
          : "alter system set primary_conninfo = 'host=127.0.0.1 port=1'",
      )
      await database`select pg_reload_conf()`
      const deadline = performance.now() + 20_000
      for (;;) {
        const [row] = await database<{ count: number }[]>`
          select count(*)::int as count from pg_stat_wal_receiver where status = 'streaming'`
        if ((row?.count ?? 0) > 0 === on) return
        if (performance.now() > deadline) throw new Error(await readFile(join(data, 'server.log'), 'utf8'))
        await delay(20)
      }
    },
  }
}
