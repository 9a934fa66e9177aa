import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { setAside } from '../kernel/set-aside.ts'
import type { Hex } from '../kernel/hex.ts'
import type { GeneratorState } from './state.ts'
import type { BlockOrder } from './order.ts'

/** How one block after the history was made: enough to make it again, hash and all. */
export type JournalEntry = BlockOrder & {
  readonly number: number
  readonly hash: Hex
  /** Unix seconds of the block. */
  readonly time: number
  /** The first block of a node that had loaded the state before it from a save. */
  readonly isFirst?: boolean
  /** False for a block without the generator's transactions, which takes none of its steps. */
  readonly generated: boolean
  /**
   * Every transaction of the block, signed, in the order in which to send them again: of a block that holds any from
   * outside. The generator's alone are drawn again.
   */
  readonly transactions?: readonly Hex[]
}

/** Written when the blocks from `rollback` up were undone. */
type Rollback = {
  readonly rollback: number
}

/** A saved chain: where it stood and what the generator knew. */
export type Save = {
  readonly number: number
  readonly hash: Hex
  readonly time: number
  readonly state: GeneratorState
}

type SaveFile = Save & {
  readonly file: string
  readonly sha256: string
}

/** The files of one chain below the network's home. */
export type ChainStore = {
  readonly cache: string
  /** The last save with its state unpacked to `load`; undefined when there is none. Throws when unreadable. */
  readSave(): { readonly save: Save; readonly load: string } | undefined
  /** Removes the old states that the last node has left on disk: none can read them. */
  forgetStates(): void
  /** Removes the unpacked state once the node has read it. */
  forgetLoad(): void
  /** Replaces the save in one step: a crash leaves the old one or the new one. */
  writeSave(save: Save, packed: Buffer): Promise<void>
  /**
   * The blocks after the history that stand, by height. A cut last line is dropped. Where another line cannot be read,
   * the blocks before it, and which line it is.
   */
  readJournal(): { readonly entries: JournalEntry[]; readonly badLine: number | undefined }
  /** Moves the saved state out of the way, and gives the folder that it is in now. */
  setSaveAside(): string | undefined
  /** Moves the journal out of the way, and goes on with one of these blocks. Gives the folder of the former one. */
  setJournalAside(entries: readonly JournalEntry[]): string | undefined
  append(entry: JournalEntry): void
  /** Notes that the blocks above `height` are gone. */
  appendRollback(height: number): void
}

/** The store of the chain whose folder is `folder`, which is made if missing. */
export function openChainStore(folder: string): ChainStore {
  const cache = path.join(folder, 'cache')
  const journal = path.join(folder, 'journal.jsonl')
  const pointer = path.join(folder, 'save.json')
  const load = path.join(folder, 'load.json')
  mkdirSync(cache, { recursive: true })

  const home = path.dirname(folder)
  const belowHome = (file: string): string => path.join(path.basename(folder), path.basename(file))

  function stateFiles(): string[] {
    return readdirSync(folder).filter((name) => /^state-.*\.gz$/.test(name))
  }

  return {
    cache,
    forgetStates() {
      rmSync(cache, { recursive: true, force: true })
      mkdirSync(cache, { recursive: true })
    },
    readSave() {
      const text = readOptional(pointer)
      if (text === undefined) return undefined
      const found = JSON.parse(text) as SaveFile
      const packed = readFileSync(path.join(folder, path.basename(found.file)))
      if (createHash('sha256').update(packed).digest('hex') !== found.sha256) {
        throw new Error(`${found.file} does not have the checksum it was saved with`)
      }
      writeFileSync(load, gunzipSync(packed))
      return { save: found, load }
    },
    forgetLoad: () => rmSync(load, { force: true }),
    async writeSave(save, packed) {
      const file = `state-${String(save.number)}-${save.hash.slice(2, 10)}.gz`
      await writeFile(path.join(folder, file), packed)
      const sha256 = createHash('sha256').update(packed).digest('hex')
      const content: SaveFile = { ...save, file, sha256 }
      await writeFile(`${pointer}.new`, JSON.stringify(content))
      renameSync(`${pointer}.new`, pointer)
      for (const name of stateFiles()) if (name !== file) rmSync(path.join(folder, name), { force: true })
    },
    readJournal() {
      const lines = (readOptional(journal) ?? '').split('\n')
      const end = lines.pop()
      if (end !== undefined && end !== '') writeFileSync(journal, lines.map((line) => `${line}\n`).join(''))
      const entries: JournalEntry[] = []
      for (const [index, line] of lines.entries()) {
        const found = parseLine(line)
        if (found === undefined) return { entries, badLine: index + 1 }
        if ('rollback' in found) {
          while ((entries.at(-1)?.number ?? 0) > found.rollback) entries.pop()
        } else entries.push(found)
      }
      return { entries, badLine: undefined }
    },
    setSaveAside: () => setAside(home, [pointer, ...stateFiles()].map(belowHome)),
    setJournalAside(entries) {
      const where = setAside(home, [belowHome(journal)])
      writeFileSync(`${journal}.new`, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      renameSync(`${journal}.new`, journal)
      return where
    },
    append: (entry) => appendFileSync(journal, `${JSON.stringify(entry)}\n`),
    appendRollback: (height) => appendFileSync(journal, `${JSON.stringify({ rollback: height })}\n`),
  }
}

/** A line of the journal, or undefined for one that is none. */
function parseLine(line: string): JournalEntry | Rollback | undefined {
  try {
    const found = JSON.parse(line) as Partial<JournalEntry & Rollback> | null
    const { number, time, hash, rollback } = found ?? {}
    const isBlock = Number.isSafeInteger(number) && Number.isSafeInteger(time) && typeof hash === 'string'
    return isBlock || Number.isSafeInteger(rollback) ? (found as JournalEntry | Rollback) : undefined
  } catch {
    return undefined
  }
}

/** The text of a file, or undefined when it does not exist. */
export function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
