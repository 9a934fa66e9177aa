import { namesIn } from '../kernel/durable-files.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { FatalError } from '../kernel/errors.ts'
import {
  manifestFile,
  manifestSchema,
  rangeOfName,
  type BlockRange,
  type LakeChain,
  type Manifest,
} from './manifest.ts'

/** The ranges of a chain that a lake has, in order of height. */
export async function storedRanges(root: string, chain: LakeChain): Promise<BlockRange[]> {
  const names = await namesIn(join(root, `${chain}`, 'manifests'))
  return names.flatMap((name) => rangeOfName(name) ?? []).toSorted((one, other) => one.from - other.from)
}

/** The chains of a lake, by EVM chain id. */
export async function storedChains(root: string): Promise<number[]> {
  return (await namesIn(root)).filter((name) => /^[1-9]\d*$/.test(name)).map(Number)
}

/** The chains of the primary network that a lake has. */
export async function storedPrimary(root: string): Promise<('P' | 'X')[]> {
  const names = await namesIn(root)
  return (['P', 'X'] as const).filter((name) => names.includes(name))
}

/** What the manifest of a range says, by the schema of its chain. Throws FatalError if it is not one of this version's. */
export async function readManifestAs<Data extends BlockRange & { readonly chain: LakeChain }>(
  root: string,
  chain: Data['chain'],
  range: BlockRange,
  schema: z.ZodType<Data>,
): Promise<Data> {
  const path = manifestFile(root, chain, range)
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new FatalError(`${path}: can't be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { data, error } = schema.safeParse(value)
  if (!data)
    throw new FatalError(`${path}: is not a manifest of this version: ${error?.issues[0]?.message ?? ''}`)
  if (data.chain !== chain || data.from !== range.from || data.to !== range.to)
    throw new FatalError(`${path}: is the manifest of another range`)
  return data
}

/** The manifest of a range of an EVM chain. Throws like `readManifestAs`. */
export const readManifest = (root: string, chain: number, range: BlockRange): Promise<Manifest> =>
  readManifestAs(root, chain, range, manifestSchema)

/**
 * The ranges of a grid that lie wholly between two heights and that the lake does not have yet. The grid
 * begins at block 0, whatever `from` is, so that everyone who extracts or seals writes the same ranges.
 * Throws FatalError if the lake has ranges of another size there.
 */
export async function missingRanges(
  root: string,
  chain: LakeChain,
  { from, to, size }: BlockRange & { readonly size: number },
): Promise<BlockRange[]> {
  const stored = await storedRanges(root, chain)
  const other = stored.find((range) => range.from % size !== 0 || range.to !== range.from + size - 1)
  if (other)
    throw new FatalError(
      `the lake has ranges of ${other.to - other.from + 1} blocks: give --range-size ${other.to - other.from + 1}`,
    )
  const have = new Set(stored.map((range) => range.from))
  const missing: BlockRange[] = []
  for (let at = Math.ceil(from / size) * size; at + size - 1 <= to; at += size)
    if (!have.has(at)) missing.push({ from: at, to: at + size - 1 })
  return missing
}
