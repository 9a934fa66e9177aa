import type { NetworkName } from '../../../api/current.ts'
import { useStore } from '../../../components/hooks.ts'
import { labels } from '../../../lib/storage/labels.ts'
import { watchList } from '../../../lib/storage/watch-list.ts'
import { SubnetSelect } from '../../shared/subnet-select.tsx'
import { Choice } from '../../shared/choice.tsx'
import { Input } from '../../../components/controls.tsx'
import { Check, Field } from './acts.tsx'
import { addressesIn, idsIn, sourceKinds, sourceLabels, watchedMembers, type SourceDraft } from './members.ts'
import { countText } from './words.ts'

type Props = {
  network: NetworkName
  draft: SourceDraft
  onChange: (draft: SourceDraft) => void
}

/** The members that the browser's watch list has for a network. */
export function useWatchedMembers(network: string, sendsLabels: boolean) {
  const list = useStore(watchList)
  const named = useStore(labels)
  return watchedMembers(list, named, network, sendsLabels)
}

function Paste({ draft, onChange }: Omit<Props, 'network'>) {
  const { nodes, validations } = idsIn(draft.text)
  const isEmpty = draft.text.trim() === ''
  const isWrong = !isEmpty && nodes + validations === 0
  return (
    <Field
      label="Node IDs and validation IDs"
      note={
        isEmpty ? (
          'Any text: a list, a table, an inventory. The rest of each line becomes the label.'
        ) : isWrong ? (
          <span className="text-bad">
            The text has no node ID (NodeID- and about 33 letters and digits) and no validation ID.
          </span>
        ) : (
          `${countText(nodes, 'node ID')} and ${countText(validations, 'validation ID')} found`
        )
      }
    >
      <textarea
        className="field min-h-24 w-full py-1 font-mono text-mono"
        placeholder={'NodeID-… gamma\nNodeID-… delta'}
        spellCheck={false}
        aria-invalid={isWrong}
        rows={5}
        value={draft.text}
        onChange={(event) => onChange({ ...draft, text: event.target.value })}
      />
    </Field>
  )
}

function OfWatchList({ network, draft, onChange }: Props) {
  const members = useWatchedMembers(network, draft.sendsLabels)
  return (
    <div className="flex flex-col gap-1">
      <p>
        {members.length === 0
          ? 'The watch list of this browser has no validator of this network.'
          : `${countText(members.length, 'validator')} of this network in the watch list of this browser.`}
      </p>
      <Check
        label="Also send the labels of this browser"
        checked={draft.sendsLabels}
        onChange={(sendsLabels) => onChange({ ...draft, sendsLabels })}
      />
    </div>
  )
}

/** The fields that name the members of a fleet: by paste, watch list, reward address or L1. */
export function SourceFields({ network, draft, onChange }: Props) {
  const count = addressesIn(draft.addresses).length
  return (
    <div className="flex flex-col items-start gap-2 [&>fieldset]:flex-wrap [&>fieldset]:gap-y-1 [&>label]:w-full">
      <Choice
        label="Source of the members"
        options={sourceKinds.map((id) => ({ id, label: sourceLabels[id] }))}
        current={draft.kind}
        onChange={(kind) => onChange({ ...draft, kind })}
      />
      {draft.kind === 'paste' && <Paste draft={draft} onChange={onChange} />}
      {draft.kind === 'watched' && <OfWatchList network={network} draft={draft} onChange={onChange} />}
      {draft.kind === 'rewards' && (
        <Field
          label="Addresses that receive rewards"
          note={
            count > 1
              ? `${countText(count, 'address', 'addresses')}`
              : 'One or more P-Chain addresses. Every validator that pays its reward to one of them now is added once.'
          }
        >
          <Input
            mono
            className="w-full"
            placeholder="P-fuji1…"
            value={draft.addresses}
            onChange={(typed) => onChange({ ...draft, addresses: typed })}
          />
        </Field>
      )}
      {draft.kind === 'l1' && (
        <>
          <SubnetSelect
            network={network}
            value={draft.subnetId}
            every="Choose an L1"
            withAll={false}
            onChange={(subnetId) => onChange({ ...draft, subnetId })}
          />
          <p className="text-xs text-muted">Every L1 validator that has a weight now is added once.</p>
        </>
      )}
    </div>
  )
}
