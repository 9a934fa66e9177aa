import { connectionState, lostSince, type Connection } from './connection.ts'

/** What is known about the indexing of a chain. Heights are decimal strings, times Unix seconds. */
export type Followed = {
  state?: string | undefined
  reason?: string | undefined
  stoppedTimestamp?: number | undefined
  firstBlock?: string | undefined
  indexedBlock?: string | undefined
  indexedTimestamp?: number | undefined
  nodeBlock?: string | undefined
  nodeSeenTimestamp?: number | undefined
  /** All transactions up to `indexedBlock`. */
  txCount?: string | undefined
  /** Mean seconds between the newest blocks. */
  blockTime?: number | undefined
}

/** The observed progress of a chain. */
export type Pace = {
  /** When its head last advanced, on the clock of `Connection`. */
  advancedAt: number
  blocksPerSecond?: number | undefined
  /** Seconds of the chain's own time that pass in one second. */
  chainSeconds?: number | undefined
}

/** Whether a page shows a chain's current state. Durations in seconds. */
export type Feed =
  | { kind: 'unknown' }
  /** `quiet`: the head is old by the chain's usual interval, but the node has nothing newer. */
  | { kind: 'live'; quiet: boolean }
  /** Behind the node by blocks, or the node itself is behind by time; `left` once the pace is known. */
  | { kind: 'catchingUp'; share?: number; blocks?: number; behind?: number; left?: number }
  /** Behind by blocks, or by the time since the last answer of the node or the last block. */
  | { kind: 'late'; blocks?: number; silent?: number; old?: number; reason?: string }
  | { kind: 'lost'; since: number }
  | { kind: 'stopped'; reason?: string; since?: number }

/** Blocks behind the node from which a chain is catching up: so many, or as many as come in so many seconds. */
const lagBlocks = { min: 3, max: 20, seconds: 15 } as const
const shortest = 60
const shortestQuiet = 15
const nodeSilence = 60
const advancing = 30
/** A chain whose time runs at normal speed is not catching up, however old its head is. */
const aheadOfTime = 1.2

/** Blocks that may be on their way: a chain with four a second has more of them than one with five a minute. */
const lagAllowed = (blockTime: number | undefined): number =>
  blockTime === undefined
    ? lagBlocks.max
    : Math.min(
        lagBlocks.max,
        Math.max(lagBlocks.min, Math.ceil(lagBlocks.seconds / Math.max(blockTime, 0.1))),
      )

const lagOf = (node: string | undefined, indexed: string): number | undefined =>
  node === undefined ? undefined : Number(BigInt(node) - BigInt(indexed))

/**
 * The state of a chain on the page: the first that applies of lost, stopped, catching up, late, live. `at` is on the
 * clock of `connection` and `pace`, `now` in Unix seconds. A chain whose node answered recently and has nothing
 * newer is live however old its head is; on a deployment without node status a chain is late when its head is ten
 * usual intervals old, and at least a minute.
 */
export function feedOf({
  at,
  now,
  connection,
  chain,
  pace,
}: {
  at: number
  now: number
  connection: Connection
  chain: Followed | undefined
  pace?: Pace | undefined
}): Feed {
  const lost = lostSince(connection, at, now)
  if (lost !== undefined) return { kind: 'lost', since: lost }
  if (connection.reason !== undefined) return { kind: 'stopped', reason: connection.reason }
  if (connectionState(connection, at) === 'checking' || chain === undefined) return { kind: 'unknown' }
  const {
    state,
    reason,
    stoppedTimestamp,
    firstBlock,
    indexedBlock,
    indexedTimestamp,
    nodeBlock,
    nodeSeenTimestamp,
  } = chain
  const why = reason === undefined ? {} : { reason }
  if (state === 'stopped')
    return { kind: 'stopped', ...why, ...(stoppedTimestamp !== undefined && { since: stoppedTimestamp }) }
  if (state === 'waiting') {
    const silent = nodeSeenTimestamp === undefined ? undefined : Math.max(0, now - nodeSeenTimestamp)
    const blocks = lagOf(nodeBlock, indexedBlock ?? firstBlock ?? '0')
    return {
      kind: 'late',
      ...(blocks !== undefined && blocks > lagAllowed(chain.blockTime) && { blocks }),
      ...(silent !== undefined && { silent }),
      ...why,
    }
  }
  if (indexedBlock === undefined || indexedTimestamp === undefined)
    return state === 'syncing' ? { kind: 'catchingUp' } : { kind: 'unknown' }

  const moves = pace !== undefined && at - pace.advancedAt <= advancing
  const lag = lagOf(nodeBlock, indexedBlock) ?? 0
  if (lag > lagAllowed(chain.blockTime)) {
    if (state !== 'syncing' && !moves) return { kind: 'late', blocks: lag, ...why }
    const share = progressOf(firstBlock, indexedBlock, nodeBlock)
    const rate = pace?.blocksPerSecond
    return {
      kind: 'catchingUp',
      blocks: lag,
      ...(share !== undefined && { share }),
      ...(rate !== undefined && rate > 0 && { left: lag / rate }),
    }
  }
  const age = now - indexedTimestamp
  const old = age > Math.max(shortest, 10 * (chain.blockTime ?? 0))
  const speed = pace?.chainSeconds
  if (old && moves && (speed === undefined || speed > aheadOfTime))
    return { kind: 'catchingUp', behind: age, ...(speed !== undefined && { left: age / (speed - 1) }) }
  if (nodeSeenTimestamp !== undefined && now - nodeSeenTimestamp > nodeSilence)
    return { kind: 'late', silent: now - nodeSeenTimestamp, ...why }
  if (old && state === undefined) return { kind: 'late', old: age }
  return { kind: 'live', quiet: age > quietAfter(chain.blockTime) }
}

/** Seconds without a block after which a chain is quiet: ten of its usual intervals, and not because of one or two. */
const quietAfter = (blockTime: number | undefined): number =>
  blockTime === undefined ? shortest : Math.max(shortestQuiet, 10 * blockTime)

/** The share of the known blocks that are indexed, 0 to 1; undefined when either end is unknown. */
export function progressOf(
  first: string | undefined,
  indexed: string | undefined,
  node: string | undefined,
): number | undefined {
  if (indexed === undefined || node === undefined) return undefined
  const start = BigInt(first ?? 0)
  const all = BigInt(node) - start + 1n
  const done = BigInt(indexed) - start + 1n
  if (all <= 0n) return undefined
  const thousandths = Number((done * 1000n) / all)
  return Math.min(1, Math.max(0, thousandths / 1000))
}

/** From here on a page that shows a chain says how far it is: less may be gone before it is read. */
const farBlocks = 100
const farSeconds = 86_400

/** Whether a chain is so far from its head, or so long without an answer of its node, that its pages begin with it. */
export function isFarBehind(feed: Feed): boolean {
  switch (feed.kind) {
    case 'stopped':
      return true
    case 'catchingUp':
      if (feed.behind !== undefined) return feed.behind > farSeconds
      return feed.blocks === undefined || feed.blocks > farBlocks
    case 'late':
      if (feed.old !== undefined) return feed.old > farSeconds
      return (
        (feed.blocks ?? 0) > farBlocks ||
        (feed.silent ?? (feed.blocks === undefined ? Infinity : 0)) > nodeSilence
      )
    default:
      return false
  }
}
