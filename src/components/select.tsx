import type { ComponentProps } from 'react'

type Props<Id extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  readonly value: NoInfer<Id> | ''
  readonly options: readonly { readonly id: Id; readonly label: string }[]
  readonly onChange: (id: Id) => void
}

/** A native selection of one of `options`; `className` adds to its look. */
export function Select<Id extends string>({ options, onChange, className = '', ...rest }: Props<Id>) {
  return (
    <select
      {...rest}
      className={`field ${className}`}
      onChange={(event) => {
        const chosen = options.find(({ id }) => id === event.target.value)
        if (chosen) onChange(chosen.id)
      }}
    >
      {options.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}
