import { join } from 'node:path'
import { z } from 'zod'
import { lakeSchemaVersion, lakeTableNames, type LakeTable } from './tables.ts'

/** A chain as its folder is named: the EVM chain id, or the P- or the X-Chain of a network. */
export type LakeChain = number | 'P' | 'X'

/** A range of blocks, both ends included. */
export type BlockRange = { readonly from: number; readonly to: number }

/** A range to be written. With `lastHash`, its last block must have that hash. */
export type WantedRange = BlockRange & { readonly lastHash?: string }

const blockHash = z.string().regex(/^0x[0-9a-f]{64}$/)
export const height = z.number().int().nonnegative()

/** What a manifest says of a file. */
export const fileSchema = z.strictObject({
  rows: z.number().int().nonnegative(),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type FileFacts = z.infer<typeof fileSchema>

/**
 * What a range holds. It contains nothing that depends on the worker or the time, so that the manifests of
 * two workers are equal as their files are.
 */
export const manifestSchema = z.strictObject({
  schemaVersion: z.literal(lakeSchemaVersion),
  /** The engine that wrote the files, for example `DuckDB v1.5.6`: another version may write other bytes. */
  engine: z.string(),
  /** The EVM chain id. */
  chain: z.number().int().positive(),
  genesisHash: blockHash,
  from: height,
  to: height,
  /** The node's program, without its version. The texts of failed calls differ between programs. */
  client: z.string(),
  /** The method by which the node traced every block, or `off` if inner calls were left out. */
  traces: z.enum(['trace', 'debug', 'off']),
  first: z.strictObject({ hash: blockHash, parentHash: blockHash, ts: height }),
  last: z.strictObject({ hash: blockHash, ts: height }),
  files: z.strictObject(
    Object.fromEntries(lakeTableNames.map((table) => [table, fileSchema])) as Record<
      LakeTable,
      typeof fileSchema
    >,
  ),
})
export type Manifest = z.infer<typeof manifestSchema>

/** The name of a range: its heights, padded so that names sort by height. */
export const rangeName = ({ from, to }: BlockRange): string => `${padded(from)}-${padded(to)}`

const padded = (height: number): string => `${height}`.padStart(10, '0')

/** The range of a file's name; undefined if the name is not one of a range. */
export function rangeOfName(name: string): BlockRange | undefined {
  const [, from, to] = /^(\d{10,})-(\d{10,})\.(?:json|parquet)$/.exec(name) ?? []
  return from === undefined || to === undefined ? undefined : { from: Number(from), to: Number(to) }
}

/** The path of a range's rows of one table. */
export const tableFile = (root: string, chain: LakeChain, table: string, range: BlockRange): string =>
  join(root, `${chain}`, table, `${rangeName(range)}.parquet`)

export const manifestFile = (root: string, chain: LakeChain, range: BlockRange): string =>
  join(root, `${chain}`, 'manifests', `${rangeName(range)}.json`)
