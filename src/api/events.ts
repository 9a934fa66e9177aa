import { liveEvents, type LiveEvent } from '../../contract/events.ts'
import { createStore } from '../lib/store.ts'
import { patchStatus } from './chains.ts'
import { liveHeads, primaryHeads } from './live-heads.ts'
import { queryClient } from './query-client.ts'
import { session } from './session.ts'

/** Whether live updates flow: pages fall back on asking now and then when they do not. */
export const liveState = createStore<'off' | 'connecting' | 'open'>('off')

const firstDelay = 1_000
const longestDelay = 30_000

function onHead(event: LiveEvent<'head'>): void {
  liveHeads.set((now) => {
    const before = now.get(event.chainId)?.transactions ?? 0
    return new Map(now).set(event.chainId, {
      blockNumber: event.blockNumber,
      blockTimestamp: event.blockTimestamp,
      transactions: before + event.txCount,
    })
  })
  patchStatus(event.chainId, (status) => {
    if (status.indexedBlock !== undefined && BigInt(status.indexedBlock) >= BigInt(event.blockNumber))
      return status
    const isBehind = status.nodeBlock !== undefined && BigInt(status.nodeBlock) > BigInt(event.blockNumber)
    return {
      ...status,
      indexedBlock: event.blockNumber,
      indexedTimestamp: event.blockTimestamp,
      nodeBlock: isBehind ? status.nodeBlock : event.blockNumber,
      txCount: (BigInt(status.txCount) + BigInt(event.txCount)).toString(),
    }
  })
}

function onPrimaryHead(event: LiveEvent<'primaryHead'>): void {
  const { network, chainName, blockNumber, blockTimestamp } = event
  primaryHeads.set((now) => new Map(now).set(`${network}/${chainName}`, { blockNumber, blockTimestamp }))
}

function onReorg(event: LiveEvent<'reorg'>): void {
  // A revert may touch whatever is shown of the chain, deep lists included: they begin anew.
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[1] === event.chainId || queryKey[0] === 'status',
  })
}

function onProgress(event: LiveEvent<'progress'>): void {
  patchStatus(event.chainId, (status) => ({
    ...status,
    state: event.state,
    reason: event.reason,
    ...(event.indexedBlock !== undefined && { indexedBlock: event.indexedBlock }),
    ...(event.nodeBlock !== undefined && { nodeBlock: event.nodeBlock }),
  }))
}

/** One event as it came; an event that does not fit the contract is dropped, the next status heals it. */
export function receive(name: keyof typeof liveEvents, data: string): void {
  let content: unknown
  try {
    content = JSON.parse(data)
  } catch {
    return
  }
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

/**
 * Listens to `url` while the page is visible, and reconnects with growing delays. Returns the stop.
 * What was missed before the connection stood is healed by asking for the status anew.
 */
export function listen(url: string): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let delay = firstDelay

  const close = (): void => {
    clearTimeout(timer)
    source?.close()
    source = undefined
    liveState.set('off')
  }
  const open = (): void => {
    close()
    liveState.set('connecting')
    source = new EventSource(url)
    source.addEventListener('open', () => {
      delay = firstDelay
      liveState.set('open')
      // Nothing is replayed: what happened before this moment is in the status only.
      void queryClient.invalidateQueries({ queryKey: ['status'] })
      void queryClient.invalidateQueries({ queryKey: ['network-overview'] })
    })
    for (const name of ['head', 'reorg', 'primaryHead', 'progress'] as const)
      source.addEventListener(name, (event: MessageEvent<string>) => receive(name, event.data))
    source.addEventListener('error', () => {
      close()
      liveState.set('connecting')
      timer = setTimeout(open, delay)
      delay = Math.min(longestDelay, delay * 2)
    })
  }
  const follow = (): void => {
    if (document.visibilityState === 'hidden') close()
    else {
      delay = firstDelay
      open()
    }
  }
  document.addEventListener('visibilitychange', follow)
  if (document.visibilityState !== 'hidden') open()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    close()
  }
}

/** Live updates where the profile has them. Returns the stop. */
export function follow(): () => void {
  let stop: (() => void) | undefined
  let gone = false
  session().then(
    ({ profile }) => {
      if (!gone && profile.live) stop = listen(`${profile.dataUrl.replace(/\/$/, '')}/events`)
    },
    // The frame shows why there is no session; there is nothing to listen to then.
    () => undefined,
  )
  return () => {
    gone = true
    stop?.()
  }
}
