import { mkdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { namesIn } from '../kernel/durable-files.ts'
import { isAlive } from '../kernel/is-alive.ts'
import type { LakeChain } from './manifest.ts'

/** The folder below which workers write what is not finished. */
const unfinished = 'unfinished'

/** A new folder for one worker's unfinished range, on the file system of the lake. */
export async function makeWorkFolder(root: string, chain: LakeChain, name: string): Promise<string> {
  const token = Math.random().toString(36).slice(2, 10)
  const folder = join(root, `${chain}`, unfinished, `${hostname()}.${process.pid}.${token}.${name}`)
  await mkdir(folder, { recursive: true })
  return folder
}

/** Deletes the work folders of processes of this machine that have ended. */
export async function removeAbandoned(root: string, chain: LakeChain): Promise<void> {
  const folder = join(root, `${chain}`, unfinished)
  for (const name of await namesIn(folder)) {
    const [pid = '', host] = name.split('.').slice(0, -2).toReversed()
    const owner = name.slice(0, name.indexOf(`.${pid}.`))
    if (host !== undefined && owner === hostname() && !isAlive(Number(pid)))
      await rm(join(folder, name), { recursive: true, force: true })
  }
}
