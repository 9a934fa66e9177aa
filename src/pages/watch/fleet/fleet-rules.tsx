import { useQuery } from '@tanstack/react-query'
import type { WatchRule } from '../../../../contract/watch/rules.ts'
import { rulesQuery } from '../../../api/watch/rules.ts'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { WatchFailed } from '../shared/failed.tsx'
import { ruleCondition, ruleStanding } from '../shared/rule-words.ts'
import { SeverityPill } from '../shared/severity.tsx'

function Rule({ rule }: { rule: WatchRule }) {
  const { state, text } = ruleStanding(rule)
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line py-1">
      <Link to={paths.rule(rule.ruleId)} className="link">
        {safeText(rule.name)}
      </Link>
      <span className="min-w-0 flex-1 basis-24 text-xs text-muted">{ruleCondition(rule)}</span>
      {rule.channelIds.length === 0 && <span className="text-xs text-warn">notifies nobody</span>}
      <SeverityPill severity={rule.severity} />
      <Pill state={state}>{text}</Pill>
    </li>
  )
}

/** The rules of a fleet, each with the worst state that it has. */
export function FleetRules({ fleetId }: { fleetId: string }) {
  const { data, error, isPending, refetch } = useQuery(rulesQuery(fleetId))
  if (isPending) return <SkeletonRows count={4} />
  if (error && !data)
    return <WatchFailed title="The rules could not be loaded." error={error} onRetry={refetch} />
  if (data.length === 0)
    return (
      <EmptyState title="No rules yet">
        No alarm can open for this fleet. Begin with “Not connected”: it needs no threshold.
      </EmptyState>
    )
  return (
    <ul className="border-t border-line" aria-label="Rules of the fleet">
      {data.map((rule) => (
        <Rule key={rule.ruleId} rule={rule} />
      ))}
    </ul>
  )
}
