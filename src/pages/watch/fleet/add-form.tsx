import { useState } from 'react'
import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { addMembers } from '../../../api/watch/fleets.ts'
import { Outcome, useChange } from '../shared/acts.tsx'
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
    <form
      aria-label="New members"
      className="mb-4 flex max-w-[80ch] flex-col gap-3 rounded-base border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(undefined, {
          onSuccess: () => setDraft((now) => ({ ...emptySource, kind: now.kind })),
        })
      }}
    >
      <SourceFields
        network={network}
        draft={draft}
        onChange={(next) => {
          setDraft(next)
          if (!add.isPending) add.reset()
        }}
      />
      <Outcome request={add} done={add.data && addedText(add.data)} />
      <div className="flex gap-2">
        <button
          type="submit"
          className="control border-accent text-accent"
          disabled={sources === undefined || add.isPending}
        >
          Add
        </button>
        <button type="button" className="control" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  )
}
