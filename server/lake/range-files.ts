import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contentOf, namesIn } from '../kernel/durable-files.ts'
import { rangeOfName, tableFile, type BlockRange, type FileFacts, type LakeChain } from './manifest.ts'
import { storedRanges } from './ranges.ts'

/** A range with what its manifest says of its files, by table. */
type RangeOfFiles = BlockRange & {
  readonly chain: LakeChain
  readonly files: Readonly<Record<string, FileFacts>>
}

/** What is wrong with the files of a range, one line each; none if their content is that of the manifest. */
export async function faultsOfFiles(root: string, range: RangeOfFiles): Promise<string[]> {
  const faults: string[] = []
  for (const [table, { bytes, sha256 }] of Object.entries(range.files)) {
    const path = tableFile(root, range.chain, table, range)
    const found = existsSync(path) ? await contentOf(path) : undefined
    if (!found) faults.push(`${table}: the file is missing`)
    else if (found.sha256 !== sha256 || found.size !== bytes)
      faults.push(`${table}: the file has another content`)
  }
  return faults
}

/** Files of a chain's tables without a manifest, which an interrupted extraction left; the next one replaces them. */
export async function straysOf(root: string, chain: LakeChain, tables: readonly string[]): Promise<string[]> {
  const known = new Set((await storedRanges(root, chain)).map(({ from, to }) => `${from}-${to}`))
  const strays: string[] = []
  for (const table of tables)
    for (const name of await namesIn(join(root, `${chain}`, table))) {
      const range = rangeOfName(name)
      if (!range || !known.has(`${range.from}-${range.to}`)) strays.push(`${table}/${name}`)
    }
  return strays
}
