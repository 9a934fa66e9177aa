import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { LiveEvent, LiveEventName } from '../../contract/events.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { primaryChainOf } from '../primary/chains.ts'
import { pause } from '../kernel/pause.ts'
import { liveChannel, type Database } from '../store/database.ts'
import { listenTo } from '../store/listen.ts'
import { isReadOnly } from '../store/store-gate.ts'

type AnnouncedName = Exclude<LiveEventName, 'heartbeat'>

/** A live update under its name, as `/events` sends it (contract/events.ts). */
export type Live = { [N in AnnouncedName]: { readonly name: N; readonly data: LiveEvent<N> } }[AnnouncedName]

/** The NOTIFY channel of `pulse`: separate from the indexer's, on which every message counts as a change. */
const pulseChannel = 'ridgeline_pulse'

/** Milliseconds before another attempt to listen, and to ask the servers for their positions. */
const reconnectDelayMs = 500
const catchUpAgain = 250
/** Announcements that wait for a replica at most. */
const maxWaiting = 1_000

const whole = z.union([z.number().int(), z.string().regex(/^\d+$/)]).transform(String)

/**
 * The indexer's announcements on the channel. A new head of the P-, X- or C-Chain is `{"kind": "primary",
 * "primary": key, "height": n, "id": "0x…", "ts": n}`: the chain's key of server/primary/chains.ts, and the
 * block's height, 32-byte id and Unix time.
 */
const notice = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('head'),
    chain: whole,
    number: whole,
    hash: z.string(),
    ts: z.coerce.number<string | number>().int(),
    txs: z.coerce.number<string | number>().int(),
    node: whole.nullish(),
  }),
  z.object({
    kind: z.literal('reorg'),
    chain: whole,
    ancestor: whole,
    depth: z.coerce.number<string | number>().int(),
    count: z.coerce.number<string | number>().int(),
  }),
  z.object({
    kind: z.literal('primary'),
    primary: z.literal([1, 2, 3, 11, 12, 13]),
    height: whole,
    id: z.string().regex(/^0x[0-9a-f]{64}$/),
    ts: z.coerce.number<string | number>().int(),
  }),
  z.object({
    kind: z.literal('progress'),
    chain: whole,
    state: z.string(),
    reason: z.string().nullish(),
    indexed: whole.nullish(),
    node: whole.nullish(),
  }),
])

/**
 * Passes the indexer's announcements to listeners in this process and counts the changes of each chain, so
 * that a cached answer can be checked for validity.
 */
export type LiveHub = {
  /**
   * Increases with every change of the topic, and whenever a change may have been missed. A chain's id is the
   * topic of its blocks, `statusTopic` that of all its data, `primaryTopic` that of a primary network chain.
   */
  version(topic: string): number
  /** Whether announcements can arrive; otherwise nothing may be cached. */
  readonly connected: boolean
  subscribe(listener: (live: Live) => void): () => void
  /**
   * Listens on the channel of a database, and again whenever the connection is lost. Resolves after the first attempt.
   * If reads go to a replica, `catchUp` resolves once the replica has what is committed now: announcements wait for it,
   * so that a listener finds what was announced. Returns a function that stops it.
   */
  connect(database: Database, catchUp?: (signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>
  /**
   * Proves that announcements can arrive: sends a message through the database to this process's own
   * listening connection. If it has not come back within `within` milliseconds, returns the problem as a
   * sentence. If the hub is not connected, as on a replica, this only proves that the database answers.
   */
  pulse(database: Database, within: number): Promise<string | undefined>
  /** Processes one announcement from the channel. */
  receive(payload: string): void
}

/** The topic of a chain's blocks and of its state, which changes without a block. */
export const statusTopic = (chainId: string): string => `statusTopic of ${chainId}`

/** The topic of the blocks of a P-, X- or C-Chain. */
export const primaryTopic = (network: string, alias: string): string => `${alias} of ${network}`

function topicsOf(live: Live): readonly string[] {
  if (live.name === 'primaryHead') return [primaryTopic(live.data.network, live.data.chainName)]
  const { chainId } = live.data
  return live.name === 'progress' ? [statusTopic(chainId)] : [chainId, statusTopic(chainId)]
}

/** Creates a hub that is not connected yet. */
export function createLiveHub(logger: Pick<FastifyBaseLogger, 'warn'>): LiveHub {
  const listeners = new Set<(live: Live) => void>()
  const versions = new Map<string, number>()
  const pulses = new Map<string, () => void>()
  let epoch = 0
  let connected = false
  let drop: () => void = () => undefined
  /** Announcements may have been missed, so nothing cached is valid. */
  const forgetAll = (): void => {
    epoch += 1
  }

  const receive = (payload: string): void => {
    const live = readNotice(payload)
    if (!live) {
      // A message of a newer indexer may mean any change.
      forgetAll()
      logger.warn({ payload: payload.slice(0, 200) }, 'an announcement could not be read')
      return
    }
    for (const topic of topicsOf(live)) versions.set(topic, (versions.get(topic) ?? 0) + 1)
    for (const listener of listeners) listener(live)
  }

  return {
    version: (topic) => epoch + (versions.get(topic) ?? 0),
    get connected() {
      return connected
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async connect(database, catchUp) {
      const stop = new AbortController()
      const { signal } = stop
      const deliver = catchUp ? inOrder(receive, catchUp, forgetAll, signal) : receive
      const attempt = async (): Promise<{ lost: Promise<void> }> => {
        const listening = await listenTo(database, {
          [liveChannel]: deliver,
          [pulseChannel]: (id) => pulses.get(id)?.(),
        })
        forgetAll()
        connected = true
        drop = listening.drop
        signal.addEventListener('abort', listening.drop)
        const lost = listening.lost.finally(() => {
          connected = false
          signal.removeEventListener('abort', listening.drop)
        })
        return { lost }
      }
      const keepListening = async (first: () => void): Promise<void> => {
        let hasFailed = false
        while (!signal.aborted) {
          try {
            const { lost } = await attempt()
            if (hasFailed) logger.warn('announcements arrive again')
            hasFailed = false
            first()
            await lost
          } catch (error) {
            if (!hasFailed && !signal.aborted) logger.warn({ err: error }, reasonOf(error))
            hasFailed = true
            first()
          }
          await pause(reconnectDelayMs, signal)
        }
      }
      const ended = { listening: Promise.resolve() }
      await new Promise<void>((resolve) => {
        ended.listening = keepListening(resolve)
      })
      return async () => {
        stop.abort()
        await ended.listening
      }
    },
    async pulse(database, within) {
      const id = randomUUID()
      let reason = 'the database does not answer'
      let hasSent = false
      const back = new Promise<void>((resolve) => pulses.set(id, resolve))
      const round = async (): Promise<undefined> => {
        if (!connected) return void (await database`select 1`)
        await database.notify(pulseChannel, id)
        hasSent = true
        reason = 'the database passes no announcements on'
        await back
      }
      const stop = new AbortController()
      const late = delay(within, undefined, { signal: stop.signal }).then(() => {
        // The connection may have died without a sign.
        if (hasSent) drop()
        return reason
      })
      try {
        return await Promise.race([round(), late])
      } catch (error) {
        logger.warn({ err: error }, reason)
        return reason
      } finally {
        stop.abort()
        pulses.delete(id)
      }
    },
    receive,
  }
}

const reasonOf = (error: unknown): string =>
  isReadOnly(error)
    ? 'a replica passes on no announcements: until it is promoted, /events is silent and no answer is kept'
    : 'announcements cannot arrive, trying again'

/**
 * Passes announcements on in their order, each after the replica has what it announces. Beyond the limit the oldest are
 * dropped, and `onGap` is called.
 */
function inOrder(
  receive: (payload: string) => void,
  catchUp: (signal: AbortSignal) => Promise<void>,
  onGap: () => void,
  signal: AbortSignal,
): (payload: string) => void {
  const waiting: string[] = []
  let isPassing = false
  const pass = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Those that arrive from here on may be of later commits.
      const batch = waiting.splice(0)
      // It fails while the primary is being replaced, or the replica.
      while (
        !(await catchUp(signal).then(
          () => true,
          () => false,
        ))
      )
        await pause(catchUpAgain, signal)
      if (signal.aborted) return
      for (const payload of batch) receive(payload)
    }
  }
  return (payload) => {
    waiting.push(payload)
    if (waiting.length > maxWaiting) {
      waiting.shift()
      onGap()
    }
    if (isPassing) return
    isPassing = true
    void pass().finally(() => {
      isPassing = false
    })
  }
}

function readNotice(payload: string): Live | undefined {
  let value: unknown
  try {
    value = JSON.parse(payload)
  } catch {
    return undefined
  }
  const parsed = notice.safeParse(value)
  if (!parsed.success) return undefined
  const said = parsed.data
  switch (said.kind) {
    case 'head':
      return {
        name: 'head',
        data: {
          chainId: said.chain,
          blockNumber: said.number,
          blockHash: said.hash,
          blockTimestamp: said.ts,
          ...(said.node != null && { nodeBlock: said.node }),
          txCount: said.txs,
        },
      }
    case 'reorg':
      return {
        name: 'reorg',
        data: {
          chainId: said.chain,
          ancestor: said.ancestor,
          depth: said.depth,
          reorgCount: said.count,
        },
      }
    case 'primary':
      return primaryHead(said.primary, said.height, said.id, said.ts)
    case 'progress':
      return {
        name: 'progress',
        data: {
          chainId: said.chain,
          state: said.state,
          ...(said.reason != null && { reason: said.reason }),
          ...(said.indexed != null && { indexedBlock: said.indexed }),
          ...(said.node != null && { nodeBlock: said.node }),
        },
      }
  }
}

function primaryHead(key: number, height: string, id: string, ts: number): Live {
  const { network, alias } = primaryChainOf(key)
  const blockHash = alias === 'c-chain' ? id : cb58(Buffer.from(id.slice(2), 'hex'))
  return {
    name: 'primaryHead',
    data: { network, chainName: alias, blockNumber: height, blockHash, blockTimestamp: ts },
  }
}
