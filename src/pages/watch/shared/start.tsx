import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useCurrentNetwork, type NetworkName } from '../../../api/current.ts'
import { validatorsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { createFleet } from '../../../api/watch/fleets.ts'
import { saveRule } from '../../../api/watch/rules.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { Button } from '../../../components/controls.tsx'
import { CheckIcon } from '../../../components/icons.ts'
import { Link } from '../../../components/link.tsx'
import { paths } from '../../../lib/paths.ts'
import { useNetworkLabel } from '../../shared/network-crumb.tsx'
import { Outcome, useChange } from './acts.tsx'

const largest = 5

/** The validators of a network with the most stake of their own and of others. */
async function largestValidators(network: NetworkName): Promise<string[]> {
  const list = validatorsQuery(network, { validationStatus: 'active' })
  const { pages } = await queryClient.fetchInfiniteQuery(list)
  const stake = (row: { amountStaked: string; amountDelegated?: string | undefined }): bigint =>
    BigInt(row.amountStaked) + BigInt(row.amountDelegated ?? 0)
  const sorted = pages
    .flatMap((page) => page.validators)
    .toSorted((left, right) => (stake(right) > stake(left) ? 1 : -1))
  return sorted.slice(0, largest).map(({ nodeId }) => nodeId)
}

type StepProps = { number: number; isDone: boolean; title: string; children: ReactNode }

function Step({ number, isDone, title, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs ${isDone ? 'bg-ok-soft text-ok' : 'bg-hover'}`}
        aria-hidden="true"
      >
        {isDone ? <CheckIcon size={14} /> : number}
      </span>
      <div className="flex min-w-0 flex-col">
        <span className="font-strong">
          {title}
          {isDone && <span className="font-normal text-muted"> (done)</span>}
        </span>
        <span className="text-muted">{children}</span>
      </div>
    </li>
  )
}

/** How alarms are set up, while there are none: three steps, and one button that does the first two as an example. */
export function Start() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const navigate = useNavigate()
  const { data: summary } = useQuery(summaryQuery())
  const example = useChange(async (_: void, signal) => {
    const nodes = await largestValidators(network)
    if (nodes.length === 0) throw new Error('This network has no active validators.')
    const members = nodes.map((memberId) => ({ memberId }))
    const { fleet } = await createFleet({ name: `Largest of ${label}`, network, members }, signal)
    const { fleetId } = fleet
    await saveRule(undefined, { kind: 'notConnected', fleetId }, signal)
    await saveRule(undefined, { kind: 'rewardUnreachable', fleetId }, signal)
    return fleet
  })
  if (!summary) return null
  const { fleetCount, ruleCount, channelCount, mayWrite } = summary
  return (
    <section aria-label="Set up alarms" className="flex max-w-[76ch] flex-col gap-4 py-2">
      <h2 className="text-h2 font-strong">
        {fleetCount === 0 ? 'No validators are watched yet' : 'No rules yet'}
      </h2>
      <ol className="flex flex-col gap-3">
        <Step number={1} isDone={fleetCount > 0} title="Choose validators">
          A fleet: paste their node IDs.
        </Step>
        <Step number={2} isDone={ruleCount > 0} title="Say when to warn">
          A rule: “not connected for 2 samples”, “stake ends within 3 days”.
        </Step>
        <Step number={3} isDone={channelCount > 0} title="Say where to">
          A channel: e-mail, chat, phone or webhook. Without one, alarms are listed here only.
        </Step>
      </ol>
      {mayWrite ? (
        <div className="flex flex-wrap items-center gap-2">
          {fleetCount === 0 ? (
            <>
              <Button
                className={example.isPending ? '' : 'border-accent bg-accent text-on-accent'}
                disabled={example.isPending}
                onClick={() =>
                  example.mutate(undefined, {
                    onSuccess: ({ fleetId }) => void navigate(paths.fleet(fleetId)),
                  })
                }
              >
                Watch the {largest} largest validators
              </Button>
              <Link to={paths.fleets({ create: 'yes' })} className="control">
                Choose my own
              </Link>
            </>
          ) : (
            <Link to={paths.rule('new')} className="control border-accent text-accent">
              Add a rule
            </Link>
          )}
        </div>
      ) : (
        <p className="text-muted">Only the operator can set up alarms: open “Read-only” above.</p>
      )}
      <Outcome request={example} />
    </section>
  )
}
