import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { LakeMirror } from './mirror.ts'

/** Whether a lake's root is in S3-compatible storage. */
export const isRemote = (root: string): boolean => root.startsWith('s3://')

/** What a command does with a lake: `chain` is one of its chains, all of them if undefined. */
type LakeUse = {
  readonly root: string
  readonly chain: number | string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  say(line: string): void
}

/** The client is loaded only where it is needed: that takes as long as the rest of the program. */
async function openMirror({ root, env }: LakeUse, folder: string): Promise<LakeMirror> {
  const { openBucket } = await import('./bucket.ts')
  return new LakeMirror(openBucket(root, env), folder)
}

/** Called with each range that was written to the folder. */
export type Published = (range: { readonly chain: number | string; readonly name: string }) => void

const folderOf = ({ root, env }: LakeUse, use: string): string => {
  const home = resolve(env['RIDGELINE_HOME'] ?? '.ridgeline')
  return join(home, 'lake-cache', createHash('sha256').update(root).digest('hex').slice(0, 16), use)
}

/**
 * Runs what reads a lake on a folder. Of a lake in S3-compatible storage, that is a copy in the home folder, which gets
 * what it lacks first.
 */
export async function readOnFolder<Result>(
  use: LakeUse,
  run: (root: string) => Promise<Result>,
): Promise<Result> {
  if (!isRemote(use.root)) return run(use.root)
  const folder = folderOf(use, 'read')
  await pullLake(use, folder)
  return run(folder)
}

/** Downloads to a folder what it lacks of a lake in S3-compatible storage. */
export async function pullLake(use: LakeUse, folder: string): Promise<void> {
  const { chain, say } = use
  const mirror = await openMirror(use, folder)
  try {
    for (const each of chain === undefined ? await mirror.chains() : [`${chain}`])
      await mirror.pull(each, (name) => say(`${each} ${name}: downloaded`))
  } finally {
    mirror.close()
  }
}

/**
 * Runs what writes a lake on a folder. Of a lake in S3-compatible storage, that is one in the home folder: it has the
 * manifests of what is stored, of P and X the files too, and each range that is written is uploaded. A failed upload ends the
 * run; the next one uploads the range first.
 */
export async function writeOnFolder<Result>(
  use: LakeUse & { readonly chain: number | string },
  run: (root: string, signal: AbortSignal, published: Published) => Promise<Result>,
): Promise<Result> {
  const { root, signal, say } = use
  if (!isRemote(root)) return run(root, signal, () => undefined)
  const mirror = await openMirror(use, folderOf(use, 'written'))
  const failed = new AbortController()
  const uploaded = (name: string): void => say(`${use.chain} ${name}: uploaded`)
  let uploads: Promise<unknown> = Promise.resolve()
  try {
    await mirror.pullForWriting(`${use.chain}`, (name) => say(`${use.chain} ${name}: downloaded`))
    await mirror.pushMissing(`${use.chain}`, uploaded)
    const result = await run(mirror.folder, AbortSignal.any([signal, failed.signal]), ({ chain, name }) => {
      uploads = uploads.then(() => mirror.push(`${chain}`, name)).then(() => uploaded(name))
      uploads.catch((error: unknown) => failed.abort(error))
    })
    await uploads
    return result
  } catch (error) {
    // What was aborted fails too, for want of the storage.
    throw failed.signal.aborted ? failed.signal.reason : error
  } finally {
    await uploads.catch(() => undefined)
    mirror.close()
  }
}
