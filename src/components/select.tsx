import type { ComponentProps } from 'react'

type Props<Id extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  readonly value: string
  /** Ids with their labels; an id alone is its own label. */
  readonly options: readonly (Id | { readonly id: Id; readonly label: string })[]
  readonly onChange: (id: Id) => void
}

/** A native selection of one of `options`; `className` adds to its look. */
export function Select<Id extends string>({ options, onChange, className = '', ...rest }: Props<Id>) {
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
