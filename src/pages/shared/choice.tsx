import { Button } from '../../components/controls.tsx'

type Props<Id extends string> = {
  label: string
  options: readonly { id: Id; label: string }[]
  current: Id
  onChange: (id: Id) => void
}

/** A group of buttons, one of which is selected. */
export function Choice<Id extends string>({ label, options, current, onChange }: Props<Id>) {
  return (
    <fieldset className="m-0 flex min-w-0 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <Button
          key={option.id}
          small
          className="-ml-px rounded-none px-2 first-of-type:ml-0 first-of-type:rounded-l-base last-of-type:rounded-r-base aria-pressed:z-1"
          aria-pressed={option.id === current}
          onClick={() => onChange(option.id)}
        >
          {option.label}
        </Button>
      ))}
    </fieldset>
  )
}
