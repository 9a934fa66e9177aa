import { useState } from 'react'
import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { addMembers, updateFleet } from '../../../api/watch/fleets.ts'
import { Input } from '../../../components/controls.tsx'
import { BoxedForm, Field, useChange } from '../shared/acts.tsx'
import { addedText, emptySource, sourcesOf } from '../shared/members.ts'
import { SourceFields, useWatchedMembers } from '../shared/source-fields.tsx'

type Props = { readonly fleet: WatchFleet; readonly onClose: () => void }

/** A form for the name and the description of a fleet. */
function NameForm({ fleet, onClose }: Props) {
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

/** A form that adds members to a fleet; it stays open for the next ones. */
function MembersForm({ fleet, onClose }: Props) {
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

/** The form that changes a fleet: its name, or its members. */
export function FleetForm({ edit, ...form }: Props & { readonly edit: 'name' | 'members' }) {
  return edit === 'name' ? <NameForm {...form} /> : <MembersForm {...form} />
}
