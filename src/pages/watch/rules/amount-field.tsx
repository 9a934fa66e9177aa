import type { ReactNode } from 'react'
import { timeUnits } from '../shared/words.ts'
import { Select, Input } from '../../../components/controls.tsx'
import type { Amount } from './draft.ts'

type Props = {
  label: string
  note?: ReactNode
  wrong?: string | undefined
  amount: Amount
  /** Whether the amount is a length of time, with a unit to choose; else a plain number. */
  isTime: boolean
  onChange: (amount: Amount) => void
}

/** A number with its unit; what is wrong stands below it. */
export function AmountField({ label, note, wrong, amount, isTime, onChange }: Props) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-1 border-0 p-0">
      <legend className="pb-1 text-xs text-muted">{label}</legend>
      <span className="flex gap-2">
        <Input
          className="w-24"
          inputMode="decimal"
          aria-label={label}
          aria-invalid={wrong !== undefined}
          value={amount.text}
          onChange={(typed) => onChange({ ...amount, text: typed })}
        />
        {isTime && (
          <Select
            aria-label={`Unit of ${label}`}
            value={amount.unit}
            options={timeUnits}
            onChange={(unit) => onChange({ ...amount, unit })}
          />
        )}
      </span>
      {wrong === undefined ? (
        note !== undefined && <span className="text-xs text-muted">{note}</span>
      ) : (
        <span role="alert" className="text-xs text-bad">
          {wrong}
        </span>
      )}
    </fieldset>
  )
}
