import { useQuery } from '@tanstack/react-query'
import { endSilence, silencesQuery, type Silence } from '../../../api/watch/alarms.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { safeText } from '../../../lib/text.ts'
import { Outcome, useChange } from '../shared/acts.tsx'
import { WatchFailed } from '../shared/failed.tsx'
import { nameOf } from '../shared/names.ts'
import { Button } from '../../../components/controls.tsx'

/** What a silence covers: “Not connected at gamma in My fleet”. */
function covered({ ruleName, ruleId, memberId, fleetName, fleetId }: Silence): string {
  const rule = ruleId === undefined ? 'Everything' : `“${safeText(ruleName ?? 'a rule')}”`
  const member = memberId === undefined ? '' : ` at ${nameOf(memberId, undefined)}`
  const fleet = fleetId === undefined ? '' : ` in ${safeText(fleetName ?? 'a fleet')}`
  return `${rule}${member}${fleet}`
}

function Row({ silence, mayWrite }: { silence: Silence; mayWrite: boolean }) {
  const { silenceId, comment, isActive, startTimestamp, endTimestamp } = silence
  const end = useChange((_: void, signal) => endSilence(silenceId, signal))
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-1">
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {covered(silence)}
        {comment !== '' && <span className="text-muted"> · {safeText(comment, 500)}</span>}
      </span>
      <span className="text-xs text-muted">
        {isActive ? (
          <>
            ends <TimeAgo at={endTimestamp} />
          </>
        ) : (
          <>
            begins <TimeAgo at={startTimestamp} />
          </>
        )}
      </span>
      <Outcome request={end} />
      {mayWrite && (
        <Button
          small
          disabled={end.isPending}
          aria-label={`End the silence: ${covered(silence)}`}
          onClick={() => end.mutate()}
        >
          End
        </Button>
      )}
    </li>
  )
}

/** The silences that have not ended. They are made where something fires: at a member, a fleet, a rule or an alarm. */
export function Silences({ mayWrite }: { mayWrite: boolean }) {
  const { data, error, isPending, refetch } = useQuery(silencesQuery())
  if (isPending) return <SkeletonRows count={2} />
  if (error && !data)
    return <WatchFailed title="The silences could not be loaded." error={error} onRetry={refetch} />
  return (
    <ul aria-label="Silences" className="border-t border-line">
      {data.map((silence) => (
        <Row key={silence.silenceId} silence={silence} mayWrite={mayWrite} />
      ))}
    </ul>
  )
}
