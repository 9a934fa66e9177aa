import { useQuery } from '@tanstack/react-query'
import { severities } from '../../../../contract/watch/severities.ts'
import { mayBeForChain, watchRuleKinds, type WatchKindName } from '../../../../contract/watch/rule-kinds.ts'
import { chainsQuery } from '../../../api/chains.ts'
import { channelsQuery } from '../../../api/watch/channels.ts'
import { fleetQuery, fleetsQuery } from '../../../api/watch/fleets.ts'
import { useProfile } from '../../../api/current.ts'
import { Link } from '../../../components/link.tsx'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { Choice } from '../../shared/choice.tsx'
import { Check } from '../shared/acts.tsx'
import { nameOf } from '../shared/names.ts'
import { Select, Input } from '../../../components/controls.tsx'
import { AmountField } from './amount-field.tsx'
import { factsOf, withKind, type RuleDraft, type Wrong } from './draft.ts'
import { QuietFields } from './quiet-fields.tsx'
import { Field } from '../shared/acts.tsx'

type Props = {
  draft: RuleDraft
  wrong: Wrong
  onChange: (draft: RuleDraft) => void
}

const scopes = [
  ['fleet', 'For a fleet'],
  ['service', 'For this service'],
  ['address', 'For an address'],
] as const

function FleetFields({ draft, wrong, onChange }: Props) {
  const fleets = useQuery(fleetsQuery())
  const fleet = useQuery({ ...fleetQuery(draft.fleetId), enabled: draft.fleetId !== '' })
  const { subject } = factsOf(draft.kind)
  // A rule of a subnet is for all its members together.
  const members = fleet.data?.members.filter(({ kind }) => kind === subject) ?? []
  return (
    <div className="flex flex-wrap gap-3">
      <Field label="Fleet" note={wrong.fleetId}>
        <Select
          value={draft.fleetId}
          aria-required
          aria-invalid={wrong.fleetId !== undefined}
          options={[
            { id: '', label: 'Choose a fleet' },
            ...(fleets.data?.map(({ fleetId, name }) => ({ id: fleetId, label: safeText(name) })) ?? []),
          ]}
          onChange={(id) => onChange({ ...draft, fleetId: id, memberId: '' })}
        />
      </Field>
      {members.length > 0 && (
        <Field label="Members">
          <Select
            value={draft.memberId}
            className="max-w-72"
            options={[
              { id: '', label: 'All of them' },
              ...members.map(({ memberId, label }) => ({ id: memberId, label: nameOf(memberId, label) })),
            ]}
            onChange={(id) => onChange({ ...draft, memberId: id })}
          />
        </Field>
      )}
    </div>
  )
}

function NetworkField({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const profile = useProfile()
  const networks = profile?.networks ?? []
  if (networks.length < 2) return null
  return (
    <Field label="Network">
      <Select
        value={draft.network}
        options={[{ id: '', label: 'Every network' }, ...networks]}
        onChange={(id) => onChange({ ...draft, network: id })}
      />
    </Field>
  )
}

/** The EVM chain that a rule is for, and the address on it. */
function ChainFields({ draft, wrong, onChange }: Props) {
  const chains = useQuery(chainsQuery()).data ?? []
  const { scope } = factsOf(draft.kind)
  const isForAddress = scope === 'address'
  return (
    <div className="flex flex-wrap gap-3">
      <Field label="Chain" note={wrong.chainId}>
        <Select
          value={draft.chainId}
          aria-required={isForAddress}
          aria-invalid={wrong.chainId !== undefined}
          options={[
            { id: '', label: isForAddress ? 'Choose a chain' : 'Every chain' },
            ...chains.map(({ chainId, chainName }) => ({ id: chainId, label: safeText(chainName) })),
          ]}
          onChange={(chainId) => onChange({ ...draft, chainId })}
        />
      </Field>
      {isForAddress && (
        <Field label="Address" note={wrong.address}>
          <Input
            mono
            className="w-[25rem] max-w-full"
            spellCheck={false}
            aria-required
            aria-invalid={wrong.address !== undefined}
            value={draft.address}
            onChange={(address) => onChange({ ...draft, address })}
          />
        </Field>
      )}
    </div>
  )
}

function ChannelFields({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  const { data, error } = useQuery(channelsQuery())
  return (
    <fieldset className="m-0 flex flex-col gap-1 border-0 p-0">
      <legend className="text-xs text-muted">Send to</legend>
      {data?.map(({ channelId, name, kind, target, isEnabled }) => (
        <Check
          key={channelId}
          label={
            <span className="min-w-0">
              {safeText(name)}{' '}
              <span className="text-xs text-muted">
                {kind}, {safeText(target)}
                {!isEnabled && ', off'}
              </span>
            </span>
          }
          checked={draft.channelIds.includes(channelId)}
          onChange={(isOn) =>
            onChange({
              ...draft,
              channelIds: isOn
                ? [...draft.channelIds, channelId]
                : draft.channelIds.filter((each) => each !== channelId),
            })
          }
        />
      ))}
      {error && !data && (
        <p className="text-xs text-bad">The channels could not be loaded: {error.message}</p>
      )}
      {data && draft.channelIds.length === 0 && (
        <p className="text-xs text-muted">
          No channel selected: alarms appear only here, in the feed and in metrics.{' '}
          <Link to={paths.channels()} className="link">
            {data.length === 0 ? 'Add a channel' : 'Channels'}
          </Link>
        </p>
      )}
    </fieldset>
  )
}

/** The fields of a rule, made from the catalogue of kinds. */
export function RuleFields({ draft, wrong, onChange }: Props) {
  const facts = factsOf(draft.kind)
  const isTime = facts.unit === 'seconds'
  const patch = (part: Partial<RuleDraft>): void => onChange({ ...draft, ...part })
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Field label="Condition" note={facts.summary}>
        <Select
          value={draft.kind}
          options={scopes.map(([scope, group]) => ({
            group,
            options: watchRuleKinds
              .filter((each) => each.scope === scope)
              .map(({ kind, title }) => ({ id: kind as WatchKindName, label: title })),
          }))}
          onChange={(kind) => onChange(withKind(draft, kind, draft.fleetId))}
        />
      </Field>
      {facts.scope === 'fleet' ? (
        <FleetFields draft={draft} wrong={wrong} onChange={onChange} />
      ) : (
        <>
          {facts.scope === 'service' && <NetworkField draft={draft} onChange={onChange} />}
          {mayBeForChain(facts.kind) && <ChainFields draft={draft} wrong={wrong} onChange={onChange} />}
        </>
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        {facts.threshold !== null && (
          <AmountField
            label={facts.threshold.title}
            amount={draft.threshold}
            isTime={isTime}
            wrong={wrong.threshold}
            note={facts.fires === 'below' ? 'Fires below it' : 'Fires above it'}
            onChange={(threshold) => patch({ threshold })}
          />
        )}
        {facts.fires !== 'event' && (
          <Field
            label="Samples in a row"
            note={wrong.samples === undefined ? 'Number of samples that must agree' : undefined}
          >
            <Input
              className="w-24"
              inputMode="numeric"
              aria-invalid={wrong.samples !== undefined}
              value={draft.samples}
              onChange={(typed) => patch({ samples: typed })}
            />
            {wrong.samples !== undefined && (
              <span role="alert" className="text-xs text-bad">
                {wrong.samples}
              </span>
            )}
          </Field>
        )}
        {facts.hysteresis !== null && (
          <AmountField
            label="Hysteresis"
            amount={draft.hysteresis}
            isTime={isTime}
            wrong={wrong.hysteresis}
            note="It resolves only this far beyond the threshold"
            onChange={(hysteresis) => patch({ hysteresis })}
          />
        )}
      </div>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="flex flex-col gap-1">
          <span aria-hidden="true" className="text-xs text-muted">
            Severity
          </span>
          <Choice
            label="Severity"
            options={severities.map((id) => ({ id, label: id }))}
            current={draft.severity}
            onChange={(severity) => patch({ severity })}
          />
        </div>
        {facts.fires !== 'event' && (
          <AmountField
            label="Send again every"
            amount={draft.repeat}
            isTime
            wrong={wrong.repeat}
            note="While it is open; 0 to send it once"
            onChange={(repeat) => patch({ repeat })}
          />
        )}
      </div>
      <ChannelFields draft={draft} onChange={onChange} />
      <QuietFields draft={draft} wrong={wrong} onChange={patch} />
      <Field label="Name" note={wrong.name}>
        <Input
          maxLength={80}
          placeholder={facts.title}
          value={draft.name}
          onChange={(typed) => patch({ name: typed })}
        />
      </Field>
      <Check label="On" checked={draft.isEnabled} onChange={(isEnabled) => patch({ isEnabled })} />
    </div>
  )
}
