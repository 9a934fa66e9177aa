import { requireSpace } from './space.ts'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { exists, prepareServerFolder } from '../store/embedded-place.ts'
import { openDatabase } from '../store/database.ts'
import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'
import { copyServer } from './base-backup.ts'
import { copyFile, createFile, isMissing, syncAll, syncFolder } from '../kernel/durable-files.ts'
import { manifestName, parts, type BackedUpFile, type Manifest } from './manifest.ts'

/**
 * What of the home belongs to a backup besides the data: the local token, and the identity among peers. Logs are
 * left out, and what a start creates again.
 */
const homeFiles = ['token', 'signatures/peer-identity.json'] as const

type BackupOptions = {
  readonly home: string
  /** The folder of the new backup. It must not exist. */
  readonly target: string
  /** The version of Ridgeline. */
  readonly version: string
  readonly onNews?: (line: string) => void
}

/**
 * Makes a backup of a home whose server is bundled with Ridgeline, while the service runs or not. The backup appears
 * under its name once it is complete and on the disk; until then it has the name of `incompleteName`, which the next
 * backup of the same name replaces. Rejects with a message for the operator.
 */
export async function backUp(options: BackupOptions): Promise<Manifest> {
  const target = resolve(options.target)
  if (await exists(target)) throw new Error(`${target} exists: a backup needs a folder of its own`)
  const place = await prepareServerFolder(options.home, options.onNews ?? (() => undefined))
  if (!(await exists(join(place.dataFolder, 'PG_VERSION'))))
    throw new Error(`${options.home} has no data to back up`)
  const started = Math.floor(Date.now() / 1000)
  const parent = dirname(target)
  await mkdir(parent, { recursive: true })
  const scratch = join(parent, incompleteName(target))
  const server = await startEmbeddedPostgres({ home: options.home })
  try {
    const { postgres, bytes } = await describe(server.url)
    await rm(scratch, { recursive: true, force: true })
    await requireSpace(parent, bytes)
    await mkdir(join(scratch, parts.data), { recursive: true, mode: 0o700 })
    try {
      const copied = await copyServer(server.url, place.dataFolder, join(scratch, parts.data))
      const manifest: Manifest = {
        format: 1,
        ridgeline: options.version,
        postgres,
        started,
        ended: Math.floor(Date.now() / 1000),
        startLsn: copied.startLsn,
        stopLsn: copied.stopLsn,
        schema: copied.schema,
        chains: copied.chains,
        folders: [parts.data, ...copied.folders.map((path) => `${parts.data}/${path}`)],
        files: [
          ...copied.files.map((file) => ({ ...file, path: `${parts.data}/${file.path}` })),
          ...(await copyHome(options.home, join(scratch, parts.home))),
        ],
      }
      await createFile(join(scratch, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
      await syncAll(scratch)
      await rename(scratch, target)
      await syncFolder(parent)
      return manifest
    } catch (error) {
      await rm(scratch, { recursive: true, force: true })
      throw error
    }
  } finally {
    await server.stop()
  }
}

/** The name of a backup that is not complete yet, or whose program was killed. */
export const incompleteName = (target: string): string => `.${basename(target)}.incomplete`

/** The server's version, and the size of its databases. */
async function describe(url: string): Promise<{ postgres: string; bytes: number }> {
  const database = openDatabase(url, { max: 1, applicationName: 'ridgeline backup' })
  try {
    const [row] = await database<{ postgres: string; bytes: bigint }[]>`
      select current_setting('server_version') as postgres, sum(pg_database_size(oid))::bigint as bytes from pg_database`
    return { postgres: String(row?.postgres), bytes: Number(row?.bytes) }
  } finally {
    await database.end({ timeout: 1 })
  }
}

async function copyHome(home: string, target: string): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for (const name of homeFiles) {
    const from = join(home, name)
    try {
      await access(from)
    } catch (error) {
      if (isMissing(error)) continue
      throw error
    }
    await mkdir(dirname(join(target, name)), { recursive: true, mode: 0o700 })
    files.push({ path: `${parts.home}/${name}`, ...(await copyFile(from, join(target, name))) })
  }
  return files
}
