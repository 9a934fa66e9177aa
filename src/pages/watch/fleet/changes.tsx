import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changesQuery, type FleetChange } from '../../../api/watch/fleets.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { PrimaryTxLink } from '../../../components/primary-link.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { WatchFailed } from '../shared/failed.tsx'
import { Subject } from '../shared/subject.tsx'
import { countText } from '../shared/words.ts'
import { Button } from '../../../components/controls.tsx'
import { changeWords, type ChangeTone } from './change-words.ts'

const shown = 12

const tones: Readonly<Record<ChangeTone, string>> = { good: 'text-ok', bad: 'text-bad', neutral: '' }

function Change({ network, change }: { network: string; change: FleetChange }) {
  const { text, tone } = changeWords(change)
  const { memberId, nodeId, label, txHash, timestamp } = change
  const kind = memberId.startsWith('NodeID-') ? 'node' : 'l1Validator'
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line py-1">
      <span className="w-24 shrink-0 text-xs text-muted">
        <TimeAgo at={timestamp} />
      </span>
      <span className="min-w-0 flex-1">
        <Subject
          subject={{
            kind,
            id: memberId,
            nodeId,
            ...(label !== undefined && label !== '' && { name: label }),
          }}
          network={network}
        />{' '}
        <span className={tones[tone]}>{text}</span>
        {txHash !== undefined && (
          <>
            {' '}
            <PrimaryTxLink network={network} chain="p-chain" txHash={txHash} />
          </>
        )}
      </span>
    </li>
  )
}

/** What changed at the members in the last 24 hours, latest first. */
export function Changes({ fleetId, network }: { fleetId: string; network: string }) {
  const [isWhole, setWhole] = useState(false)
  const { data, error, isPending, refetch } = useQuery(changesQuery(fleetId))
  if (isPending) return <SkeletonRows count={5} />
  if (error && !data)
    return <WatchFailed title="The changes could not be loaded." error={error} onRetry={refetch} />
  const { changes, isComplete } = data
  if (changes.length === 0)
    return (
      <EmptyState title="Nothing changed">
        No connection, delegation, validation, balance or alarm of these members has changed in the last 24
        hours.
      </EmptyState>
    )
  return (
    <>
      <ol className="border-t border-line" aria-label="What changed in the last 24 hours">
        {(isWhole ? changes : changes.slice(0, shown)).map((change, index) => (
          <Change
            key={`${change.timestamp} ${change.memberId} ${change.kind} ${index}`}
            network={network}
            change={change}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3 pt-2">
        {changes.length > shown && (
          <Button small onClick={() => setWhole((now) => !now)}>
            {isWhole ? `Show the latest ${shown}` : `Show all ${countText(changes.length, 'change')}`}
          </Button>
        )}
        {!isComplete && (
          <span className="text-xs text-muted">There were more changes; the latest 500 are listed.</span>
        )}
      </div>
    </>
  )
}
