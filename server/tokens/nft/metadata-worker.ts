import { setMaxListeners } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../kernel/settings/config.ts'
import { RetryableError } from '../../kernel/errors.ts'
import { pause } from '../../kernel/pause.ts'
import { isLostServer } from '../../store/chain-reads.ts'
import type { Database } from '../../store/database.ts'
import { NodeCalls } from '../facts/node-calls.ts'
import { queueAnnounced } from '../../store/tokens/announcements.ts'
import { createGuardedFetch, type GuardedFetch } from '../../kernel/guarded-fetch.ts'
import { restHosts } from './host-rest.ts'
import {
  finish,
  forget,
  queueNew,
  queueUnread,
  release,
  takeDue,
  type IndexStatus,
  type LeasedNft,
} from './queue.ts'
import { readNft, type NftReading } from './read-nft.ts'

type MetadataOptions = {
  readonly database: Database
  readonly config: Pick<Config, 'chains' | 'nftMetadata'>
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn'>
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds between checks of an empty queue. */
  readonly tick?: number
}

/** Concurrency: the number of lanes, and reads per lane. A slow document delays only its own lane. */
const lanes = 4
const atOnce = 4

/** Temporary failures, retried up to a limit; others wait for a reindex. */
const passing: ReadonlySet<IndexStatus> = new Set(['UNKNOWN', 'UNREACHABLE_TOKEN_URI', 'THROTTLED_TOKEN_URI'])
const maxAttempts = 8
/** Retry delays in seconds: the first, the factor, and the maximum. */
const retry = { first: 60, factor: 4, longest: 86_400 }

/**
 * Reads the metadata of NFTs from a queue in the store until the signal: newly minted ones, retries, and
 * requested reindexes. Several processes may do so at once. Rejects only if the store fails.
 */
export async function followMetadata(options: MetadataOptions, signal: AbortSignal): Promise<void> {
  const { database, config, clock, tick = 1_000 } = options
  const { nftMetadata: settings } = config
  const chains = config.chains.map((chain) => chain.evmChainId)
  const nodes = new Map(
    config.chains.map((chain) => [
      BigInt(chain.evmChainId),
      // A document in a `data:` URI doubles in hex, after growing by a third in base64.
      new NodeCalls(chain, { maxBytes: 3 * settings.maxBytes + 65_536, concurrency: lanes }),
    ]),
  )
  const fetch = restHosts(createGuardedFetch(settings), new Set(Object.keys(settings.hosts)))
  const resting = new RestingChains(clock)
  const stop = new AbortController()
  // Each read in progress listens to the signal.
  setMaxListeners(8 * lanes * atOnce, stop.signal)
  const ended = (): void => stop.abort()
  signal.addEventListener('abort', ended, { once: true })
  if (signal.aborted) stop.abort()
  const guard = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } finally {
      // If one lane fails, all are stopped, so that the worker as a whole is restarted.
      stop.abort()
    }
  }
  try {
    if (settings.enabled) await queueUnread(database, chains, clock())
    const lane = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const awake = chains.filter((chain) => resting.awake(chain))
        const taken = awake.length > 0 ? await takeDue(database, awake, clock(), atOnce) : []
        const tools = { nodes, fetch, resting }
        await Promise.all(taken.map((nft) => readOne(options, tools, nft, stop.signal)))
        if (taken.length === 0) await pause(tick, stop.signal)
      }
    }
    const work = Array.from({ length: lanes }, () => guard(lane()))
    const results = await Promise.allSettled([...work, guard(followNew(options, stop.signal))])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed && !signal.aborted) throw failed.reason
  } finally {
    signal.removeEventListener('abort', ended)
    for (const node of nodes.values()) node.close()
  }
}

async function followNew(options: MetadataOptions, signal: AbortSignal): Promise<void> {
  const { database, config, clock, tick = 1_000 } = options
  while (!signal.aborted) {
    for (const { evmChainId, reorgLimit } of config.chains) {
      try {
        await queueNew(database, evmChainId, reorgLimit, clock(), signal)
        await queueAnnounced(database, evmChainId, reorgLimit, clock(), signal)
      } catch (error) {
        // Chains on other servers go on.
        if (!isLostServer(error)) throw error
      }
    }
    await pause(2 * tick, signal)
  }
}

/** Chains whose node is down: their NFTs wait without delaying other chains. */
class RestingChains {
  readonly #clock: () => number
  readonly #standing = new Map<number, { failures: number; until: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  awake(chain: number): boolean {
    return (this.#standing.get(chain)?.until ?? 0) <= this.#clock()
  }

  /** `retryAfter` in seconds, if the node specified it. */
  failed(chain: number, retryAfter = 0): void {
    const failures = (this.#standing.get(chain)?.failures ?? 0) + 1
    const wait = Math.min(60, 2 ** Math.min(failures, 6))
    this.#standing.set(chain, { failures, until: this.#clock() + Math.min(300, Math.max(wait, retryAfter)) })
  }

  answered(chain: number): void {
    this.#standing.delete(chain)
  }
}

type Tools = {
  readonly nodes: ReadonlyMap<bigint, NodeCalls>
  readonly fetch: GuardedFetch
  readonly resting: RestingChains
}

async function readOne(
  { database, config, logger, clock }: MetadataOptions,
  { nodes, fetch, resting }: Tools,
  nft: LeasedNft,
  signal: AbortSignal,
): Promise<void> {
  const node = nodes.get(nft.chain)
  if (nft.kind === null || !node) return forget(database, nft)
  let reading: NftReading
  try {
    reading = await readNft({ settings: config.nftMetadata, node, fetch }, { ...nft, kind: nft.kind }, signal)
  } catch (error) {
    await release(database, nft, clock())
    if (signal.aborted) return
    if (!(error instanceof RetryableError)) throw error
    resting.failed(Number(nft.chain), (error.retryAfter ?? 0) / 1000)
    logger.warn({ chain: String(nft.chain), err: error }, 'the node gives no token URIs, asking later')
    return
  }
  resting.answered(Number(nft.chain))
  const { status, why, retryAfter } = reading
  if (why !== undefined) {
    logger.debug(
      {
        chain: String(nft.chain),
        token: `0x${nft.token.toString('hex')}`,
        tokenId: nft.token_id,
        status,
        why,
      },
      'the metadata of an NFT was not read',
    )
  }
  const now = clock()
  const again = passing.has(status) && reading.final !== true && nft.attempts + 1 < maxAttempts
  const due = again ? now + backOff(nft.attempts, retryAfter) : null
  await finish(
    database,
    nft,
    {
      status,
      due,
      ...(reading.uri !== undefined && { uri: reading.uri }),
      ...(reading.fields && { fields: reading.fields }),
    },
    now,
  )
}

/** Seconds until the next attempt; longer if the other side specified it, but never more than a day. */
function backOff(attempts: number, retryAfter = 0): number {
  return Math.min(retry.longest, Math.max(retryAfter, retry.first * retry.factor ** Math.min(10, attempts)))
}
