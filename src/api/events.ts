import { liveEvents, type LiveEvent } from '../../contract/events.ts'
import type { Profile } from '../../contract/profile.ts'
import { moment, timeoutMs, serviceTime } from '../lib/connection.ts'
import { paces } from '../lib/pace.ts'
import { patchStatus } from './chains.ts'
import { markReachable, markUnreachable, onConnectionCheck } from './connection.ts'
import { recordHeartbeat, streamLost, watchConnection, withoutStream } from './events-watch.ts'
import { primaryHeads } from './live-heads.ts'
import { queryClient } from './query-client.ts'
import { takeReorg } from './reorgs.ts'

const serviceSeconds = (): number => Math.floor(serviceTime())

const highest = (one: string | undefined, other: string): string =>
  one !== undefined && BigInt(one) > BigInt(other) ? one : other

function onHead(event: LiveEvent<'head'>): void {
  paces.see(event.chainId, {
    at: moment(),
    block: event.blockNumber,
    ts: event.blockTimestamp,
    announced: true,
  })
  patchStatus(event.chainId, (status) => {
    if (status.indexedBlock !== undefined && BigInt(status.indexedBlock) >= BigInt(event.blockNumber))
      return status
    const nodeBlock = highest(event.nodeBlock ?? status.nodeBlock, event.blockNumber)
    return {
      ...status,
      // What was wrong before has not kept this block from being indexed.
      state: nodeBlock === event.blockNumber ? 'live' : 'syncing',
      reason: undefined,
      indexedBlock: event.blockNumber,
      indexedTimestamp: event.blockTimestamp,
      nodeBlock,
      nodeSeenTimestamp: serviceSeconds(),
      ...(status.txCount !== undefined && {
        txCount: (BigInt(status.txCount) + BigInt(event.txCount)).toString(),
      }),
    }
  })
}

function onPrimaryHead(event: LiveEvent<'primaryHead'>): void {
  const { network, chainName, blockNumber, blockTimestamp } = event
  const chain = `${network}/${chainName}`
  paces.see(chain, { at: moment(), block: blockNumber, ts: blockTimestamp, announced: true })
  primaryHeads.set((now) => new Map(now).set(chain, { blockNumber, blockTimestamp }))
}

function onReorg({ chainId, reorgCount }: LiveEvent<'reorg'>): void {
  patchStatus(chainId, (status) => ({ ...status, reorgCount }))
  takeReorg(chainId, reorgCount)
  void queryClient.invalidateQueries({ queryKey: ['status'] })
}

function onProgress(event: LiveEvent<'progress'>): void {
  const seen = event.state === 'live' || event.state === 'syncing'
  patchStatus(event.chainId, (status) => ({
    ...status,
    state: event.state,
    reason: event.reason,
    ...(seen && { nodeSeenTimestamp: serviceSeconds() }),
    ...(event.indexedBlock !== undefined && { indexedBlock: event.indexedBlock }),
    ...(event.nodeBlock !== undefined && { nodeBlock: event.nodeBlock }),
  }))
}

function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function onHeartbeat(data: string): void {
  const event = liveEvents.heartbeat.safeParse(jsonOf(data))
  if (event.success) recordHeartbeat(event.data)
}

/** One event as it came; an event that does not fit the contract is dropped, the next status heals it. */
export function receive(name: 'head' | 'reorg' | 'primaryHead' | 'progress', data: string): void {
  const content = jsonOf(data)
  if (name === 'head') {
    const event = liveEvents.head.safeParse(content)
    if (event.success) onHead(event.data)
  } else if (name === 'reorg') {
    const event = liveEvents.reorg.safeParse(content)
    if (event.success) onReorg(event.data)
  } else if (name === 'primaryHead') {
    const event = liveEvents.primaryHead.safeParse(content)
    if (event.success) onPrimaryHead(event.data)
  } else {
    const event = liveEvents.progress.safeParse(content)
    if (event.success) onProgress(event.data)
  }
}

/** Connects again after a second at first, then after twice as long each time, none of them at one moment. */
const delays = { first: 1_000, longest: 15_000 }
const jittered = (ms: number): number => ms * (0.75 + Math.random() / 2)

/**
 * Listens to the events of the service at `base` while the page is visible. A stream that ends, or is silent for
 * longer than heartbeats may be missing, is opened anew with growing delays. What was missed meanwhile is healed
 * by asking for the status. Returns the stop.
 */
function listen(base: string): () => void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let delay = delays.first

  const close = (): void => {
    clearTimeout(retry)
    clearTimeout(silence)
    source?.close()
    source = undefined
  }
  const openLater = (): void => {
    close()
    const wait = jittered(delay)
    delay = Math.min(delays.longest, delay * 2)
    streamLost(moment() + wait / 1000)
    retry = setTimeout(open, wait)
    // It may be only the stream that is held up, as by a proxy that buffers or by too many readers.
    const signal = AbortSignal.timeout(timeoutMs.waking * 1000)
    void fetch(`${base}/health`, { cache: 'no-store', signal }).then(markReachable, markUnreachable)
  }
  const hear = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      markUnreachable()
      // A service that hangs takes connections and answers them later: one should be ready for that moment.
      delay = delays.first
      openLater()
    }, timeoutMs.open * 1000)
  }
  const open = (): void => {
    close()
    source = new EventSource(`${base}/events`)
    hear()
    source.addEventListener('open', () => {
      // Nothing is replayed: what happened before this moment, reorgs included, is in the status only.
      void queryClient.invalidateQueries({ queryKey: ['status'] })
      void queryClient.invalidateQueries({ queryKey: ['network-overview'] })
    })
    source.addEventListener('heartbeat', (event: MessageEvent<string>) => {
      delay = delays.first
      hear()
      onHeartbeat(event.data)
    })
    for (const name of ['head', 'reorg', 'primaryHead', 'progress'] as const)
      source.addEventListener(name, (event: MessageEvent<string>) => {
        hear()
        markReachable()
        receive(name, event.data)
      })
    source.addEventListener('error', openLater)
  }
  const anew = (): void => {
    delay = delays.first
    if (document.visibilityState !== 'hidden') open()
  }
  const hide = (): void => {
    if (document.visibilityState === 'hidden') close()
  }
  const stopWaking = onConnectionCheck(anew)
  document.addEventListener('visibilitychange', hide)
  anew()
  return () => {
    stopWaking()
    document.removeEventListener('visibilitychange', hide)
    close()
  }
}

/** Live updates of a deployment: its events, or nothing but its answers where it has none. Returns the stop. */
export function follow({ live, dataUrl }: Pick<Profile, 'live' | 'dataUrl'>): () => void {
  const stopWatching = watchConnection()
  const stop = live ? listen(dataUrl.replace(/\/$/, '')) : onConnectionCheck(askHeads)
  if (!live) withoutStream()
  return () => {
    stopWatching()
    stop()
  }
}

function askHeads(): void {
  for (const queryKey of [['head'], ['primary-head']]) void queryClient.invalidateQueries({ queryKey })
}
