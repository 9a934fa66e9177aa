import { statfs } from 'node:fs/promises'
import { getStorage, type StoragePart } from '../../../contract/evm/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import {
  readDataFolder,
  readOldestSamples,
  readParts,
  wholeDatabase,
  type StoredPart,
} from '../../store/network/read-storage.ts'

const day = 86_400
/**
 * Growth is measured from the oldest sample of this many seconds. Less than a whole day says too little: the first hours
 * fill new tables and indexes, and a day has its own rhythm.
 */
const window = 7 * day
const youngest = day
/** Seconds for which an answer is reused: sizes change slowly, and each table's files are looked at. */
const reused = 10

/** `/v1/status/storage`: what the store takes of the disk. */
export function storageRoutes({ chains, store, config, clock }: RouteContext): Implementation[] {
  let last: { readonly at: number; readonly answer: ReturnType<typeof measure> } | undefined
  return [
    implement(getStorage, async () => {
      const at = clock()
      if (last === undefined || at >= last.at + reused) {
        const answer = measure()
        last = { at, answer }
        answer.catch(() => {
          last = undefined
        })
      }
      return last.answer
    }),
  ]

  async function measure() {
    const { database } = store.get()
    const now = clock()
    const [parts, oldest] = await Promise.all([
      readParts(database),
      readOldestSamples(database, now - window),
    ])
    const growthOf = (part: string, bytes: number): number | undefined => {
      const sample = oldest.get(part)
      if (sample === undefined || now - sample.ts < youngest) return undefined
      return Math.round(((bytes - sample.bytes) * day) / (now - sample.ts))
    }
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    const growth = growthOf(wholeDatabase, bytes)
    const free =
      config.databaseUrl === undefined ? await freeBytes(await readDataFolder(database)) : undefined
    const since = oldest.get(wholeDatabase)
    return {
      bytes: String(bytes),
      ...(growth !== undefined && { growthPerDay: String(growth), sampledSince: since?.ts ?? now }),
      ...(free !== undefined && { freeBytes: String(free) }),
      ...(growth !== undefined &&
        growth > 0 &&
        free !== undefined && { fullTimestamp: now + Math.round((free / growth) * day) }),
      parts: parts.map((part) => describePart(part, growthOf(part.part, part.bytes))),
    }
  }

  function describePart({ part, bytes, tables }: StoredPart, growth: number | undefined): StoragePart {
    const chain = chains.all.find(({ id }) => id === part)
    const isChain = /^\d+$/.test(part)
    const name = part === 'primary' ? 'P, X and atomic C' : isChain ? `Chain ${part}` : 'Shared'
    return {
      name: chain?.config.name ?? name,
      ...(isChain && { chainId: part }),
      bytes: String(bytes),
      ...(growth !== undefined && { growthPerDay: String(growth) }),
      tables: tables.map((table) => ({ name: table.name, bytes: String(table.bytes) })),
    }
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
