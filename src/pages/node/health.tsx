import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { healthQuery } from '../../api/node/node-queries.ts'
import type { HealthCheck } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Button } from '../../components/controls.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { JsonTree } from '../../components/json-tree.tsx'
import { Pill } from '../../components/pill.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
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
    <li>
      <Disclosure
        look="row"
        summary={
          <>
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
              {check.error !== undefined && at !== undefined && <TimeAgo at={at} />}
            </span>
          </>
        }
      >
        <div className="pb-2">
          {check.duration !== undefined && (
            <p className="text-xs text-muted">It took {formatNumber(check.duration / 1e6, 3)} ms.</p>
          )}
          {check.message === undefined || check.message === null ? (
            <p className="text-muted">No details.</p>
          ) : (
            <JsonTree value={check.message} label={`What ${safeText(name, 80)} says`} />
          )}
        </div>
      </Disclosure>
    </li>
  )
}

/** The health of a node: one line, unless a check fails. All checks with their details are a click away. */
export function Health({ target }: { target: NodeTarget }) {
  const query = useQuery(healthQuery(target))
  const [isOpen, setOpen] = useState(false)
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The health of the node could not be read."
        query={query}
        absent="Public nodes often keep their health to themselves."
      />
    )
  const checks = query.data && orderedChecks(query.data.checks)
  const failing = checks?.filter(([, { error }]) => error !== undefined)
  const at = Math.min(...(checks ?? []).map(([, { timestamp }]) => momentOf(timestamp) ?? Infinity))
  const shown = (isOpen ? checks : failing) ?? []
  return (
    <section aria-label="Health" aria-busy={!checks} className="flex flex-col gap-2">
      {/* On a phone two lines, before the answer as after it. */}
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 items-center gap-3">
          {checks && failing ? (
            <>
              <Pill state={failing.length === 0 ? 'ok' : 'failed'}>
                {failing.length === 0 ? 'healthy' : 'failing'}
              </Pill>
              <span>
                {failing.length === 0
                  ? `All ${formatInteger(checks.length)} checks pass.`
                  : `${formatInteger(failing.length)} of ${formatInteger(checks.length)} checks fail.`}
              </span>
            </>
          ) : (
            <Skeleton width={220} height={20} />
          )}
        </span>
        <span className="flex items-center gap-3 max-md:basis-full">
          <Button small aria-expanded={isOpen} disabled={!checks} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide checks' : 'Show checks'}
          </Button>
          {Number.isFinite(at) && (
            <span className="text-xs text-muted">
              checked <TimeAgo at={at} />
            </span>
          )}
        </span>
      </div>
      {shown.length > 0 && (
        <ul aria-label="Health checks" className="border-t border-line">
          {shown.map(([name, check]) => (
            <Check key={name} name={name} check={check} />
          ))}
        </ul>
      )}
    </section>
  )
}
