import { requireSpace } from './space.ts'
import { forEach } from '../kernel/for-each.ts'
import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { exists, prepareServerFolder, type ServerPlace } from '../store/embedded-place.ts'
import { restoredFolder, runningServer } from '../store/embedded-postgres.ts'
import { type Content, contentOf, copyFile, syncAll, syncFolder } from '../kernel/durable-files.ts'
import { majorOf, manifestName, parts, readManifest, type BackedUpFile, type Manifest } from './manifest.ts'

const run = promisify(execFile)

type RestoreOptions = {
  /** The folder of the backup. */
  readonly source: string
  readonly home: string
  /** Replaces the data and files that the home has already; without it such a home is refused. */
  readonly replace?: boolean
  readonly onNews?: (line: string) => void
}

/** Files read at the same time. */
const width = 4

/**
 * Restores a backup into a home whose service is stopped. Everything is copied next to the present data and compared
 * with the manifest first; then the folders are exchanged, so that a killed restore leaves the old data or the new.
 * Rejects with a message for the operator: for a damaged backup, one of another major version of PostgreSQL, a home
 * in use, or one that has data.
 */
export async function restore({ source, home, replace = false, onNews }: RestoreOptions): Promise<Manifest> {
  const folder = resolve(source)
  const manifest = await readManifest(folder)
  const place = await prepareServerFolder(home, onNews ?? (() => undefined))
  await requireVersion(place, manifest)
  const running = await runningServer(place)
  if (running !== undefined)
    throw new Error(`${home} is in use by PostgreSQL (process ${running}): stop the service first`)
  const ofHome = manifest.files.filter(({ path }) => path.startsWith(`${parts.home}/`))
  const inHome = ({ path }: BackedUpFile): string => join(home, path.slice(parts.home.length + 1))
  await requireEmpty([place.dataFolder, restoredFolder(place), ...ofHome.map(inHome)], home, replace)

  const scratch = `${place.dataFolder}.restoring`
  await rm(scratch, { recursive: true, force: true })
  const ofData = manifest.files.filter(({ path }) => path.startsWith(`${parts.data}/`))
  await requireSpace(
    dirname(scratch),
    ofData.reduce((sum, { size }) => sum + size, 0),
  )
  try {
    await copyData(folder, scratch, manifest, place.owner)
    await copyFiles(folder, ofHome, (file) => `${inHome(file)}.restoring`)
  } catch (error) {
    await rm(scratch, { recursive: true, force: true })
    for (const file of ofHome) await rm(`${inHome(file)}.restoring`, { force: true })
    throw error
  }
  await syncAll(scratch)
  for (const file of ofHome) await rename(`${inHome(file)}.restoring`, inHome(file))
  await exchange(place, scratch)
  return manifest
}

/** Puts complete restored data in the place of the present data. A start finishes this after a kill. */
async function exchange(place: ServerPlace, scratch: string): Promise<void> {
  const [restored, replaced] = [restoredFolder(place), `${place.dataFolder}.replaced`]
  await rm(restored, { recursive: true, force: true })
  await rename(scratch, restored)
  await rm(replaced, { recursive: true, force: true })
  if (await exists(place.dataFolder)) await rename(place.dataFolder, replaced)
  await rename(restored, place.dataFolder)
  await syncFolder(dirname(place.dataFolder))
  await rm(replaced, { recursive: true, force: true })
}

async function copyData(
  folder: string,
  scratch: string,
  manifest: Manifest,
  owner: ServerPlace['owner'],
): Promise<void> {
  const to = (path: string): string => join(scratch, path.slice(parts.data.length))
  for (const path of manifest.folders) {
    await mkdir(to(path), { mode: 0o700 })
    if (owner) await chown(to(path), owner.uid, owner.gid)
  }
  const ofData = manifest.files.filter(({ path }) => path.startsWith(`${parts.data}/`))
  await copyFiles(folder, ofData, ({ path }) => to(path), owner)
}

async function copyFiles(
  folder: string,
  files: readonly BackedUpFile[],
  to: (file: BackedUpFile) => string,
  owner?: ServerPlace['owner'],
): Promise<void> {
  await refuseDamage(files, async (file) => {
    await mkdir(dirname(to(file)), { recursive: true })
    await rm(to(file), { force: true })
    return copyFile(join(folder, file.path), to(file), owner)
  })
}

/** Compares a backup with its manifest, without restoring it. Rejects if it is damaged. */
export async function checkBackup(source: string): Promise<Manifest> {
  const folder = resolve(source)
  const manifest = await readManifest(folder)
  await refuseAdditional(folder, manifest.files)
  await refuseDamage(manifest.files, ({ path }) => contentOf(join(folder, path)))
  return manifest
}

/** A file that the manifest does not list is not from the backup, and PostgreSQL might read it. */
async function refuseAdditional(folder: string, files: readonly BackedUpFile[]): Promise<void> {
  const listed = new Set([manifestName, ...files.map(({ path }) => path)])
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const others = found
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !listed.has(path))
    .toSorted()
  if (others.length === 0) return
  const named = others.slice(0, 3).join(', ')
  throw new Error(
    `the backup has ${others.length} ${others.length === 1 ? 'file' : 'files'} that its manifest does not list (${named}${others.length > 3 ? ', …' : ''})`,
  )
}

async function refuseDamage(
  files: readonly BackedUpFile[],
  read: (file: BackedUpFile) => Promise<Content>,
): Promise<void> {
  const damaged: string[] = []
  await forEach(files, width, async (file) => {
    const found = await read(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EIO') return undefined
      throw error
    })
    if (found?.sha256 !== file.sha256 || found.size !== file.size) damaged.push(file.path)
  })
  if (damaged.length === 0) return
  const named = damaged.slice(0, 3).join(', ')
  throw new Error(
    `the backup is damaged: ${damaged.length} of ${files.length} files are not as its manifest lists them (${named}${damaged.length > 3 ? ', …' : ''})`,
  )
}

/** PostgreSQL reads only data folders of its own major version. */
async function requireVersion(place: ServerPlace, manifest: Manifest): Promise<void> {
  const { stdout } = await run(place.postgres, ['--version'])
  const version = /\d+(\.\d+)*/.exec(stdout)?.[0] ?? ''
  if (majorOf(version) === majorOf(manifest.postgres)) return
  throw new Error(
    `the backup was made by PostgreSQL ${manifest.postgres}, and this version of Ridgeline comes with ${version}: restore it with Ridgeline ${manifest.ridgeline}, or another that comes with PostgreSQL ${majorOf(manifest.postgres)}`,
  )
}

async function requireEmpty(paths: readonly string[], home: string, replace: boolean): Promise<void> {
  if (replace) return
  for (const path of paths)
    if (await exists(path))
      throw new Error(
        `${home} has data (${path}): choose another RIDGELINE_HOME, or replace them with --replace`,
      )
}
