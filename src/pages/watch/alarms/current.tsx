import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statesQuery, type WatchState } from '../../../api/watch/alarms.ts'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { useNow } from '../../../components/hooks.ts'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { WatchFailed } from '../shared/failed.tsx'
import { SeverityPill, StatePill } from '../shared/severity.tsx'
import { SilenceDialog } from '../shared/silence-button.tsx'
import { Subject, subjectName, subjectPath } from '../shared/subject.tsx'
import { countText } from '../shared/words.ts'
import { Button } from '../../../components/controls.tsx'
import { openStates, rangeAround } from './words.ts'

const shown = 50

function State({
  state,
  network,
  mayWrite,
}: {
  state: WatchState
  network: string | undefined
  mayWrite: boolean
}) {
  const [isSilencing, setSilencing] = useState(false)
  const now = useNow(3_600)
  const { ruleId, ruleName, severity, subject, text, sinceTimestamp, isSilenced, fleetId } = state
  const chart =
    network === undefined
      ? undefined
      : subjectPath(subject, network, rangeAround({ openedTimestamp: sinceTimestamp }, now))
  const isMember = subject.kind === 'node' || subject.kind === 'l1Validator'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2">
      <span className="flex shrink-0 items-center gap-2 max-md:w-full md:w-56">
        <StatePill state={state.state} />
        <SeverityPill severity={severity} />
        {isSilenced && <Pill state="ended">silenced</Pill>}
      </span>
      <div className="flex min-w-0 flex-1 basis-72 flex-col">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <Subject subject={subject} network={network} />
          <span className="wrap-anywhere">{safeText(text, 300)}</span>
        </span>
        <span className="text-xs text-muted">
          <Link to={paths.rule(ruleId)} className="link">
            {safeText(ruleName)}
          </Link>
          {' · since '}
          <TimeAgo at={sinceTimestamp} />
          {chart !== undefined && (
            <>
              {' · '}
              <Link to={chart} className="link" aria-label={`Chart of ${subjectName(subject)}`}>
                Chart
              </Link>
            </>
          )}
        </span>
      </div>
      {mayWrite && !isSilenced && (
        <Button
          small
          aria-label={`Silence ${ruleName} for ${subjectName(subject)}`}
          onClick={() => setSilencing(true)}
        >
          Silence …
        </Button>
      )}
      {isSilencing && (
        <SilenceDialog
          what={`${safeText(ruleName)} for ${subjectName(subject)}`}
          target={{ ruleId, ...(fleetId !== undefined && isMember && { fleetId, memberId: subject.id }) }}
          onClose={() => setSilencing(false)}
        />
      )}
    </li>
  )
}

/** What fires, is about to, or cannot be evaluated now, the worst first. */
export function Current({ mayWrite }: { mayWrite: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const { data, error, isPending, refetch } = useQuery(statesQuery())
  const fleets = useQuery(fleetsQuery()).data
  if (isPending) return <SkeletonRows count={4} height={56} />
  if (error && !data)
    return <WatchFailed title="The states could not be loaded." error={error} onRetry={refetch} />
  const open = openStates(data)
  if (open.length === 0)
    return data.length === 0 ? (
      <p className="text-muted">The rules are evaluated at the next sample of the node.</p>
    ) : (
      <p className="text-muted">{countText(data.length, 'check')}, all ok.</p>
    )
  const networkOf = (id: string | undefined): string | undefined =>
    fleets?.find(({ fleetId }) => fleetId === id)?.network
  return (
    <>
      <ul aria-label="What needs attention" className="border-t border-line">
        {(isWhole ? open : open.slice(0, shown)).map((state) => (
          <State
            key={`${state.ruleId} ${state.subject.kind} ${state.subject.id}`}
            state={state}
            network={networkOf(state.fleetId)}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
      {open.length > shown && (
        <Button small className="mt-2" onClick={() => setWhole((now) => !now)}>
          {isWhole ? `Show the first ${shown}` : `Show all ${countText(open.length, 'state')}`}
        </Button>
      )}
    </>
  )
}
