import { FatalError } from '../../kernel/errors.ts'
import type { LakeEngine } from '../engine.ts'
import type { BlockRange } from '../manifest.ts'
import { faultsOfFiles } from '../range-files.ts'
import { storedRanges } from '../ranges.ts'
import { readPrimaryManifest, type Constants, type GenesisBytes, type PrimaryManifest } from './manifest.ts'
import { PReplay, XReplay } from './replay.ts'
import { readStored, type StoredBlock } from './stored.ts'
import { layoutOf, type PrimaryLakeChain } from './tables.ts'

/** A chain's state in memory. */
export type Replay = { readonly P?: PReplay; readonly X?: XReplay }

export function beginReplay(
  chainAlias: PrimaryLakeChain,
  constants: Constants,
  genesis: GenesisBytes,
): Replay {
  return chainAlias === 'P' ? { P: new PReplay(constants, genesis) } : { X: new XReplay(constants, genesis) }
}

/** The ranges of a chain from block 0 up to the first gap, and how many lie beyond that. */
export async function contiguousRanges(
  root: string,
  chainAlias: PrimaryLakeChain,
): Promise<{ ranges: BlockRange[]; beyond: number }> {
  const ranges: BlockRange[] = []
  const stored = await storedRanges(root, chainAlias)
  for (const range of stored) {
    if (range.from !== (ranges.at(-1)?.to ?? -1) + 1) break
    ranges.push(range)
  }
  return { ranges, beyond: stored.length - ranges.length }
}

/** Their manifests. */
export async function contiguousManifests(
  root: string,
  chainAlias: PrimaryLakeChain,
): Promise<{ manifests: PrimaryManifest[]; beyond: number }> {
  const { ranges, beyond } = await contiguousRanges(root, chainAlias)
  const manifests: PrimaryManifest[] = []
  for (const range of ranges) manifests.push(await readPrimaryManifest(root, chainAlias, range))
  return { manifests, beyond }
}

/** What is wrong with the rows of a block: those that do not follow from it. */
export function faultsOfBlock(
  chainAlias: PrimaryLakeChain,
  { number, stored, derived }: StoredBlock,
): string[] {
  return Object.keys(layoutOf(chainAlias))
    .filter((table) => stored[table] !== derived.rows[table])
    .map((table) => `${table}: the rows of block ${number} are not those that follow from it`)
}

/**
 * Applies what a lake holds, so that a replay stands at its end. The blocks and rows are compared on the way. Throws
 * FatalError if the lake is damaged.
 */
export async function replayLake(
  root: string,
  manifests: readonly PrimaryManifest[],
  replay: Replay,
  engine: LakeEngine,
  signal: AbortSignal,
): Promise<void> {
  for (const manifest of manifests) {
    const faults = await faultsOfFiles(root, manifest)
    for await (const block of faults.length > 0 ? [] : readStored(root, manifest, replay, engine)) {
      faults.push(...faultsOfBlock(manifest.chain, block))
      if (signal.aborted || faults.length > 0) break
    }
    if (faults.length > 0)
      throw new FatalError(`${manifest.chain}, blocks ${manifest.from} to ${manifest.to}: ${faults[0]}`)
    if (signal.aborted) return
  }
}
