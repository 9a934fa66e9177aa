import { useEffect, useRef, useState } from 'react'
import { channelKinds, type WatchChannel } from '../../../../contract/watch/channels.ts'
import { saveChannel } from '../../../api/watch/channels.ts'
import { BoxedForm, Check, useChange } from '../shared/acts.tsx'
import { Select, Input } from '../../../components/controls.tsx'
import {
  channelFields,
  channelOf,
  draftOfChannel,
  isSet,
  kindLabels,
  kindNotes,
  newChannel,
  refusedFields,
  type ChannelDraft,
  type ChannelField,
} from './fields.ts'
import { Field } from '../shared/acts.tsx'

const securities = [
  { id: 'tls', label: 'TLS from the start (465)' },
  { id: 'starttls', label: 'STARTTLS (587)' },
  'none',
] as const

type SettingProps = {
  field: ChannelField
  draft: ChannelDraft
  /** Whether the service has it already. */
  isKept: boolean
  wrong: string | undefined
  /** Whether an empty field is an error by now. */
  tried: boolean
  onChange: (text: string) => void
}

function Setting({ field, draft, isKept, wrong, tried, onChange }: SettingProps) {
  const { name, label, form, placeholder, note } = field
  const value = draft.fields[name] ?? ''
  const isShownWrong = wrong !== undefined && (tried || value !== '')
  const about = isShownWrong ? <span className="text-bad">{wrong}</span> : note
  if (form === 'security')
    return (
      <Field label={label}>
        <Select value={value} options={securities} onChange={onChange} />
      </Field>
    )
  return (
    <Field
      label={label}
      grow={form !== 'number'}
      note={isKept && value === '' && !isShownWrong ? 'Set, not shown. Leave it empty to keep it.' : about}
    >
      <input
        className={`field ${form === 'number' ? 'w-24' : 'w-full'}`}
        type={form === 'secret' ? 'password' : 'text'}
        autoComplete={form === 'secret' ? 'new-password' : 'off'}
        {...(form === 'number' && { inputMode: 'numeric' as const })}
        spellCheck={false}
        placeholder={isKept ? '••••••••' : placeholder}
        aria-invalid={isShownWrong}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** The form of a channel. Secrets are written, never shown: an empty field keeps what is set. */
export function ChannelForm({ channel, onClose }: { channel?: WatchChannel; onClose: () => void }) {
  const [draft, setDraft] = useState(() => (channel ? draftOfChannel(channel) : newChannel('ntfy')))
  const setSecrets = channel?.setSecrets ?? []
  const result = channelOf(draft, setSecrets)
  const wrong = 'wrong' in result ? result.wrong : {}
  const fields = useRef<HTMLDivElement>(null)
  const save = useChange((_: void, signal) => {
    if ('wrong' in result) throw new Error('Something in the form is missing.')
    return saveChannel(channel?.channelId, result.channel, signal)
  })
  const refused = refusedFields(draft.kind, save.error)
  const isRefused = Object.keys(refused).length > 0
  useEffect(() => {
    if (isRefused) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [isRefused])
  const edit = (next: ChannelDraft): void => {
    setDraft(next)
    if (!save.isPending) save.reset()
  }
  return (
    <BoxedForm
      name={channel ? `Channel ${channel.name}` : 'New channel'}
      act="Save"
      className=""
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      // What a field says is not said again.
      request={isRefused ? { isPending: save.isPending, error: null } : save}
      missing={'wrong' in result ? 'Correct the marked fields.' : undefined}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <div className="flex flex-wrap gap-3">
            {!channel && (
              <Field label="Kind">
                <Select
                  value={draft.kind}
                  options={channelKinds.map((kind) => ({ id: kind, label: kindLabels[kind] }))}
                  onChange={(kind) => setDraft((now) => ({ ...newChannel(kind), name: now.name }))}
                />
              </Field>
            )}
            <Field
              label="Name"
              grow
              note={tried && wrong['name'] !== undefined && <span className="text-bad">{wrong['name']}</span>}
            >
              <Input
                className="w-full"
                maxLength={80}
                placeholder="On-call phone"
                aria-invalid={tried && wrong['name'] !== undefined}
                value={draft.name}
                onChange={(typed) => edit({ ...draft, name: typed })}
              />
            </Field>
          </div>
          <p className="text-xs text-muted">{kindNotes[draft.kind]}</p>
          <div ref={fields} className="flex flex-wrap gap-3">
            {channelFields[draft.kind].map((field) => (
              <Setting
                key={field.name}
                field={field}
                draft={draft}
                isKept={isSet(draft.kind, field.name, setSecrets)}
                wrong={wrong[field.name] ?? refused[field.name]}
                tried={tried || isRefused}
                onChange={(text) => edit({ ...draft, fields: { ...draft.fields, [field.name]: text } })}
              />
            ))}
          </div>
          <div className="flex flex-wrap gap-x-6">
            <Check
              label="Also send when an alarm ends"
              checked={draft.sendsResolved}
              onChange={(sendsResolved) => setDraft({ ...draft, sendsResolved })}
            />
            <Check
              label="On"
              checked={draft.isEnabled}
              onChange={(isEnabled) => setDraft({ ...draft, isEnabled })}
            />
          </div>
        </>
      )}
    </BoxedForm>
  )
}
