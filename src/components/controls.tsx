import type { ComponentProps, ReactNode } from 'react'

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
  /**
   * What is wrong with the text, in words. Like a field that is `required` and empty, it keeps its form from being sent: the
   * focus moves here, and the browser says why. So the form's button need not be grey.
   */
  readonly wrong?: string | undefined
  readonly onChange: (text: string) => void
}

/** A field for text; `className` adds to its look. */
export function Input({ mono = false, wrong = '', className = '', onChange, ...rest }: InputProps) {
  return (
    <input
      ref={(field) => field?.setCustomValidity(wrong)}
      {...(mono && { spellCheck: false })}
      {...rest}
      className={`field ${mono ? 'font-mono text-mono' : ''} ${className}`}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** An id with its label; an id alone is its own label. */
type Option<Id extends string> = Id | { readonly id: Id; readonly label: string }
type OptionGroup<Id extends string> = { readonly group: string; readonly options: readonly Option<Id>[] }

type SelectProps<Id extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  readonly value: string
  /** The options, or groups of them. A group without options is left out. */
  readonly options: readonly (Option<Id> | OptionGroup<Id>)[]
  readonly onChange: (id: Id) => void
}

function drawn<Id extends string>(one: Option<Id> | OptionGroup<Id>): ReactNode {
  if (typeof one === 'string') return drawn({ id: one, label: one })
  if ('id' in one)
    return (
      <option key={one.id} value={one.id}>
        {one.label}
      </option>
    )
  const { group, options } = one
  return (
    options.length > 0 && (
      <optgroup key={group} label={group}>
        {options.map(drawn)}
      </optgroup>
    )
  )
}

/** A native selection of one of `options`; `className` adds to its look. */
export function Select<Id extends string>({ options, onChange, className = '', ...rest }: SelectProps<Id>) {
  return (
    <select
      {...rest}
      className={`field ${className}`}
      // Its values are the ids of the options.
      onChange={(event) => onChange(event.target.value as Id)}
    >
      {options.map(drawn)}
    </select>
  )
}
