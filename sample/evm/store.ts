import type { Hex } from 'viem'
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
import type { GeneratorState } from './state.ts'
import type { BlockOrder } from './order.ts'

/** How one block after the history was made: enough to reproduce it with the same hash. */
export type JournalEntry = BlockOrder & {
  readonly number: number
  readonly hash: Hex
  /** Unix seconds of the block. */
  readonly time: number
  /** Whether it is the first block of a node that loaded the previous state from a save. */
  readonly isFirst?: boolean
  /** False for a block without generated transactions, which does not advance the generator. */
  readonly generated: boolean
  /**
   * All transactions of the block, signed, in the order in which to resend them. Only for blocks with transactions
   * of users; generated ones are generated again.
   */
  readonly transactions?: readonly Hex[]
}

/** Written when the blocks from `rollback` up were removed. */
type Rollback = {
  readonly rollback: number
}

/** A saved chain: its head and the generator's state. */
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

/** The files of one chain in the network's home. */
export type ChainStore = {
  readonly cache: string
  /**
   * The last save, with its state unpacked to `load`; undefined when there is none. Throws when it is unreadable.
   */
  readSave(): { readonly save: Save; readonly load: string } | undefined
  /** Removes the old states that the last node left on disk: no other node can read them. */
  forgetStates(): void
  /** Removes the unpacked state once the node has read it. */
  forgetLoad(): void
  /** Replaces the save atomically. */
  writeSave(save: Save, packed: Buffer): Promise<void>
  /**
   * The current blocks after the history, by height. A truncated last line is dropped. When another line is
   * unreadable, returns the blocks before it and its number.
   */
  readJournal(): { readonly entries: JournalEntry[]; readonly badLine: number | undefined }
  /** Moves the saved state to another folder and returns that folder. */
  setSaveAside(): string | undefined
  /** Moves the journal to another folder, starts a new one with these blocks, and returns the folder. */
  setJournalAside(entries: readonly JournalEntry[]): string | undefined
  append(entry: JournalEntry): void
  /** Records that the blocks above `height` were removed. */
  appendRollback(height: number): void
}

/** Opens the store of the chain in `folder`, which is created if it is missing. */
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

/** A line of the journal; undefined for an invalid one. */
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
