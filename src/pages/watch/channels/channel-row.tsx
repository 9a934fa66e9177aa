import { useState } from 'react'
import { channelKinds, type WatchChannel } from '../../../../contract/watch/channels.ts'
import { deleteChannel, testChannel } from '../../../api/watch/channels.ts'
import { Pill } from '../../../components/pill.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { ConfirmButton, reasonOf, useChange } from '../shared/acts.tsx'
import { countText } from '../shared/words.ts'
import { Button } from '../../../components/controls.tsx'
import { ChannelForm } from './channel-form.tsx'
import { kindLabels } from './fields.ts'

const labelOf = (kind: string): string => {
  const known = channelKinds.find((each) => each === kind)
  return known === undefined ? kind : kindLabels[known]
}

function Standing({ channel }: { channel: WatchChannel }) {
  const { isEnabled, lastFailure, lastDeliveredTimestamp, pendingCount, deadCount } = channel
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
      {!isEnabled && <Pill state="ended">off</Pill>}
      {lastFailure ? (
        <>
          <Pill state="failed">failing</Pill>
          <span className="wrap-anywhere">
            <TimeAgo at={lastFailure.timestamp} />: {safeText(lastFailure.reason, 300)}
          </span>
        </>
      ) : lastDeliveredTimestamp === undefined ? (
        <span>nothing sent yet</span>
      ) : (
        <span>
          last sent <TimeAgo at={lastDeliveredTimestamp} />
        </span>
      )}
      {pendingCount > 0 && <span>{formatInteger(pendingCount)} waiting</span>}
      {deadCount > 0 && <span className="text-bad">{formatInteger(deadCount)} not delivered</span>}
    </span>
  )
}

/** A channel: where it leads, how the last message went, a test, and its form. */
export function ChannelRow({ channel, mayWrite }: { channel: WatchChannel; mayWrite: boolean }) {
  const [isEditing, setEditing] = useState(false)
  const { channelId, name, kind, target, ruleCount } = channel
  const test = useChange((_: void, signal) => testChannel(channelId, signal))
  if (isEditing)
    return (
      <li className="border-b border-line py-3">
        <ChannelForm channel={channel} onClose={() => setEditing(false)} />
      </li>
    )
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="font-strong wrap-anywhere">{safeText(name)}</span>
          <span className="text-xs wrap-anywhere text-muted">
            {labelOf(kind)} · {safeText(target)} · {countText(ruleCount, 'rule')}
          </span>
        </span>
        <Standing channel={channel} />
        <output
          className={`text-xs ${test.error || test.data?.isDelivered === false ? 'text-bad' : 'text-ok'}`}
        >
          {test.isPending
            ? 'Sending …'
            : test.error
              ? reasonOf(test.error)
              : test.data &&
                (test.data.isDelivered
                  ? `The test arrived after ${formatInteger(test.data.milliseconds)} ms.`
                  : `The test did not arrive: ${safeText(test.data.reason ?? 'no reason given', 300)}`)}
        </output>
      </div>
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          <Button
            small
            disabled={test.isPending}
            aria-label={`Send test to ${name}`}
            onClick={() => test.mutate()}
          >
            Send test
          </Button>
          <Button small aria-label={`Edit ${name}`} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <ConfirmButton
            label="Delete"
            name={`Delete ${name}`}
            title={`Delete ${safeText(name)}`}
            run={(signal) => deleteChannel(channelId, signal)}
          >
            <p>
              {ruleCount === 0
                ? 'No rule sends to it.'
                : `${countText(ruleCount, 'rule')} will no longer send to it.`}{' '}
              What waits for it is dropped.
            </p>
          </ConfirmButton>
        </div>
      )}
    </li>
  )
}
