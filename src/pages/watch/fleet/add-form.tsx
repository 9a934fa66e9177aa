import { useState } from 'react'
import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { addMembers } from '../../../api/watch/fleets.ts'
import { BoxedForm, useChange } from '../shared/acts.tsx'
import { addedText, emptySource, sourcesOf } from '../shared/members.ts'
import { SourceFields, useWatchedMembers } from '../shared/source-fields.tsx'

/** A form that adds members to a fleet; it stays open for the next ones. */
export function AddForm({ fleet, onClose }: { fleet: WatchFleet; onClose: () => void }) {
  const current = useCurrentNetwork()
  const network = networkOf(fleet.network) ?? current
  const [draft, setDraft] = useState(emptySource)
  const watched = useWatchedMembers(network, draft.sendsLabels)
  const sources = sourcesOf(draft, watched)
  const add = useChange((_: void, signal) => addMembers(fleet.fleetId, sources ?? {}, signal))
  return (
    <BoxedForm
      name="New members"
      act="Add"
      leave="Close"
      onSubmit={() =>
        add.mutate(undefined, {
          onSuccess: () => setDraft((now) => ({ ...emptySource, kind: now.kind })),
        })
      }
      request={add}
      done={add.data && addedText(add.data)}
      missing={sources ? undefined : 'Name at least one validator.'}
      onClose={onClose}
    >
      {() => (
        <SourceFields
          network={network}
          draft={draft}
          onChange={(next) => {
            setDraft(next)
            if (!add.isPending) add.reset()
          }}
        />
      )}
    </BoxedForm>
  )
}
