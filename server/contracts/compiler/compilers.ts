import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The folder below the home that holds compilers, and the file in it that names them. */
export const compilersFolder = (home: string): string => join(home, 'compilers')
export const listFile = 'list.json'

/**
 * A version with its commit, such as `0.8.30+commit.73712a01`, by which builds are named.
 */
export const longVersion = /^\d{1,3}\.\d{1,3}\.\d{1,3}(-[0-9A-Za-z.-]{1,64})?\+commit\.[0-9a-f]{8}$/

const listSchema = z.object({
  builds: z.array(
    z.object({
      path: z.string().regex(/^[\w.+-]{1,128}\.js$/),
      longVersion: z.string().regex(longVersion),
      sha256: z.string().regex(/^0x[0-9a-f]{64}$/),
    }),
  ),
})

/** A build in the folder, as the official list of compilers describes it (solc-bin's list.json). */
export type CompilerBuild = z.infer<typeof listSchema>['builds'][number]

/** The builds in a folder, the newest first; none without a list. Throws an Error that names an unusable list. */
export async function readCompilers(folder: string): Promise<CompilerBuild[]> {
  const file = join(folder, listFile)
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  let builds
  try {
    ;({ builds } = listSchema.parse(JSON.parse(text)))
  } catch (error) {
    throw new Error(`${file}: is not a list of compilers: ${(error as Error).message}`, { cause: error })
  }
  return builds.sort((a, b) => b.longVersion.localeCompare(a.longVersion, 'en', { numeric: true }))
}

/**
 * Finds a build by its version, with or without the commit and a leading `v`; undefined if the folder has none. Throws an
 * Error for a file that does not have the checksum of the list.
 */
export async function findCompiler(
  folder: string,
  asked: string,
): Promise<{ readonly file: string; readonly version: string } | undefined> {
  const version = asked.replace(/^v/, '')
  const build = (await readCompilers(folder)).find(
    (each) => each.longVersion === version || each.longVersion.split('+')[0] === version,
  )
  if (!build) return undefined
  const file = join(folder, build.path)
  const sha256 = `0x${createHash('sha256')
    .update(await readFile(file))
    .digest('hex')}`
  if (sha256 !== build.sha256) throw new Error(`${file}: does not have the checksum of ${listFile}`)
  return { file, version: build.longVersion }
}
