import { useNavigate } from 'react-router'
import { useCurrentNetwork, type NetworkName } from '../../../api/current.ts'
import { validatorsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { createFleet } from '../../../api/watch/fleets.ts'
import { EmptyState } from '../../../components/states.tsx'
import { paths } from '../../../lib/paths.ts'
import { useNetworkLabel } from '../../shared/network-crumb.tsx'
import { Outcome, useChange } from '../shared/acts.tsx'
import { Button } from '../../../components/controls.tsx'

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

/** What the page of a fleet begins with, drawn small. */
function Preview() {
  const rows = [
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1],
  ]
  return (
    <figure className="m-0 rounded-base border border-line px-4 py-3">
      <figcaption className="pb-2 text-xs">
        An example: “3 validators, all connected; 1 under its requirement.”
      </figcaption>
      <svg aria-hidden="true" width={12 * 18} height={rows.length * 16}>
        {rows.flatMap((row, y) =>
          row.map((value, x) => (
            <rect
              key={`${x}-${y}`}
              x={x * 18}
              y={y * 16}
              width={16}
              height={14}
              rx={2}
              fill={
                value === 1 ? 'var(--color-series-3)' : value === 0 ? 'var(--color-bad)' : 'var(--color-warn)'
              }
              fillOpacity={value === 1 ? 0.45 : 0.9}
            />
          )),
        )}
      </svg>
    </figure>
  )
}

/** The page before there is a fleet: what it will show, and a first step with what the network has. */
export function FirstFleet({ mayWrite, onCreate }: { mayWrite: boolean; onCreate: () => void }) {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const navigate = useNavigate()
  const first = useChange(async (_: void, signal) => {
    const nodes = await largestValidators(network)
    if (nodes.length === 0) throw new Error('This network has no active validators.')
    const members = nodes.map((memberId) => ({ memberId }))
    return createFleet({ name: `Largest of ${label}`, network, members }, signal)
  })
  return (
    <EmptyState title="No fleets yet">
      <p>
        A fleet is a group of your validators. Its page shows on one screen who is connected, whose uptime
        puts the reward at risk and what ended or changed, and its rules fire when something goes wrong.
      </p>
      <Preview />
      {mayWrite && (
        <div className="flex flex-wrap gap-2 text-text">
          <Button className="border-accent text-accent" onClick={onCreate}>
            Create a fleet
          </Button>
          <Button
            disabled={first.isPending}
            onClick={() =>
              first.mutate(undefined, {
                onSuccess: ({ fleet }) => void navigate(paths.fleet(fleet.fleetId)),
              })
            }
          >
            Try it with the {largest} largest validators
          </Button>
        </div>
      )}
      <Outcome request={first} />
    </EmptyState>
  )
}
