import { useId, type ReactNode } from 'react'

/** The attributes of a form control that connect it with its label, hint and error. */
type ControlProps = {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

type Props = {
  label: string
  /** Shown beside the label. */
  beside?: ReactNode
  hint?: ReactNode
  error?: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** A labelled control with its hint and error. */
export function Field({ label, beside, hint, error, children }: Props) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4">
        <label htmlFor={id}>{label}</label>
        {beside}
      </div>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-xs break-words text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
