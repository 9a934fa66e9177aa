import { useState } from 'react'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { removeMembers } from '../../../api/watch/fleets.ts'
import { Menu } from '../../../components/overlays/menu.tsx'
import { useChange } from '../shared/acts.tsx'
import { SilenceDialog } from '../shared/silence-button.tsx'
import { memberName } from './member-name.ts'

/** What can be done with one member: silence it, or take it out of the fleet. */
export function RowMenu({ fleetId, row }: { fleetId: string; row: WatchFleetRow }) {
  const [isSilencing, setSilencing] = useState(false)
  const remove = useChange((_: void, signal) => removeMembers(fleetId, [row.memberId], signal))
  const name = memberName(row)
  return (
    <>
      {remove.error && (
        <span role="alert" className="sr-only">
          {name} could not be removed: {remove.error.message}
        </span>
      )}
      <Menu
        label={`Actions for ${name}`}
        className={`control control-small ${remove.error ? 'border-bad text-bad' : 'border-transparent'}`}
        entries={() => [
          { kind: 'action', label: 'Silence …', onSelect: () => setSilencing(true) },
          {
            kind: 'action',
            label: 'Remove from the fleet',
            disabled: remove.isPending,
            ...(remove.error && { note: remove.error.message }),
            onSelect: () => remove.mutate(),
          },
        ]}
      >
        <span aria-hidden="true">⋯</span>
      </Menu>
      {isSilencing && (
        <SilenceDialog
          what={name}
          target={{ fleetId, memberId: row.memberId }}
          onClose={() => setSilencing(false)}
        />
      )}
    </>
  )
}
