import type { FetchedBlock } from '../indexer/evm/fetch.ts'
import { verifyBlock } from '../indexer/evm/verify/verify-block.ts'
import type { IndexerStats } from '../kernel/indexer-stats.ts'
import { FatalError } from '../kernel/errors.ts'
import type { LakeEngine } from './engine.ts'
import { tableFile, type Manifest } from './manifest.ts'
import { answerOf, tracesOf } from './stored-blocks.ts'
import { StoredRows, type StoredRow } from './stored-rows.ts'
import { lakeTableNames, lakeTables, type LakeTable } from './tables.ts'

/** A block of a lake after all checks of the indexer, with its rows as they are stored. */
export type StoredBlock = FetchedBlock & { readonly rows: Readonly<Record<LakeTable, readonly StoredRow[]>> }

/**
 * Reads the blocks of a range in order, those above a height if one is given. Each passes the checks that a node's answer passes: its hash, its
 * transactions' hashes and both roots are recomputed from the rows. Throws a refusal for a block that does
 * not pass, and FatalError if blocks or rows are missing or left over.
 */
export async function* readRange(
  root: string,
  manifest: Manifest,
  { engine, stats, above = -1 }: { engine: LakeEngine; stats: IndexerStats; above?: number },
): AsyncGenerator<StoredBlock> {
  const { chain, to, client } = manifest
  const from = Math.max(manifest.from, above + 1)
  const tables = new Map<LakeTable, StoredRows>()
  try {
    for (const table of lakeTableNames) {
      const path = tableFile(root, chain, table, manifest)
      tables.set(table, await StoredRows.open(await engine.connect(), table, path, from))
    }
    for (let number = from; number <= to; number += 1) {
      const taken: [LakeTable, StoredRow[]][] = []
      for (const [table, rows] of tables) taken.push([table, await rows.take(number)])
      const rows = Object.fromEntries(taken) as Record<LakeTable, StoredRow[]>
      const [block] = rows.blocks
      if (!block || rows.blocks.length > 1)
        throw new FatalError(`block ${number}: the lake has ${rows.blocks.length} rows of it`)
      const { header, receipts } = answerOf(chain, { ...rows, block })
      const checked = verifyBlock(header, receipts, { number, stats, clientVersion: `${client}/` })
      const traces = isTraced(block) ? tracesOf(rows) : undefined
      yield { checked, traces, rows }
    }
    for (const [table, rows] of tables) {
      const left = await rows.left()
      if (left) throw new FatalError(`${table}: a row of block ${left[0]} belongs to no block of the range`)
    }
  } finally {
    for (const rows of tables.values()) rows.close()
  }
}

const tracedColumn = lakeTables.blocks.findIndex(({ name }) => name === 'traced')

function isTraced(block: StoredRow): boolean {
  return block[tracedColumn] === 'true'
}
