import {
  lakeColumnsOf,
  primaryLakeTables as lakeTables,
  primaryTables as tables,
} from '../../store/primary/columns.ts'
import type { LakeColumn } from '../tables.ts'

/** The tables of the P- and the X-Chain, by the catalogue. */
const chainTables = {
  P: {
    blocks: tables.primary_blocks,
    transactions: tables.primary_transactions,
    utxos: tables.utxos,
    spends: lakeTables.spends,
    stakes: lakeTables.stakes,
    stake_ends: lakeTables.stake_ends,
    rewards: tables.rewards,
    staking_cycles: tables.staking_cycles,
  },
  X: {
    blocks: tables.primary_blocks,
    vertices: tables.vertices,
    transactions: tables.primary_transactions,
    utxos: tables.utxos,
    spends: lakeTables.spends,
    assets: tables.assets,
  },
} as const

/** The chains of the primary network that a lake has. */
export type PrimaryLakeChain = keyof typeof chainTables

/**
 * The height of the block whose application made the row; that of vertices is -1. Rows are sorted by it: a range holds
 * what its blocks did, and nothing of it changes later. It differs from the `height` of the transaction for what the block
 * after a proposal decides: rewards, and before Banff also stakes.
 */
const number: LakeColumn = { name: 'number', kind: 'height' }

const layoutFor = (chainAlias: PrimaryLakeChain): Readonly<Record<string, readonly LakeColumn[]>> =>
  Object.fromEntries(
    Object.entries(chainTables[chainAlias]).map(([name, table]) => [
      name,
      [number, ...lakeColumnsOf(table, chainAlias)],
    ]),
  )
const layouts = { P: layoutFor('P'), X: layoutFor('X') } as const

/** The tables of a chain with their columns, by name. */
export const layoutOf = (chainAlias: PrimaryLakeChain) => layouts[chainAlias]
