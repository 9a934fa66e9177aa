import { useEffect, useRef, useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { aggregate, aggregateOfTransaction } from '../../api/signatures/signatures.ts'
import { followRound } from '../../api/signatures/signatures-stream.ts'
import { useLatest } from '../../components/hooks.ts'
import { rememberRun } from './history.ts'
import { afterAnswer, afterError, afterEvents, startRun, type Asked, type Run } from './run.ts'

/** Milliseconds between renders of a running round. */
const drawEvery = 80

// randomUUID needs a secure context; this id must be unique in one browser only.
const newId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

type Options = {
  profile: string | undefined
  /** Whether the deployment streams the events of a round. */
  streams: boolean
}

async function* statesOf(asked: Asked, streams: boolean, signal: AbortSignal): AsyncGenerator<Run> {
  let run = startRun(asked, Date.now())
  yield run
  const { network, body, tx } = asked
  try {
    if (streams)
      for await (const events of followRound(network, body, signal)) {
        run = afterEvents(run, events, Date.now())
        yield run
      }
    else {
      const { signedMessage } =
        asked.byTransaction && tx !== undefined
          ? await aggregateOfTransaction(network, tx, signal)
          : await aggregate(network, body, signal)
      yield afterAnswer(run, signedMessage, Date.now())
    }
  } catch (error) {
    yield afterError(run, error, Date.now(), signal.aborted)
  }
}

/** Runs one round at a time: starts it, follows it, aborts it when the page is left, and stores its outcome. */
export function useRun({ profile, streams }: Options): {
  run: Run | undefined
  start: (asked: Asked) => void
  leave: () => void
  forget: () => void
} {
  const [run, setRun] = useState<Run>()
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const remember = useLatest((ended: Run) => rememberRun(ended, profile ?? '', newId()))

  const follow = async (asked: Asked): Promise<void> => {
    controller.current?.abort()
    const mine = (controller.current = new AbortController())
    let latest: Run | undefined
    let drawing: ReturnType<typeof setTimeout> | undefined
    const draw = (): void => {
      clearTimeout(drawing)
      drawing = undefined
      // Another round may have replaced this one.
      if (controller.current === mine) setRun(latest)
    }
    for await (const next of statesOf(asked, streams, mine.signal)) {
      if (controller.current !== mine) break
      const isFirst = latest === undefined
      latest = next
      // A thousand signers answer one by one: their events are rendered in batches.
      if (isFirst || next.state !== 'running') draw()
      else drawing ??= setTimeout(draw, drawEvery)
      if (next.state === 'running') continue
      remember.current(next)
      // A round opens connections to signers, so the set of connected ones changes.
      void queryClient.invalidateQueries({ queryKey: ['signer-set', asked.network] })
    }
    clearTimeout(drawing)
  }
  return {
    run,
    start: (asked) => void follow(asked),
    leave: () => controller.current?.abort(),
    forget: () => {
      controller.current?.abort()
      controller.current = null
      setRun(undefined)
    },
  }
}
