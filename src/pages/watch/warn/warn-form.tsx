import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WatchKindName } from '../../../../contract/watch/rule-kinds.ts'
import type { RuleDefinition, WatchRule } from '../../../../contract/watch/rules.ts'
import { channelsQuery } from '../../../api/watch/channels.ts'
import { addMembers, createFleet, fleetsQuery } from '../../../api/watch/fleets.ts'
import { saveRule } from '../../../api/watch/rules.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Button, Form, Select } from '../../../components/controls.tsx'
import { Link } from '../../../components/link.tsx'
import { DialogPopup } from '../../../components/overlays/popups.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { SignedInNote, useSignedIn } from '../../sign-in/note.tsx'
import { AmountField } from '../rules/amount-field.tsx'
import { factsOf, newDraft, ruleOf, withKind, type RuleDraft } from '../rules/draft.ts'
import { Field, FormEnd, useChange } from '../shared/acts.tsx'
import { TokenForm, WatchFailed } from '../shared/failed.tsx'
import { conditionsOf, fleetFor, targetOf, type WarnSubject } from './conditions.ts'

type Props = { subject: WarnSubject; onClose: () => void }

/** Puts a subject into the fleet of its warnings, which is created if there is none yet; returns the fleet's id. */
async function fleetIdFor(
  wanted: NonNullable<ReturnType<typeof fleetFor>>,
  signal: AbortSignal,
): Promise<string> {
  const fleets = await queryClient.fetchQuery({ ...fleetsQuery(), staleTime: 0 })
  const known = fleets.find(({ name, network }) => name === wanted.name && network === wanted.network)
  if (known) {
    await addMembers(known.fleetId, wanted.sources, signal)
    return known.fleetId
  }
  const { name, network, sources } = wanted
  return (await createFleet({ name, network, ...sources }, signal)).fleet.fleetId
}

// Rules are checked before there is a fleet, so that a mistake leaves none behind.
const anyFleet = '00000000-0000-4000-8000-000000000000'

/** The three fields of a warning: when, at which limit, and where it is sent. */
function Fields({ subject, onClose }: Props) {
  const conditions = conditionsOf(subject)
  const channels = useQuery(channelsQuery())
  const [draft, setDraft] = useState(() =>
    newDraft({ kind: conditions[0]?.kind as WatchKindName, fleetId: anyFleet }),
  )
  const [chosen, setChosen] = useState<string>()
  const [tried, setTried] = useState(false)
  const facts = factsOf(draft.kind)
  // Who has a channel wants to be told by it.
  const channel = chosen ?? channels.data?.[0]?.channelId ?? ''
  const whole: RuleDraft = {
    ...draft,
    // An alarm names a chain and an address itself; what the visitor calls them stays in this browser.
    name: fleetFor(subject) ? `${facts.title}: ${subject.name}`.slice(0, 80) : '',
    ...targetOf(subject, draft.kind),
    channelIds: channel === '' ? [] : [channel],
  }
  const made = ruleOf(whole)
  const save = useChange<WatchRule, RuleDefinition>(async (rule, signal) => {
    const fleet = fleetFor(subject)
    const fleetId = fleet && (await fleetIdFor(fleet, signal))
    return saveRule(undefined, { ...rule, ...(fleetId !== undefined && { fleetId }) }, signal)
  })
  if (save.data)
    return (
      <div className="flex flex-col gap-3">
        <output>
          Done. “{safeText(save.data.name)}” is checked from now on. Alarms
          {channel === '' ? ' appear under Alarms.' : ' are sent to your channel.'}
        </output>
        <div className="flex flex-wrap gap-2">
          <Link to={paths.rule(save.data.ruleId)} className="control">
            See when it would have fired
          </Link>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    )
  return (
    <Form
      aria-label="Warning"
      className="flex flex-col gap-4"
      onSubmit={() => {
        setTried(true)
        if ('rule' in made) save.mutate(made.rule)
      }}
    >
      <Field label="When" note={facts.summary}>
        <Select
          value={draft.kind}
          options={conditions.map(({ kind, title }) => ({ id: kind as WatchKindName, label: title }))}
          onChange={(kind) => setDraft(withKind(draft, kind, anyFleet))}
        />
      </Field>
      {facts.threshold !== null && (
        <AmountField
          label={facts.threshold.title}
          amount={draft.threshold}
          isTime={facts.unit === 'seconds'}
          wrong={tried && 'wrong' in made ? made.wrong.threshold : undefined}
          onChange={(threshold) => setDraft({ ...draft, threshold })}
        />
      )}
      <Field
        label="Send to"
        note={
          channels.data?.length === 0 && (
            <>
              To get messages by e-mail, chat or phone,{' '}
              <Link to={paths.channels({ add: 'yes' })} className="link">
                add a channel
              </Link>
              .
            </>
          )
        }
      >
        <Select
          value={channel}
          options={[
            ...(channels.data ?? []).map(({ channelId, name, kind }) => ({
              id: channelId,
              label: `${safeText(name)} (${kind})`,
            })),
            { id: '', label: 'Alarms page only' },
          ]}
          onChange={setChosen}
        />
      </Field>
      <FormEnd label="Warn me" request={save} onClose={onClose} />
    </Form>
  )
}

/** The form of a warning, or what is missing to make one. */
function WarnForm(props: Props) {
  const { data, error, refetch } = useQuery(summaryQuery())
  const isSignedIn = useSignedIn() !== undefined
  if (!data)
    return error ? (
      <WatchFailed title="Alarms could not be loaded." error={error} onRetry={refetch} />
    ) : (
      <SkeletonRows count={4} />
    )
  if (data.mayWrite) return <Fields {...props} />
  return (
    <div className="flex flex-col gap-3">
      <p>Alarms are kept by this service, and only its operator can add one.</p>
      {isSignedIn ? <SignedInNote /> : <TokenForm />}
    </div>
  )
}

/** The dialog that sets up an alarm about what a page shows. */
export function WarnDialog(props: Props) {
  return (
    <DialogPopup open onClose={props.onClose} title={`Warn me about ${safeText(props.subject.name)}`}>
      <WarnForm {...props} />
    </DialogPopup>
  )
}
