import { classify } from '../../kernel/errors.ts'
import type { LakeEngine } from '../engine.ts'
import { faultsOfFiles, straysOf } from '../range-files.ts'
import { beginReplay, contiguousManifests, faultsOfBlock, type Replay } from './history.ts'
import { type PrimaryManifest, storedGenesis } from './manifest.ts'
import { readStored } from './stored.ts'
import { layoutOf, type PrimaryLakeChain } from './tables.ts'

type VerifyPrimaryOptions = {
  root: string
  chain: PrimaryLakeChain
  engine: LakeEngine
  /** Only manifests, content hashes and the links of ranges; the rows are not read. */
  filesOnly: boolean
  signal: AbortSignal
}

type PrimaryReport = {
  readonly ranges: number
  readonly rows: Readonly<Record<string, number>>
  readonly bytes: number
  /** What is wrong; empty for a clean lake. */
  readonly problems: readonly string[]
  /** Files without a manifest, which an interrupted extraction left; the next one replaces them. */
  readonly strays: readonly string[]
}

/**
 * Recounts the lake of the P- or the X-Chain: content hashes, links, and from the genesis on every block: its bytes
 * are put together from the rows, its id is computed, it is applied by the indexer's rules, and all rows that follow
 * are compared. After the first range with a problem only content and links are checked, because the rules need all
 * that came before.
 */
export async function verifyPrimary(options: VerifyPrimaryOptions): Promise<PrimaryReport> {
  const { root, chain, engine, signal } = options
  const rows: Record<string, number> = Object.fromEntries(
    Object.keys(layoutOf(chain)).map((table) => [table, 0]),
  )
  const problems: string[] = []
  let bytes = 0
  const { manifests, beyond } = await contiguousManifests(root, chain)
  if (beyond > 0) problems.push(`${beyond} ranges lie beyond a gap after block ${manifests.at(-1)?.to ?? -1}`)
  let replay = options.filesOnly ? undefined : await begin(root, chain, manifests, problems)
  let before: PrimaryManifest | undefined
  for (const manifest of manifests) {
    if (signal.aborted) break
    const found = [...faultsOfPlace(manifest, before), ...(await faultsOfFiles(root, manifest))]
    for (const [table, file] of Object.entries(manifest.files)) {
      rows[table] = (rows[table] ?? 0) + file.rows
      bytes += file.bytes
    }
    if (replay && found.length === 0) {
      found.push(...(await faultsOfRows(root, manifest, replay, engine, signal)))
    }
    if (found.length > 0) replay = undefined
    problems.push(...found.map((fault) => `blocks ${manifest.from} to ${manifest.to}: ${fault}`))
    before = manifest
  }
  return {
    ranges: manifests.length,
    rows,
    bytes,
    problems,
    strays: await straysOf(root, chain, Object.keys(layoutOf(chain))),
  }
}

async function begin(
  root: string,
  chain: PrimaryLakeChain,
  manifests: readonly PrimaryManifest[],
  problems: string[],
): Promise<Replay | undefined> {
  // The last manifest knows of all upgrades that the blocks saw.
  const last = manifests.at(-1)
  if (!last) return undefined
  const genesis = await storedGenesis(root, chain)
  if (genesis?.sha256 === last.genesisBytes) return beginReplay(chain, last.constants, genesis)
  problems.push(`genesis.bin: ${genesis ? 'has another content' : 'the file is missing'}`)
  return undefined
}

function faultsOfPlace(manifest: PrimaryManifest, before: PrimaryManifest | undefined): string[] {
  const faults: string[] = []
  if (!before && manifest.first.id !== manifest.genesis) faults.push('the first block is not block 0')
  if (before && before.genesis !== manifest.genesis) faults.push('is of another chain')
  if (before && before.last.id !== manifest.first.parentId)
    faults.push(`does not follow block ${before.to}, ${before.last.id}`)
  return faults
}

async function faultsOfRows(
  root: string,
  manifest: PrimaryManifest,
  replay: Replay,
  engine: LakeEngine,
  signal: AbortSignal,
): Promise<string[]> {
  const counts: Record<string, number> = {}
  let first = ''
  try {
    for await (const block of readStored(root, manifest, replay, engine)) {
      if (signal.aborted) return []
      const faults = faultsOfBlock(manifest.chain, block)
      if (faults.length > 0) return faults
      for (const [table, count] of Object.entries(block.derived.counts))
        counts[table] = (counts[table] ?? 0) + count
      const { id, ts } = block
      if (block.number === manifest.from) first = id
      if (block.number === manifest.to && (id !== manifest.last.id || ts !== manifest.last.ts))
        return ['the last block is not that of the manifest']
    }
  } catch (error) {
    return [classify(error).message]
  }
  if (first !== manifest.first.id) return ['the first block is not that of the manifest']
  return Object.entries(manifest.files)
    .filter(([table, { rows }]) => rows !== counts[table])
    .map(([table, { rows }]) => `${table}: ${counts[table]} rows, but the manifest says ${rows}`)
}
