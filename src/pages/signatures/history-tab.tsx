import { useState } from 'react'
import { useProfile } from '../../api/current.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Hash } from '../../components/hash.tsx'
import { useStore } from '../../components/hooks.ts'
import { CloseIcon } from '../../components/icons.ts'
import { Pill, type PillState } from '../../components/pill.tsx'
import { EmptyState } from '../../components/states.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { useNetworkLabel } from '../shared/network-crumb.tsx'
import { Button, Input } from '../../components/controls.tsx'
import { bounds, forgetRound, forgetRounds, labelRound, rounds, type Entry } from './history.ts'
import { shareText } from './weight-text.ts'

const looks: Record<Entry['outcome'], PillState> = { signed: 'ok', failed: 'failed', left: 'ended' }
const words: Record<Entry['outcome'], string> = { signed: 'signed', failed: 'failed', left: 'cancelled' }

function Label({ entry }: { entry: Entry }) {
  const [text, setText] = useState(entry.label)
  return (
    <Input
      className="h-7 w-44"
      aria-label={`Label of the round of ${safeText(entry.source ?? entry.tx ?? entry.id, 40)}`}
      placeholder="Private label"
      maxLength={bounds.label}
      value={text}
      onChange={setText}
      onBlur={() => labelRound(entry.id, text)}
    />
  )
}

function Row({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  const network = useNetworkLabel(entry.network)
  const { outcome, tx, messageId, source, kind, signedWeight, totalWeight, signedMessage } = entry
  const openable = tx !== undefined || entry.message !== undefined || entry.justification !== undefined
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2">
      <Pill state={looks[outcome]} {...(entry.error !== undefined && { title: entry.error })}>
        {words[outcome]}
      </Pill>
      <span className="flex min-w-0 flex-1 flex-col" style={{ flexBasis: 260 }}>
        <span className="flex min-w-0 flex-wrap items-center gap-x-3">
          {messageId !== undefined ? (
            <Hash value={messageId} name="message ID" />
          ) : tx !== undefined ? (
            <Hash value={tx} name="transaction ID" />
          ) : (
            <span className="text-muted">not read</span>
          )}
          <span className="truncate text-muted">
            {[source, kind].flatMap((text) => (text === undefined ? [] : [safeText(text, 40)])).join(' · ')}
          </span>
        </span>
        <span className="flex min-w-0 flex-wrap gap-x-3 text-xs text-muted">
          <TimeAgo at={entry.at} />
          <span>{network}</span>
          <span>quorum {entry.quorum} %</span>
          {signedWeight !== undefined && totalWeight !== undefined && (
            <span>{shareText(signedWeight, totalWeight)} signed</span>
          )}
          {entry.signerCount !== undefined && (
            <span>
              {formatInteger(entry.signerCount)} {plural(entry.signerCount, 'signer')}
            </span>
          )}
          {entry.error !== undefined && <span className="truncate">{safeText(entry.error, 120)}</span>}
        </span>
      </span>
      <Label entry={entry} />
      <span className="flex items-center gap-1">
        {signedMessage !== undefined && <CopyButton text={signedMessage} name="signed message" />}
        <Button
          small
          disabled={!openable}
          title={openable ? undefined : 'Its bytes were too many to keep'}
          onClick={onOpen}
        >
          Open
        </Button>
        <button
          type="button"
          className="reach inline-flex size-7 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text"
          aria-label="Remove this round"
          title="Remove this round"
          onClick={() => forgetRound(entry.id)}
        >
          <CloseIcon size={14} />
        </button>
      </span>
    </li>
  )
}

/** The stored rounds of this deployment. */
export function HistoryTab({ onOpen }: { onOpen: (entry: Entry) => void }) {
  const profile = useProfile()?.id ?? ''
  const all = useStore(rounds)
  const own = all.filter((entry) => entry.profile === profile)
  if (own.length === 0)
    return (
      <EmptyState title="No signing history">
        The outcomes of the newest {bounds.entries} rounds are kept here, in this browser only.
      </EmptyState>
    )
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted">
        <span>
          {own.length} {plural(own.length, 'round')}, kept in this browser, never sent
        </span>
        <Button small onClick={() => forgetRounds(profile)}>
          Clear history
        </Button>
      </div>
      <ul aria-label="History" className="border-t border-line">
        {own.map((entry) => (
          <Row key={entry.id} entry={entry} onOpen={() => onOpen(entry)} />
        ))}
      </ul>
    </div>
  )
}
