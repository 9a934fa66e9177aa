import type { Chain } from '../kernel/settings/chains.ts'
import type { Queryable } from '../store/database.ts'
import { readKept, type Kept } from '../store/evm/read-kept.ts'
import type { Coverage } from './coverage.ts'
import type { ShownTable } from './tables.ts'

/** A table that lacks the rows of a chain before a block: they were dropped, and the lake does not have them. */
export type NotKept = { readonly table: string; readonly chain: string; readonly from: number }

/** What the rows of a table are made of, as far as a chain may drop it. */
const madeOf: Partial<Record<ShownTable, keyof Kept>> = {
  logs: 'logs',
  token_transfers: 'logs',
  calls: 'traces',
}

/** The lowest block from which on a table has all rows between two heights; undefined if it has them all anyway. */
export async function readLowestKept(
  sql: Queryable,
  chain: Chain,
  table: ShownTable,
  { live }: Pick<Coverage, 'live'>,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number | undefined> {
  const source = madeOf[table]
  if (source === undefined) return undefined
  const kept = Number((await readKept(sql, chain.key))[source])
  const first = Math.max(from, chain.config.startBlock)
  const lacks = live.some((span) => Math.max(span.from, first) <= Math.min(span.to ?? Infinity, kept - 1, to))
  return lacks ? kept : undefined
}

/** Which of some tables lack rows that were dropped. Call it after their rows were read. */
export async function readNotKept(
  sql: Queryable,
  chains: readonly Chain[],
  coverages: readonly Coverage[],
  tables: readonly ShownTable[],
): Promise<NotKept[]> {
  const asked = coverages.flatMap((coverage) => {
    const chain = chains.find(({ key }) => Number(key) === coverage.chain)
    return chain ? tables.map((table) => ({ chain, coverage, table })) : []
  })
  const found = await Promise.all(
    asked.map(async ({ chain, coverage, table }) => {
      const from = await readLowestKept(sql, chain, table, coverage, { from: 0, to: Infinity })
      return from === undefined ? [] : [{ table, chain: String(chain.key), from }]
    }),
  )
  return found.flat()
}
