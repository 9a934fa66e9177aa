import { useState } from 'react'
import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import { updateFleet } from '../../../api/watch/fleets.ts'
import { BoxedForm, useChange } from '../shared/acts.tsx'
import { Input } from '../../../components/controls.tsx'
import { Field } from '../shared/acts.tsx'

/** A form for the name and the description of a fleet. */
export function EditForm({ fleet, onClose }: { fleet: WatchFleet; onClose: () => void }) {
  const [name, setName] = useState(fleet.name)
  const [description, setDescription] = useState(fleet.description)
  const save = useChange((_: void, signal) =>
    updateFleet(fleet.fleetId, { name: name.trim(), description: description.trim() }, signal),
  )
  return (
    <BoxedForm
      name="Name of the fleet"
      act="Save"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      request={save}
      missing={name.trim() === '' ? 'Give the fleet a name.' : undefined}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <Field label="Name">
            <Input
              maxLength={80}
              aria-invalid={tried && name.trim() === ''}
              value={name}
              onChange={setName}
            />
          </Field>
          <Field label="Description">
            <Input maxLength={500} value={description} onChange={setDescription} />
          </Field>
        </>
      )}
    </BoxedForm>
  )
}
