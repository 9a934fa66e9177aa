import { useState } from 'react'
import { useNavigate } from 'react-router'
import { networkOf, useCurrentNetwork, useProfile, type NetworkName } from '../../../api/current.ts'
import { createFleet } from '../../../api/watch/fleets.ts'
import { paths } from '../../../lib/paths.ts'
import { useNetworkLabels } from '../../shared/network-crumb.tsx'
import { BoxedForm, useChange } from '../shared/acts.tsx'
import { addedText, emptySource, sourcesOf } from '../shared/members.ts'
import { SourceFields, useWatchedMembers } from '../shared/source-fields.tsx'
import { Input, Select } from '../../../components/controls.tsx'
import { Field } from '../shared/acts.tsx'

/** A form for a new fleet; the page of the fleet opens once it is there. */
export function CreateForm({ onClose }: { onClose: () => void }) {
  const profile = useProfile()
  const usual = useCurrentNetwork()
  const labelOf = useNetworkLabels()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [network, setNetwork] = useState<NetworkName>(usual)
  const [draft, setDraft] = useState(emptySource)
  const watched = useWatchedMembers(network, draft.sendsLabels)
  const sources = sourcesOf(draft, watched)
  const networks = (profile?.networks ?? [usual]).flatMap((one) => networkOf(one) ?? [])
  const create = useChange((_: void, signal) =>
    createFleet({ name: name.trim(), network, ...sources }, signal),
  )
  return (
    <BoxedForm
      name="New fleet"
      act="Save"
      className="mb-6"
      onSubmit={() =>
        create.mutate(undefined, {
          onSuccess: (answer) =>
            void navigate(paths.fleet(answer.fleet.fleetId), { state: { said: addedText(answer) } }),
        })
      }
      request={create}
      missing={
        name.trim() === '' ? 'Give the fleet a name.' : sources ? undefined : 'Name at least one validator.'
      }
      onClose={onClose}
    >
      {(tried) => (
        <>
          <div className="flex flex-wrap gap-3">
            <Field label="Name" grow>
              <Input
                maxLength={80}
                aria-invalid={tried && name.trim() === ''}
                value={name}
                // The form has just been opened by a button.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus
                onChange={setName}
              />
            </Field>
            {networks.length > 1 && (
              <Field label="Network">
                <Select
                  value={network}
                  options={networks.map((id) => ({ id, label: labelOf(id) }))}
                  onChange={setNetwork}
                />
              </Field>
            )}
          </div>
          <SourceFields network={network} draft={draft} onChange={setDraft} />
        </>
      )}
    </BoxedForm>
  )
}
