import { useState } from 'react'
import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import { updateFleet } from '../../../api/watch/fleets.ts'
import { Field, FormEnd, useChange } from '../shared/acts.tsx'

/** A form for the name and the description of a fleet. */
export function EditForm({ fleet, onClose }: { fleet: WatchFleet; onClose: () => void }) {
  const [name, setName] = useState(fleet.name)
  const [description, setDescription] = useState(fleet.description)
  const save = useChange((_: void, signal) =>
    updateFleet(fleet.fleetId, { name: name.trim(), description: description.trim() }, signal),
  )
  return (
    <form
      aria-label="Name of the fleet"
      className="mb-4 flex max-w-[80ch] flex-col gap-3 rounded-base border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined, { onSuccess: onClose })
      }}
    >
      <Field label="Name">
        <input
          className="field"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label="Description">
        <input
          className="field"
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <FormEnd label="Save" request={save} ready={name.trim() !== ''} onClose={onClose} />
    </form>
  )
}
