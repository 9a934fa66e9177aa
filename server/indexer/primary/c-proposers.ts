import type { Database, Queryable } from '../../store/database.ts'
import { classify, RetryableError } from '../../kernel/errors.ts'
import type { IndexerLogger } from '../evm/indexer.ts'
import { pause, type Pace, delayAfter } from '../../kernel/pause.ts'
import { CIndex, type CContainer } from './c-containers.ts'
import type { PrimaryNode } from './node.ts'
import { keyOf } from './batch/rows.ts'
import { announce } from './batch/store.ts'

type ProposersOptions = {
  readonly database: Database
  readonly node: PrimaryNode
  /** The C-Chain's key. */
  readonly chain: number
  readonly logger: IndexerLogger
  readonly pace: Pace
  /** Milliseconds between looks at the head. */
  readonly pollEvery: number
}

/** Milliseconds until a node without an index, or with an empty one, is asked again. */
const askAgain = 60_000

/** A range of heights, both ends included. */
type Range = { readonly from: number; readonly to: number }

/**
 * Adds the proposers to the stored C-Chain blocks, from the node's index, until the signal aborts: new blocks
 * first, then the history from the newest block down. The block in each wrapper must be the stored one. It
 * runs separately from the chain's own indexer and shares only the rows with it, so a node that lacks the
 * index, or that answers late or wrongly, does not delay the indexer. Failures are logged and retried.
 */
export async function fillProposers(options: ProposersOptions, signal: AbortSignal): Promise<void> {
  const { database, node, chain, logger, pace, pollEvery } = options
  let index: CIndex | undefined
  let failures = 0
  while (!signal.aborted) {
    try {
      if (!index) {
        const opened = (await isIndexed(database, chain)) ? await CIndex.open(node, signal) : 'empty'
        if (opened !== 'empty') {
          await database`update primary_chains set has_index = ${opened !== undefined} where chain = ${chain}`
        }
        if (typeof opened !== 'object') {
          await pause(opened === undefined ? askAgain : pollEvery, signal)
          continue
        }
        index = opened
      }
      const isMore = await step(options, index, signal)
      failures = 0
      if (!isMore) await pause(pollEvery, signal)
    } catch (error) {
      if (signal.aborted) return
      const classed = classify(error)
      if (classed instanceof RetryableError && classed.kind === 'timeout') index?.askForLess()
      else index = undefined
      failures += 1
      if (failures === 1 || failures % 20 === 0) {
        const fields = { chain: 'C-Chain', failures, reason: classed.message }
        logger.warn(fields, 'proposers could not be read, trying again')
      }
      await pause(delayAfter(failures, pace), signal)
    }
  }
}

async function isIndexed(database: Database, chain: number): Promise<boolean> {
  return (await topOf(database, chain)) !== undefined
}

type Top = { readonly height: number; readonly id: string; readonly ts: number }

async function topOf(sql: Queryable, chain: number): Promise<Top | undefined> {
  const [row] = await sql<{ height: bigint; id: Buffer; ts: bigint }[]>`
    select height, id, ts from primary_blocks where chain = ${chain} order by height desc limit 1`
  return row && { height: Number(row.height), id: keyOf(row.id), ts: Number(row.ts) }
}

/** Fills some blocks in one transaction; returns false if there is nothing to fill now. */
async function step(
  { database, chain }: ProposersOptions,
  index: CIndex,
  signal: AbortSignal,
): Promise<boolean> {
  const top = await topOf(database, chain)
  if (!top) return false
  const done = await readDone(database, chain)
  const range = await nextRange(index, done, top.height, signal)
  if (!range) return false
  const blocks = await index.blocks(range.from, range.to, signal)
  const reached = range.from + blocks.length - 1
  // No gap may remain below the finished range: the missing part of the answer is requested again, with fewer
  // blocks.
  if (reached < range.to && (!done || range.to < done.from)) {
    index.count = blocks.length
    return true
  }
  const { from, to } = join(done, { from: range.from, to: reached })
  await database.begin(async (sql) => {
    const now = await readDone(sql, chain, 'for update')
    if (now?.from !== done?.from || now?.to !== done?.to) {
      throw new RetryableError('store', 'the store changed under the reader of proposers')
    }
    await write(sql, chain, blocks)
    await sql`
      insert into c_proposers (chain, from_height, to_height) values (${chain}, ${from}, ${to})
      on conflict (chain) do update set from_height = excluded.from_height, to_height = excluded.to_height`
    // Clients that cache the newest blocks have them without proposers.
    if (reached === top.height) await announce(sql, chain, top)
  })
  return true
}

async function readDone(
  sql: Queryable,
  chain: number,
  lock: 'for update' | '' = '',
): Promise<Range | undefined> {
  const [row] = await sql.unsafe<{ from_height: bigint; to_height: bigint }[]>(
    `select from_height, to_height from c_proposers where chain = $1 ${lock}`,
    [chain],
  )
  return row && { from: Number(row.from_height), to: Number(row.to_height) }
}

/**
 * The range to fill next: above the finished range if there is anything, otherwise below it, newest blocks
 * first.
 */
async function nextRange(
  index: CIndex,
  done: Range | undefined,
  top: number,
  signal: AbortSignal,
): Promise<Range | undefined> {
  const { base, count } = index
  if (done && done.to >= top) return below(done.from - 1, base, count)
  const last = Math.min(top, await index.head(signal))
  if (!done) return below(last, base, count)
  // An index that begins later leaves a gap, and nothing below the gap is filled.
  const next = Math.max(done.to + 1, base)
  return next > last
    ? below(done.from - 1, base, count)
    : { from: next, to: Math.min(last, next + count - 1) }
}

function below(last: number, base: number, count: number): Range | undefined {
  return last < base ? undefined : { from: Math.max(base, last - count + 1), to: last }
}

/** The finished range after another one is filled; the new range alone if the two do not touch. */
function join(done: Range | undefined, { from, to }: Range): Range {
  if (!done || from > done.to + 1) return { from, to }
  return { from: Math.min(from, done.from), to: Math.max(to, done.to) }
}

/** Writes the proposers of some blocks. Throws RetryableError if a stored block is another one. */
async function write(sql: Queryable, chain: number, blocks: readonly CContainer[]): Promise<void> {
  const bytes = (value: Uint8Array | undefined): string | null => (value ? `\\x${keyOf(value)}` : null)
  const rows = blocks.map(({ height, id, wrapper }) => ({
    height,
    id: bytes(id),
    proposer_id: bytes(wrapper?.id),
    proposer_parent_id: bytes(wrapper?.parentId),
    proposer_node: bytes(wrapper?.details?.nodeId),
    proposer_p_height: wrapper?.details?.pChainHeight.toString() ?? null,
    proposer_ts: wrapper?.details?.time.toString() ?? null,
  }))
  const result = await sql`
    update primary_blocks b set proposer_id = n.proposer_id, proposer_parent_id = n.proposer_parent_id,
      proposer_node = n.proposer_node, proposer_p_height = n.proposer_p_height, proposer_ts = n.proposer_ts
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n(height bigint, id bytea, proposer_id bytea,
      proposer_parent_id bytea, proposer_node bytea, proposer_p_height bigint, proposer_ts bigint)
    where b.chain = ${chain} and b.height = n.height and b.id = n.id`
  if (result.count !== blocks.length) {
    const [first, last] = [blocks[0]?.height, blocks.at(-1)?.height]
    throw new RetryableError(
      'disagreement',
      `the index has other C-Chain blocks between ${first} and ${last} than the store`,
    )
  }
}
