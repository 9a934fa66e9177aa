import { useNow } from '../../components/hooks.ts'
import { Pill, type PillState } from '../../components/pill.tsx'
import { freshnessOf, progressOf, type Followed, type Freshness } from '../../lib/freshness.ts'

const words: Record<Freshness, { state: PillState; text: string }> = {
  fresh: { state: 'active', text: 'Live' },
  quiet: { state: 'active', text: 'Live, quiet' },
  syncing: { state: 'pending', text: 'Syncing' },
  stale: { state: 'stale', text: 'Stale' },
  stopped: { state: 'failed', text: 'Stopped' },
  unknown: { state: 'neutral', text: 'Waiting' },
}

/** How a chain is followed, from which block on, and why it is not. */
export type Standing = Followed & { firstBlock?: string | undefined; reason?: string | undefined }

/** A chain's standing in one word. */
export function ChainPill({ status }: { status: Standing }) {
  const now = useNow(5)
  const kind = freshnessOf(status, now)
  const { state, text } = words[kind]
  const share =
    kind === 'syncing' ? progressOf(status.firstBlock, status.indexedBlock, status.nodeBlock) : undefined
  return (
    <Pill state={state} {...(status.reason !== undefined && { title: status.reason })}>
      {share === undefined ? text : `${text} ${Math.floor(share * 100)} %`}
    </Pill>
  )
}
