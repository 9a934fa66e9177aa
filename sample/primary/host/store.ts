import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { setAside } from '../../kernel/set-aside.ts'
import type { ChainName, Hex } from '../ledger.ts'
import type { State } from '../state.ts'

/** A block made after the history: what it takes to make it again. */
export type Entry = {
  /** Counts from 1. */
  readonly n: number
  readonly chain: ChainName
  readonly time: number
  /** Of C: the block's height. */
  readonly height?: number
  /** Signed transactions from outside, hex. */
  readonly raw?: readonly string[]
  /** Hash over the newest blocks after it: made again it must be the same. */
  readonly check: Hex
}

/** Where a ledger is kept: the newest saved state, and a journal of what came after it. */
export type LedgerStore = {
  /** Undefined when there is none. Throws when it cannot be read. */
  readState(): State | undefined
  writeState(state: State): void
  /** Where a line but the last cannot be read: the entries before it, and which line it is. */
  readJournal(): { readonly entries: Entry[]; readonly badLine: number | undefined }
  /** Moves the saved state out of the way, and gives the folder that it is in now. */
  setStateAside(): string | undefined
  /** Moves the journal out of the way, and goes on with one of these entries. Gives the folder of the former one. */
  setJournalAside(entries: readonly Entry[]): string | undefined
  append(entry: Entry): void
  /** Forgets everything after `n`. */
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

/** A line of the journal, or undefined for one that is none. */
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

/** The store in `folder`, which is made when it is missing. `key` names what the state was made from. */
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
      // Another version of Node.js may write values otherwise: then it is made again from the seed.
      if (!head.equals(keyed)) return undefined
      if (!createHash('sha256').update(body).digest().equals(sum)) throw new Error('its checksum is wrong')
      return deserialize(body) as State
    },
    writeState(state) {
      const body = serialize(state)
      const sum = createHash('sha256').update(body).digest()
      writeFileSync(`${stateFile}.new`, Buffer.concat([keyed, sum, body]))
      renameSync(`${stateFile}.new`, stateFile)
      // Entries that the state holds already are passed over, should this not be reached.
      rmSync(journalFile, { force: true })
    },
    readJournal() {
      const lines = readOptional(journalFile)?.toString('utf8').split('\n') ?? []
      const entries: Entry[] = []
      for (const [index, line] of lines.entries()) {
        if (line === '') continue
        const found = parseLine(line)
        if (found === undefined && index !== lines.length - 1) return { entries, badLine: index + 1 }
        // A line cut by a crash is the last one; the next must not stand behind its half.
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
