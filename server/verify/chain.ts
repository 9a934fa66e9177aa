import type { Database } from '../store/database.ts'
import { askBalances, type BalanceAnswers } from './balances.ts'
import { readKept } from '../store/evm/read-kept.ts'
import { BloomCheck } from './blooms.ts'
import { Findings } from './findings.ts'
import { checkInvariants } from './invariants.ts'
import { compareDistinct } from './distinct.ts'
import { compareMetrics } from './metrics.ts'
import { NodeReader, type NodeBlock } from './node.ts'
import { RankingRecount } from './rankings.ts'
import { Recount } from './recount.ts'
import { compareBlock, compareSeen, readStored } from './rows.ts'
import { compareTokens } from './tokens.ts'
import { checkTraceGaps, storedCreations, type TraceGaps, type UnprovenTraces } from './traces.ts'

type VerifyOptions = {
  database: Database
  chain: number
  /** The node for the recount; without it, only the tables are checked against each other. */
  rpcUrl?: string
  /** Called with the number of recounted blocks and the total. */
  onProgress?: (done: number, total: number) => void
}

export type VerifyReport = {
  readonly chain: number
  readonly findings: Findings
  /** Numbers of blocks compared with the node, and of metric values and ranked rows compared. */
  readonly blocks: number
  readonly values: number
  /** Numbers of token transfers added up, and of the resulting balances, of whole contracts and of ids. */
  readonly transfers: number
  readonly balances: number
  /** Blocks whose inner calls could not be compared with the node. */
  readonly unproven: UnprovenTraces
  /** The answers of the token contracts; undefined without a node. */
  readonly answers: BalanceAnswers | undefined
  /** The highest block when the check began; later blocks are ignored. */
  readonly head: number | undefined
  /**
   * The lowest block whose logs are kept; 0 if none were dropped. With a node, the logs of lower blocks are the node's;
   * without one, what tokens come to is not checked.
   */
  readonly logsFrom: number
}

/** Number of balances read from the node at past blocks, and as many at the head. */
const sample = 200
const together = 8
const group = 64

/**
 * Checks one chain of a database: I1 to I4 and I7 of docs/indexer.md and everything about tokens from the
 * tables alone, then every row and all metrics at every interval against a recount from the node over plain
 * JSON-RPC. All reads use one snapshot, so the chain may continue meanwhile. Throws if the database or the
 * node cannot be read.
 */
export async function verifyChain(options: VerifyOptions): Promise<VerifyReport> {
  return options.database.begin('isolation level repeatable read read only', (snapshot) =>
    // A transaction runs the same statements as a pool; the store's read functions expect a pool type.
    checkSnapshot(snapshot as unknown as Database, options),
  ) as Promise<VerifyReport>
}

async function checkSnapshot(database: Database, options: VerifyOptions): Promise<VerifyReport> {
  const chain = BigInt(options.chain)
  const findings = new Findings()
  const kept = await readKept(database, chain)
  const [logsFrom, tracesFrom] = [Number(kept.logs), Number(kept.traces)]
  await checkInvariants(database, chain, findings)
  const [row] = await database<{ low: bigint | null; high: bigint | null }[]>`
    select min(number) as low, max(number) as high from blocks where chain = ${chain}`
  const head = row === undefined || row.high === null ? undefined : Number(row.high)
  const nothing = {
    chain: options.chain,
    findings,
    head,
    blocks: 0,
    values: 0,
    transfers: 0,
    balances: 0,
    unproven: { untraced: 0, stateGone: 0, unsupported: 0 },
    answers: undefined,
    logsFrom,
  }
  if (head === undefined || row === undefined) return nothing
  const first = Number(row.low)
  const node = options.rpcUrl === undefined ? undefined : await openNode(options.rpcUrl, options.chain)
  if (!node && logsFrom > first) return nothing
  const rankings = await RankingRecount.of(database, chain, { first, head })
  const tokens = await compareTokens(
    database,
    chain,
    { first, head },
    { from: logsFrom, node },
    findings,
    (number, counted) => rankings.addTokens(number, counted),
  )
  const rankedTokens = await rankings.compareTokens(database, chain, findings)
  const report = { ...nothing, transfers: tokens.transfers, balances: tokens.entries.size }
  if (!node) return report

  const gaps = await checkTraceGaps(database, chain, { first, head }, findings)
  let untraced = 0
  const recount = new Recount()
  const blooms = new BloomCheck()
  for (let from = first; from <= head; from += group) {
    const to = Math.min(head, from + group - 1)
    const [stored, blocks] = await Promise.all([
      readStored(database, chain, from, to),
      readBlocks(node, from, to, gaps),
    ])
    for (const block of blocks) {
      // Creations that cannot be compared with the node are taken from the store, so that their sums are
      // checked.
      recount.add({ ...block, creations: block.creations ?? storedCreations(stored, block.number) })
      rankings.add(block)
      if (gaps.hides(block.number)) untraced += 1
      blooms.check(block, findings)
      const scope = {
        isSummed: gaps.isSummed(block.number),
        hasLogs: block.number >= logsFrom,
        hasCalls: block.number >= tracesFrom,
      }
      compareBlock(stored, block, recount, scope, findings)
    }
    options.onProgress?.(to - first + 1, head - first + 1)
  }
  await compareSeen(database, chain, recount, findings)
  const values =
    rankedTokens +
    (await rankings.compareCalls(database, chain, findings)) +
    (await compareMetrics(database, chain, recount, findings)) +
    (await compareDistinct(database, chain, recount, findings))
  const answers = await askBalances(database, chain, node, { recount: tokens, first, head, sample })
  const unproven = { untraced, ...node.untraceable }
  return { ...report, blocks: head - first + 1, values, unproven, answers }
}

/** A client of the chain's node. Throws if the node serves another chain. */
async function openNode(rpcUrl: string, chain: number): Promise<NodeReader> {
  const node = new NodeReader(rpcUrl)
  const served = await node.chainId()
  if (served !== chain) throw new Error(`the node serves chain ${served}, not ${chain}`)
  return node
}

async function readBlocks(node: NodeReader, from: number, to: number, gaps: TraceGaps): Promise<NodeBlock[]> {
  const blocks: NodeBlock[] = []
  for (let start = from; start <= to; start += together) {
    const numbers = Array.from({ length: Math.min(together, to - start + 1) }, (_, index) => start + index)
    blocks.push(...(await Promise.all(numbers.map((number) => node.block(number, !gaps.hides(number))))))
  }
  return blocks
}
