import type { ComponentProps } from 'react'

type ButtonProps = ComponentProps<'button'> & { readonly small?: boolean }

/** A button with the look of the page's controls; `className` adds to it. */
export function Button({ small = false, className = '', type = 'button', ...rest }: ButtonProps) {
  return <button {...rest} type={type} className={`control ${small ? 'control-small' : ''} ${className}`} />
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void }

/**
 * A form that the page sends itself: the browser does not leave the page. If a field turns out wrong, the first such one
 * gets the focus, as with the browser's own checks.
 */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        onSubmit()
        // After React has marked the fields.
        setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0)
      }}
    />
  )
}

type InputProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  /** For ids, hashes and code: monospaced, without the browser's spell check. */
  readonly mono?: boolean
  readonly onChange: (text: string) => void
}

/** A field for text; `className` adds to its look. */
export function Input({ mono = false, className = '', onChange, ...rest }: InputProps) {
  return (
    <input
      {...(mono && { spellCheck: false })}
      {...rest}
      className={`field ${mono ? 'font-mono text-mono' : ''} ${className}`}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type SelectProps<Id extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  readonly value: string
  /** Ids with their labels; an id alone is its own label. */
  readonly options: readonly (Id | { readonly id: Id; readonly label: string })[]
  readonly onChange: (id: Id) => void
}

/** A native selection of one of `options`; `className` adds to its look. */
export function Select<Id extends string>({ options, onChange, className = '', ...rest }: SelectProps<Id>) {
  const all = options.map((option) => (typeof option === 'string' ? { id: option, label: option } : option))
  return (
    <select
      {...rest}
      className={`field ${className}`}
      onChange={(event) => {
        const chosen = all.find(({ id }) => id === event.target.value)
        if (chosen) onChange(chosen.id)
      }}
    >
      {all.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}
