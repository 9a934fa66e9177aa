import { createStats } from '../kernel/indexer-stats.ts'
import { classify } from '../kernel/errors.ts'
import { namesNoParent, unnamedParent } from '../indexer/evm/links.ts'
import { Settlements } from '../indexer/evm/settled-receipts.ts'
import type { LakeEngine } from './engine.ts'
import type { BlockRange, LakeChain, Manifest } from './manifest.ts'
import { faultsOfFiles, straysOf } from './range-files.ts'
import { readManifest, storedRanges } from './ranges.ts'
import { readRange, type StoredBlock } from './read-range.ts'
import { rowsOfBlock, type LakeBlock } from './rows.ts'
import { textOfRows } from './stored-rows.ts'
import { lakeTableNames, type LakeTable } from './tables.ts'

type VerifyLakeOptions = {
  root: string
  /** The EVM chain id. */
  chain: number
  engine: LakeEngine
  /** Only manifests, content hashes and the links of ranges; the rows are not read. */
  filesOnly: boolean
  signal: AbortSignal
  onRange?(manifest: Manifest): void
}

type LakeReport = {
  readonly ranges: number
  readonly rows: Readonly<Record<LakeTable, number>>
  readonly bytes: number
  /** What is wrong; empty for a clean lake. */
  readonly problems: readonly string[]
  /** Heights between ranges that the lake does not have. */
  readonly gaps: readonly BlockRange[]
  /** Files without a manifest, which an interrupted extraction left; the next one replaces them. */
  readonly strays: readonly string[]
  /** Blocks whose receipts only blocks below the lake's first one would prove; see settled-receipts.ts. */
  readonly unproven: readonly BlockRange[]
}

/**
 * Recounts the lake of one chain: content hashes, links within and across ranges, and for every block its
 * hash, its roots, its counts and everything that was derived from it.
 */
export async function verifyLake(options: VerifyLakeOptions): Promise<LakeReport> {
  const recount = new Recount(options)
  for (const range of await storedRanges(options.root, options.chain)) {
    if (options.signal.aborted) break
    await recount.range(range)
  }
  return recount.report()
}

class Recount {
  readonly #options: VerifyLakeOptions
  readonly #problems: string[] = []
  readonly #gaps: BlockRange[] = []
  readonly #unproven: BlockRange[] = []
  readonly #rows = Object.fromEntries(lakeTableNames.map((table) => [table, 0])) as Record<LakeTable, number>
  #ranges = 0
  #bytes = 0
  #before: Manifest | undefined
  #settlements: Settlements | undefined

  constructor(options: VerifyLakeOptions) {
    this.#options = options
  }

  async range(range: BlockRange): Promise<void> {
    const { root, chain, onRange, filesOnly } = this.#options
    try {
      const manifest = await readManifest(root, chain, range)
      this.#ranges += 1
      this.#checkPlace(manifest)
      this.#before = manifest
      const intact = await this.#checkFiles(manifest)
      if (intact && !filesOnly) await this.#checkBlocks(manifest)
      onRange?.(manifest)
    } catch (error) {
      // Receipts of the next blocks can't be proven by what was not read.
      this.#settlements = undefined
      this.#problem(range, classify(error).message)
    }
  }

  async report(): Promise<LakeReport> {
    return {
      ranges: this.#ranges,
      rows: this.#rows,
      bytes: this.#bytes,
      problems: this.#problems,
      gaps: this.#gaps,
      unproven: this.#unproven,
      strays: await straysOf(this.#options.root, this.#options.chain, lakeTableNames),
    }
  }

  #problem({ from, to }: BlockRange, message: string): void {
    this.#problems.push(`blocks ${from} to ${to}: ${message}`)
  }

  /** Whether the range follows the one before it. */
  #checkPlace(manifest: Manifest): void {
    const before = this.#before
    const { from, first, genesisHash } = manifest
    if (from === 0 && first.hash !== genesisHash)
      this.#problem(manifest, 'the first block is not the genesis')
    if (before && before.genesisHash !== genesisHash) this.#problem(manifest, 'is of another chain')
    const next = before ? before.to + 1 : from
    if (from < next) this.#problem(manifest, `overlaps blocks ${before?.from} to ${before?.to}`)
    if (before && from > next) this.#gaps.push({ from: next, to: from - 1 })
    if (!before || from > next) this.#settlements = undefined
    if (
      before &&
      from === next &&
      first.parentHash !== before.last.hash &&
      first.parentHash !== unnamedParent
    )
      this.#problem(manifest, `does not follow block ${before.to}, ${before.last.hash}`)
  }

  /** Whether all files have the content of the manifest. */
  async #checkFiles(manifest: Manifest): Promise<boolean> {
    for (const table of lakeTableNames) {
      const { rows, bytes } = manifest.files[table]
      this.#rows[table] += rows
      this.#bytes += bytes
    }
    const faults = await faultsOfFiles(this.#options.root, manifest)
    for (const fault of faults) this.#problem(manifest, fault)
    return faults.length === 0
  }

  async #checkBlocks(manifest: Manifest): Promise<void> {
    const { root, engine, signal } = this.#options
    const stats = createStats()
    const counts = Object.fromEntries(lakeTableNames.map((table) => [table, 0])) as Record<LakeTable, number>
    let parent: LakeBlock | undefined
    for await (const block of readRange(root, manifest, { engine, stats })) {
      if (signal.aborted) return
      const decoded = rowsOfBlock(manifest.chain, block)
      if (
        !parent &&
        (decoded.hash !== manifest.first.hash || decoded.parentHash !== manifest.first.parentHash)
      )
        this.#problem(manifest, 'the first block is not that of the manifest')
      if (parent && decoded.parentHash !== parent.hash && !namesNoParent(decoded))
        this.#problem(manifest, `block ${decoded.number} does not follow block ${parent.number}`)
      if (parent && decoded.ts < parent.ts)
        this.#problem(manifest, `block ${decoded.number} is older than its parent`)
      for (const table of lakeTableNames) counts[table] += block.rows[table].length
      for (const fault of faultsOf(block, decoded)) this.#problem(manifest, fault)
      await this.#settle(decoded)
      parent = decoded
    }
    if (parent?.hash !== manifest.last.hash || parent.ts !== manifest.last.ts)
      this.#problem(manifest, 'the last block is not that of the manifest')
    for (const table of lakeTableNames) {
      const { rows } = manifest.files[table]
      if (counts[table] !== rows)
        this.#problem(manifest, `${table}: ${counts[table]} rows, but the manifest says ${rows}`)
    }
  }

  /** Proves receipts by the blocks that settle them, which is possible from a block that settles itself. */
  async #settle(block: LakeBlock): Promise<void> {
    const { number, settlement } = block
    if (!settlement)
      this.#settlements ??= new Settlements({
        session: undefined,
        chain: this.#options.chain,
        earlierBlock: () => Promise.reject(new Error('a block is asked for that the lake has passed')),
      })
    if (this.#settlements) return this.#settlements.check([block])
    const last = this.#unproven.at(-1)
    if (last?.to === number - 1) this.#unproven[this.#unproven.length - 1] = { from: last.from, to: number }
    else this.#unproven.push({ from: number, to: number })
  }
}

/** What is wrong with the rows of one block, whose hashes and roots are correct. `derived` follows from these. */
function faultsOf(block: StoredBlock, { number, rows }: LakeBlock): string[] {
  const faults = lakeTableNames
    .filter((table) => rows[table] !== textOfRows(table, block.rows[table]))
    .map((table) => `${table}: the rows of block ${number} are not those that follow from it`)
  let total = 0n
  for (const receipt of block.checked.receipts) {
    total += BigInt(String(receipt['gasUsed']))
    if (total !== BigInt(String(receipt['cumulativeGasUsed'])))
      return [...faults, `transactions: the gas of block ${number} does not add up`]
  }
  return faults
}

/** What every report has; that of the P- or the X-Chain has no gaps and nothing unproven. */
type ReportLines = Pick<LakeReport, 'ranges' | 'bytes' | 'problems' | 'strays'> &
  Partial<Pick<LakeReport, 'gaps' | 'unproven'>> & { readonly rows: Readonly<Record<string, number>> }

/** The report as `lake verify` prints it. */
export function linesOfReport(chain: LakeChain, report: ReportLines): string[] {
  const { rows, ranges, bytes, problems } = report
  const counts = Object.entries(rows)
    .map(([table, count]) => `${count} ${table.replace('_', ' ')}`)
    .join(', ')
  const span = ({ from, to }: BlockRange) => `${from} to ${to}`
  return [
    `chain ${chain}: ${ranges} ranges, ${(bytes / 1e6).toFixed(1)} MB: ${counts}`,
    ...(report.gaps ?? []).map((gap) => `  blocks ${span(gap)} are not in the lake`),
    ...report.strays.map((file) => `  ${file} has no manifest: an interrupted extraction left it`),
    ...(report.unproven ?? []).map(
      (range) => `  the receipts of blocks ${span(range)} can't be proven from the lake`,
    ),
    ...problems.map((problem) => `  ${problem}`),
    problems.length === 0 ? '  clean' : `  ${problems.length} problems`,
  ]
}
