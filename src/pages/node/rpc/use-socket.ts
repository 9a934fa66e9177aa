import { useEffect, useRef, useState } from 'react'
import type { SubscriptionKind } from '../../../../contract/node/node-methods.ts'
import { openSocket, type NodeSocket, type SocketState } from '../../../api/node/node-socket.ts'
import { emptyLog, logAfter, rateOf, rateSpan, type SocketEvent, type SocketLog } from './socket-log.ts'

/** A subscription that is active, or that ended with the socket. */
type Subscription = { id: string; kind: SubscriptionKind; params: readonly unknown[] }

type Fresh = Omit<SocketEvent, 'seq'>

/** The interval of rendering, in milliseconds: a busy chain sends hundreds of events in that time. */
const drawEvery = 250

/** The state of a page's socket. */
export type SocketView = {
  state: SocketState | undefined
  subscriptions: readonly Subscription[]
  log: SocketLog
  /** Notifications a second over the last ten. */
  rate: number
  isPaused: boolean
  /** The number of notifications that arrived while paused. */
  held: number
  pause: (isPaused: boolean) => void
  clear: () => void
  subscribe: (kind: SubscriptionKind, params: readonly unknown[]) => Promise<void>
  unsubscribe: (id: string) => Promise<void>
  disconnect: () => void
}

/**
 * The websocket of one chain during the lifetime of the component; another URL needs another component. It opens
 * with the first subscription. Events are rendered four times a second, and held back while paused, up to the number
 * that is kept.
 */
export function useSocket(url: string): SocketView {
  const [state, setState] = useState<SocketState>()
  const [subscriptions, setSubscriptions] = useState<readonly Subscription[]>([])
  const [log, setLog] = useState<SocketLog>(emptyLog)
  const [rate, setRate] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const [held, setHeld] = useState(0)
  const socket = useRef<NodeSocket | null>(null)
  const kinds = useRef(new Map<string, SubscriptionKind>())
  const early = useRef(new Map<string, Fresh[]>())
  const waiting = useRef<{ fresh: Fresh[]; times: number[]; isPaused: boolean; log: SocketLog }>({
    fresh: [],
    times: [],
    isPaused: false,
    log: emptyLog,
  })

  useEffect(() => {
    const draw = (): void => {
      const now = Date.now()
      const all = waiting.current
      all.times = all.times.filter((at) => at > now - rateSpan * 1_000)
      setRate(rateOf(all.times, now))
      if (all.fresh.length === 0) return
      all.log = logAfter(all.log, all.fresh)
      all.fresh = []
      if (!all.isPaused) setLog(all.log)
      else setHeld((before) => Math.max(before, all.log.total))
    }
    const timer = setInterval(draw, drawEvery)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => () => socket.current?.close(), [])

  const note = (id: string, value: unknown, size: number): void => {
    const kind = kinds.current.get(id)
    const at = Date.now()
    if (kind) {
      waiting.current.fresh.push({ at, kind, value, size })
      waiting.current.times.push(at)
      return
    }
    // The first notification may arrive before the answer with the subscription's id.
    const list = early.current.get(id) ?? []
    if (list.length < 100 && early.current.size < 32)
      early.current.set(id, [...list, { at, kind: 'newHeads', value, size }])
  }
  const connect = (): NodeSocket => {
    if (socket.current) return socket.current
    const opened = openSocket(url, {
      onState: (next) => {
        setState(next)
        if (next.state !== 'closed' || socket.current !== opened) return
        socket.current = null
        kinds.current.clear()
        early.current.clear()
        setSubscriptions([])
      },
      onEvent: note,
    })
    socket.current = opened
    return opened
  }
  const subscribe = async (kind: SubscriptionKind, params: readonly unknown[]): Promise<void> => {
    const id = await connect().subscribe(params)
    kinds.current.set(id, kind)
    for (const event of early.current.get(id) ?? []) note(id, event.value, event.size)
    early.current.delete(id)
    setSubscriptions((all) => [...all, { id, kind, params }])
  }
  const unsubscribe = async (id: string): Promise<void> => {
    await socket.current?.unsubscribe(id)
    setSubscriptions((all) => all.filter((one) => one.id !== id))
  }
  const pause = (next: boolean): void => {
    waiting.current.isPaused = next
    setPaused(next)
    if (!next) {
      setLog(waiting.current.log)
      setHeld(0)
    }
  }
  const clear = (): void => {
    waiting.current.log = emptyLog
    waiting.current.fresh = []
    setLog(emptyLog)
    setHeld(0)
  }
  return {
    state,
    subscriptions,
    log,
    rate,
    isPaused,
    held: Math.max(0, held - log.total),
    pause,
    clear,
    subscribe,
    unsubscribe,
    disconnect: () => socket.current?.close(),
  }
}
