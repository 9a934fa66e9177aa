// A Citus cluster for tests: a coordinator and workers on free ports, and a PostgreSQL without Citus beside them.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { say } from './bootstrap.mjs'

const user = 'ridgeline'
/** As docs/citus.md advises: a machine that is gone is noticed within seconds. */
const connections =
  'sslmode=require connect_timeout=5 tcp_user_timeout=5000 keepalives_idle=5 keepalives_interval=1 keepalives_count=5'

/**
 * The folder with the programs of a PostgreSQL that has Citus: CITUS_BIN, or what CITUS_SOURCE (the released source, as
 * a folder or as a tarball's path or URL) is installed into. Returns `{ missing }` where there is neither.
 */
export function findCitus(scratch) {
  const { CITUS_BIN: bin, CITUS_SOURCE: source } = process.env
  if (bin === undefined && source === undefined)
    return {
      missing:
        'CITUS_BIN names no folder with the programs of a PostgreSQL that has Citus, and CITUS_SOURCE no source of Citus',
    }
  const config =
    bin !== undefined
      ? join(bin, 'pg_config')
      : readdirSync('/usr/lib/postgresql', { withFileTypes: true })
          .map(({ name }) => `/usr/lib/postgresql/${name}/bin/pg_config`)
          .find(existsSync)
  if (config === undefined || !existsSync(config))
    return { missing: `there is no pg_config at ${config ?? bin}` }
  const ask = (what) => execFileSync(config, [`--${what}`], { encoding: 'utf8' }).trim()
  if (bin === undefined) build(source, config, scratch)
  if (!existsSync(join(ask('pkglibdir'), 'citus.so')))
    return { missing: `the PostgreSQL of ${config} has no Citus` }
  return { bin: ask('bindir') }
}

function build(source, config, scratch) {
  say(`building Citus from ${source} …`)
  const folder = join(scratch, 'citus')
  const run = (command, args, cwd) => {
    const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
  }
  mkdirSync(folder)
  if (/^https?:/.test(source)) run('curl', ['-fsSL', '-o', join(scratch, 'citus.tar.gz'), source])
  const tarball = /^https?:/.test(source) ? join(scratch, 'citus.tar.gz') : source
  if (/\.t(ar\.)?gz$/.test(tarball)) run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
  // With the times of the files, by which make decides whether configure has to be made again.
  else run('cp', ['-a', `${tarball}/.`, folder])
  run('./configure', ['--without-libcurl', `PG_CONFIG=${config}`], folder)
  run('make', ['-s', `-j${cpus().length}`, 'install'], folder)
}

/** A port of the loopback interface that is free now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** The ids of the user that runs the servers if this process is root, which PostgreSQL refuses. */
function owner() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Creates and starts a server with an empty database. */
export async function startServer({ bin, folder, name, citus }) {
  const who = owner()
  const data = join(folder, name)
  const port = await freePort()
  mkdirSync(data)
  if (who.uid !== undefined) chownSync(data, who.uid, who.gid)
  chmodSync(data, 0o700)
  const options = { ...who, cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '-N'],
    options,
  )
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      ...(citus
        ? [
            "shared_preload_libraries = 'citus'",
            `citus.node_conninfo = '${connections}'`,
            'citus.enable_statistics_collection = off',
          ]
        : []),
      'wal_level = logical',
      // The test kills processes, not the machine.
      'fsync = off',
      '',
    ].join('\n'),
  )
  const log = join(data, 'server.log')
  let child
  const server = {
    name,
    port,
    url: `postgres://${user}@127.0.0.1:${port}/ridgeline`,
    log: () => readFileSync(log, 'utf8'),
    query: (sql, database = 'ridgeline') =>
      execFileSync(
        join(bin, 'psql'),
        [
          '-XAtq',
          '-v',
          'ON_ERROR_STOP=1',
          '-h',
          '127.0.0.1',
          '-p',
          String(port),
          '-U',
          user,
          '-c',
          sql,
          database,
        ],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      ).trim(),
    /** The same, while this process goes on. */
    ask: (sql) =>
      promisify(execFile)(join(bin, 'psql'), ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', sql, server.url]),
    async start() {
      const output = openSync(log, 'a')
      child = spawn(join(bin, 'postgres'), ['-D', data], {
        ...who,
        cwd: '/',
        // Where a server looks for its certificate as a client of the others.
        env: { ...process.env, HOME: data },
        stdio: ['ignore', output, output],
      })
      closeSync(output)
      for (let tries = 0; ; tries += 1) {
        try {
          return server.query('select 1', 'postgres')
        } catch (error) {
          if (tries > 300 || child.exitCode !== null) throw error
          await delay(100)
        }
      }
    },
    async end(signal = 'SIGINT') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    /** For the end of this process, which waits for nothing. */
    kill: () => child?.kill('SIGQUIT'),
  }
  await server.start()
  server.query('create database ridgeline', 'postgres')
  if (citus) server.query('create extension citus')
  server.query('create extension if not exists pg_trgm')
  return server
}

const dropped = 'ridgeline_test_citus'
const nft = (rules) => spawnSync('nft', ['-f', '-'], { input: rules, encoding: 'utf8' })

/**
 * Cuts a server off, as if its machine were gone: packets to and from its port are dropped, and no connection is closed.
 * Returns what ends that; undefined where nftables is missing or not allowed.
 */
export function cutOff({ port }) {
  const { status } = nft(`
    table inet ${dropped} {
      chain arriving {
        type filter hook input priority 0;
        tcp dport ${port} drop
        tcp sport ${port} drop
      }
    }`)
  return status === 0 ? () => nft(`delete table inet ${dropped}`) : undefined
}

/** Makes a cluster of the coordinator and the workers. */
export function joinCluster(coordinator, workers) {
  coordinator.query(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  for (const { port } of workers) coordinator.query(`select citus_add_node('127.0.0.1', ${port})`)
}
