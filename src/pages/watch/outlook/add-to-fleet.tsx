import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useOffers, type NetworkName } from '../../../api/current.ts'
import { addMembers, createFleet, fleetsQuery } from '../../../api/watch/fleets.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { useStore } from '../../../components/hooks.ts'
import { Menu } from '../../../components/overlays/menu.tsx'
import type { MenuEntry } from '../../../components/overlays/popups.tsx'
import { labels } from '../../../lib/storage/labels.ts'
import { watchUse } from '../../../lib/storage/watch-use.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { reasonOf, useChange } from '../shared/acts.tsx'
import { addedText } from '../shared/members.ts'
import { nameOf } from '../shared/names.ts'

type Props = { network: NetworkName; memberId: string }

/** Adds a validator to a fleet, or makes a fleet of it. Only browsers that use the watch have the button. */
export function AddToFleet({ network, memberId }: Props) {
  const isFollowed = useStore(watchUse, (use) => use.isFollowed)
  const offered = useOffers('getWatchSummary') && isFollowed
  const mayWrite = useQuery({ ...summaryQuery(), enabled: offered }).data?.mayWrite ?? false
  const fleets = useQuery({ ...fleetsQuery(), enabled: offered && mayWrite }).data
  const label = useStore(labels, (all) => all[memberId])
  const navigate = useNavigate()
  const member = { memberId, ...(label !== undefined && { label }) }
  const add = useChange((fleetId: string, signal) => addMembers(fleetId, { members: [member] }, signal))
  const create = useChange((_: void, signal) =>
    createFleet({ name: nameOf(memberId, label), network, members: [member] }, signal),
  )
  if (!mayWrite) return null
  const error = add.error ?? create.error
  const entries = (): readonly MenuEntry[] => [
    ...(fleets ?? [])
      .filter((fleet) => fleet.network === network)
      .map(({ fleetId, name }): MenuEntry => ({
        kind: 'action',
        label: safeText(name),
        onSelect: () => add.mutate(fleetId),
      })),
    {
      kind: 'action',
      label: 'New fleet',
      onSelect: () =>
        create.mutate(undefined, { onSuccess: ({ fleet }) => void navigate(paths.fleet(fleet.fleetId)) }),
    },
  ]
  return (
    <>
      <Menu label="Add to fleet" entries={entries}>
        Add to fleet
      </Menu>
      <output className={`text-xs ${error ? 'text-bad' : 'text-muted'}`}>
        {error ? reasonOf(error) : add.data && addedText(add.data)}
      </output>
    </>
  )
}
