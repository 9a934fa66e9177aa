import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  manifestFile,
  manifestSchema,
  rangeOfName,
  type BlockRange,
  type Manifest,
} from '../lake/manifest.ts'
import type { ChainConfig } from '../kernel/settings/config.ts'
import type { Queryable } from '../store/database.ts'

/** Which blocks of a chain are read from the lake, and which from the store. */
export type Coverage = {
  readonly chain: number
  /** Sorted, without overlaps. */
  readonly sealed: readonly BlockRange[]
  /** Ranges of the store's blocks that the lake lacks; the last one ends with the chain. */
  readonly live: readonly { readonly from: number; readonly to?: number }[]
}

/** The manifests that were read; they never change. */
const known = new Map<string, Manifest>()

/**
 * How the lake and the store share a chain's blocks. Ranges of the lake count only if they belong to the store's
 * chain: its genesis, and the store's block where the last range ends. A lake of another chain with the same id, such
 * as of a test network before it was created again, is left alone.
 */
export async function readCoverage(sql: Queryable, root: string, chain: number): Promise<Coverage> {
  const sealed = await sealedRanges(root, chain)
  const isOurs = sealed.length > 0 && (await belongs(sql, root, chain, sealed))
  const ranges = isOurs ? sealed : []
  return { chain, sealed: ranges, live: complement(ranges) }
}

/** The ranges of a chain that are whole: those with a manifest. */
async function sealedRanges(root: string, chain: number): Promise<BlockRange[]> {
  let names: string[]
  try {
    names = await readdir(join(root, String(chain), 'manifests'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const ranges = names.flatMap((name) => rangeOfName(name) ?? [])
  ranges.sort((a, b) => a.from - b.from || b.to - a.to)
  const kept: BlockRange[] = []
  // Two extractions may have cut the same blocks differently: the longer range is taken.
  for (const range of ranges) if (range.from > (kept.at(-1)?.to ?? -1)) kept.push(range)
  return kept
}

async function belongs(
  sql: Queryable,
  root: string,
  chain: number,
  sealed: readonly BlockRange[],
): Promise<boolean> {
  const range = sealed.at(-1)
  if (!range) return false
  const { genesisHash, last } = await readManifest(root, chain, range)
  const [row] = await sql<{ genesis: boolean; block: boolean | null }[]>`
    select genesis_hash = ${bytes(genesisHash)} as genesis,
      (select hash = ${bytes(last.hash)} from blocks b where b.chain = c.chain and b.number = ${range.to}) as block
    from chains c where c.chain = ${chain}`
  return row !== undefined && row.genesis && row.block !== false
}

const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

async function readManifest(root: string, chain: number, range: BlockRange): Promise<Manifest> {
  const path = manifestFile(root, chain, range)
  const found = known.get(path)
  if (found) return found
  const manifest = manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  if (known.size > 1_000) known.clear()
  known.set(path, manifest)
  return manifest
}

/** The ranges of heights between and after the given ones. */
function complement(sealed: readonly BlockRange[]): { from: number; to?: number }[] {
  const gaps: { from: number; to?: number }[] = []
  let next = 0
  for (const { from, to } of sealed) {
    if (from > next) gaps.push({ from: next, to: from - 1 })
    next = to + 1
  }
  return [...gaps, { from: next }]
}

/** The height below which the lake has every block of a chain from its first on. */
export async function readSealedBelow(
  sql: Queryable,
  root: string,
  { evmChainId, startBlock }: Pick<ChainConfig, 'evmChainId' | 'startBlock'>,
): Promise<number> {
  const { sealed } = await readCoverage(sql, root, evmChainId)
  let next = startBlock
  for (const { from, to } of sealed) if (from <= next) next = Math.max(next, to + 1)
  return next
}

/** The part of a coverage from a height of one chain on: none of another chain. */
export function coverageFrom(
  { chain, sealed, live }: Coverage,
  needs: { readonly chain: number; readonly from: number },
): Coverage[] {
  if (chain !== needs.chain) return []
  const isAbove = ({ to = Infinity }: { readonly to?: number }): boolean => to >= needs.from
  return [
    {
      chain,
      sealed: sealed.filter(isAbove),
      live: live.filter(isAbove).map((range) => ({ ...range, from: Math.max(range.from, needs.from) })),
    },
  ]
}
