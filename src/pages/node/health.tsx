import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../../api/node/node-queries.ts'
import type { HealthCheck } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { JsonTree } from '../../components/json-tree.tsx'
import { Pill } from '../../components/pill.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { NodeFailed } from './shared/node-failed.tsx'
import { momentOf } from './peers.tsx'

/** The checks, failing ones first, then by name. */
function orderedChecks(checks: Readonly<Record<string, HealthCheck>>): [string, HealthCheck][] {
  return Object.entries(checks).toSorted(
    ([a, one], [b, other]) =>
      Number(other.error !== undefined) - Number(one.error !== undefined) || a.localeCompare(b),
  )
}

function Check({ name, check }: { name: string; check: HealthCheck }) {
  const since = momentOf(check.timeOfFirstFailure)
  const at = momentOf(check.timestamp)
  const fails = check.contiguousFailures ?? 0
  return (
    <li className="border-b border-line">
      <details>
        <summary className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 py-1">
          <Pill state={check.error === undefined ? 'ok' : 'failed'}>
            {check.error === undefined ? 'ok' : 'fails'}
          </Pill>
          <span className="min-w-0 font-mono text-mono break-all">{safeText(name, 80)}</span>
          {check.error !== undefined && (
            <span className="min-w-0 break-words text-bad">{safeText(check.error, 400)}</span>
          )}
          <span className="ml-auto flex gap-x-3 text-xs text-muted">
            {since !== undefined && (
              <span>
                {formatInteger(fails)} {plural(fails, 'time')} since <TimeAgo at={since} />
              </span>
            )}
            {at !== undefined && <TimeAgo at={at} />}
          </span>
        </summary>
        <div className="pb-2">
          {check.duration !== undefined && (
            <p className="text-xs text-muted">It took {formatNumber(check.duration / 1e6, 3)} ms.</p>
          )}
          {check.message === undefined || check.message === null ? (
            <p className="text-muted">The check says no more.</p>
          ) : (
            <JsonTree value={check.message} label={`What ${safeText(name, 80)} says`} />
          )}
        </div>
      </details>
    </li>
  )
}

/** All health checks of a node with expandable details. */
export function Health({ target }: { target: NodeTarget }) {
  const query = useQuery(healthQuery(target))
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The health of the node could not be read."
        query={query}
        absent="Public nodes often keep their health to themselves."
      />
    )
  if (!query.data) return <SkeletonRows count={8} />
  return (
    <ul aria-label="Health checks" className="border-t border-line">
      {orderedChecks(query.data.checks).map(([name, check]) => (
        <Check key={name} name={name} check={check} />
      ))}
    </ul>
  )
}
