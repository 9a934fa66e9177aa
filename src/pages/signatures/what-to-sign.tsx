import { useId } from 'react'
import type { Draft, FieldErrors } from './draft.ts'
import { Field } from './field.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { maxInLink, withoutSpaces } from './draft.ts'

type Props = {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  errors: FieldErrors
  /** Whether this deployment can find the message of a transaction and list messages. */
  finds: boolean
}

const ways = [
  { id: 'message', label: 'A message' },
  { id: 'transaction', label: 'A transaction of the P-Chain' },
] as const

const sizeOf = (text: string): string => {
  const bytes = Math.ceil(withoutSpaces(text).replace(/^0x/i, '').length / 2)
  return bytes === 0 ? '' : `${formatInteger(bytes)} bytes`
}

/** The input of the message to sign: pasted bytes, or the transaction that emitted it. */
export function WhatToSign({ draft, change, errors, finds }: Props) {
  const name = useId()
  const area = (control: object) => (
    <textarea
      {...control}
      rows={5}
      spellCheck={false}
      autoComplete="off"
      className="field h-auto w-full resize-y py-1.5 font-mono text-mono break-all"
      value={draft.message}
      onChange={(event) => change({ message: event.target.value })}
    />
  )
  const long = draft.message.length > maxInLink || draft.justification.length > maxInLink
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <legend className="float-left pr-6 text-muted max-md:w-full">What to sign</legend>
        {ways.map(({ id, label }) => (
          <label key={id} className="flex min-h-8 items-center gap-2">
            <input
              type="radio"
              name={name}
              className="size-4 accent-accent"
              checked={draft.by === id}
              onChange={() => change({ by: id })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {draft.by === 'transaction' ? (
        <Field
          label="Transaction"
          error={errors.tx}
          hint={
            finds
              ? 'Of an L1: its conversion, a registration or a weight change.'
              : 'This deployment signs with its own quorum.'
          }
        >
          {(control) => (
            <input
              {...control}
              spellCheck={false}
              autoComplete="off"
              className="field font-mono text-mono"
              placeholder="ID in cb58"
              value={draft.tx}
              onChange={(event) => change({ tx: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <>
          <Field label="Message" error={errors.message} hint={`Unsigned, in hex. ${sizeOf(draft.message)}`}>
            {area}
          </Field>
          {long && (
            <p className="text-xs text-muted">
              A link to this form leaves out what is longer than {formatInteger(maxInLink)} characters.
            </p>
          )}
        </>
      )}
    </div>
  )
}
