import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { setAside } from '../../kernel/set-aside.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import type { State } from '../state.ts'

/** A block made after the history, with everything needed to make it again. */
export type Entry = {
  /** Counts from 1. */
  readonly n: number
  readonly chain: ChainAlias
  readonly time: number
  /** Only for C: the block's height. */
  readonly height?: number
  /** Only for P: its time moves on, with the blocks that stakers require, but without an ordinary transaction. */
  readonly isEmpty?: boolean
  /** Signed transactions submitted from outside, hex. */
  readonly raw?: readonly string[]
  /** Hash over the newest blocks after this one; a replay must produce the same. */
  readonly check: BareHex
}

/** The storage of a ledger: the newest saved state, and a journal of the blocks after it. */
export type LedgerStore = {
  /** Undefined if there is none. Throws if it is unreadable. */
  readState(): State | undefined
  writeState(state: State): void
  /** If a line other than the last is unreadable: the entries before it, and its number. */
  readJournal(): { readonly entries: Entry[]; readonly badLine: number | undefined }
  /** Moves the saved state away and returns the folder that now contains it. */
  setStateAside(): string | undefined
  /**
   * Moves the journal away and continues with a journal of these entries. Returns the folder of the old one.
   */
  setJournalAside(entries: readonly Entry[]): string | undefined
  append(entry: Entry): void
  /** Rewrites the journal with only these entries. */
  cut(entries: readonly Entry[]): void
}

function readOptional(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Parses a line of the journal; undefined if it is invalid. */
function parseLine(line: string): Entry | undefined {
  try {
    const found = JSON.parse(line) as Partial<Entry> | null
    const { n, time, chain } = found ?? {}
    const isEntry = Number.isSafeInteger(n) && Number.isSafeInteger(time) && typeof chain === 'string'
    return isEntry ? (found as Entry) : undefined
  } catch {
    return undefined
  }
}

/** The store in `folder`, which is created if missing. `key` identifies what the state was made from. */
export function openLedgerStore(folder: string, key: string): LedgerStore {
  mkdirSync(folder, { recursive: true })
  const stateFile = path.join(folder, 'state.bin')
  const journalFile = path.join(folder, 'journal.ndjson')
  const keyed = createHash('sha256').update(`${key}/${process.versions.v8}`).digest()

  const belowHome = (file: string): string => path.join(path.basename(folder), path.basename(file))

  const store: LedgerStore = {
    readState() {
      const all = readOptional(stateFile)
      if (all === undefined) return undefined
      const [head, sum, body] = [all.subarray(0, 32), all.subarray(32, 64), all.subarray(64)]
      // Another Node.js version may serialize values differently; the state is then created again from the
      // seed.
      if (!head.equals(keyed)) return undefined
      if (!createHash('sha256').update(body).digest().equals(sum)) throw new Error('its checksum is wrong')
      return deserialize(body) as State
    },
    writeState(state) {
      const body = serialize(state)
      const sum = createHash('sha256').update(body).digest()
      writeFileSync(`${stateFile}.new`, Buffer.concat([keyed, sum, body]))
      renameSync(`${stateFile}.new`, stateFile)
      // If a crash prevents this, entries that the state already contains are skipped.
      rmSync(journalFile, { force: true })
    },
    readJournal() {
      const lines = readOptional(journalFile)?.toString('utf8').split('\n') ?? []
      const entries: Entry[] = []
      for (const [index, line] of lines.entries()) {
        if (line === '') continue
        const found = parseLine(line)
        if (found === undefined && index !== lines.length - 1) return { entries, badLine: index + 1 }
        // Only the last line can be cut off by a crash. It is removed, or the next entry would be appended to
        // it.
        if (found === undefined) store.cut(entries)
        else entries.push(found)
      }
      return { entries, badLine: undefined }
    },
    setStateAside: () => setAside(path.dirname(folder), [belowHome(stateFile)]),
    setJournalAside(entries) {
      const where = setAside(path.dirname(folder), [belowHome(journalFile)])
      store.cut(entries)
      return where
    },
    append: (entry) => appendFileSync(journalFile, `${JSON.stringify(entry)}\n`),
    cut(entries) {
      writeFileSync(`${journalFile}.new`, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      renameSync(`${journalFile}.new`, journalFile)
    },
  }
  return store
}
