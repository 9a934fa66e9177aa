import { useId } from 'react'
import type { Draft, FieldErrors } from './draft.ts'
import { Field } from './field.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { Button } from '../../components/controls.tsx'
import { maxInLink, withoutSpaces } from './draft.ts'

type Props = {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  errors: FieldErrors
  /** Whether this deployment can find the message of a transaction and list messages. */
  finds: boolean
  onMessages: () => void
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
export function WhatToSign({ draft, change, errors, finds, onMessages }: Props) {
  const name = useId()
  const area = (field: 'message' | 'justification', rows: number) => (control: object) => (
    <textarea
      {...control}
      rows={rows}
      spellCheck={false}
      autoComplete="off"
      className="field h-auto w-full resize-y py-1.5 font-mono text-mono break-all"
      value={draft[field]}
      onChange={(event) => change({ [field]: event.target.value })}
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
              ? 'A conversion, a registration or a weight change of an L1: its message and justification are found.'
              : 'This deployment finds the message itself and signs it with its own quorum.'
          }
          beside={
            finds && (
              <Button small onClick={onMessages}>
                Recent messages
              </Button>
            )
          }
        >
          {(control) => (
            <input
              {...control}
              spellCheck={false}
              autoComplete="off"
              className="field font-mono text-mono"
              placeholder="id in cb58"
              value={draft.tx}
              onChange={(event) => change({ tx: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <>
          <Field
            label="Message"
            error={errors.message}
            hint={`The unsigned message in hex, with or without 0x. ${sizeOf(draft.message)}`}
            beside={
              finds && (
                <Button small onClick={onMessages}>
                  Recent messages
                </Button>
              )
            }
          >
            {area('message', 5)}
          </Field>
          <Field
            label="Justification"
            error={errors.justification}
            hint={`What signers of some P-Chain messages want to see, in hex. ${sizeOf(draft.justification)}`}
          >
            {area('justification', 2)}
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
