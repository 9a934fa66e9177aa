type Props<Id extends string> = {
  label: string
  options: readonly { id: Id; label: string; /** Why it cannot be selected. */ not?: string | undefined }[]
  current: Id | null
  onChange: (id: Id) => void
  /** As high as other controls, for a bar above charts. */
  isLarge?: boolean
}

/** A group of buttons, one of which is selected. */
export function Choice<Id extends string>({ label, options, current, onChange, isLarge }: Props<Id>) {
  return (
    <fieldset className="m-0 flex min-w-0 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      {options.map(({ id, label: text, not }) => (
        <button
          key={id}
          type="button"
          className={`control ${isLarge === true ? '' : 'control-small'} -ml-px rounded-none px-2.5 first-of-type:ml-0 first-of-type:rounded-l-base last-of-type:rounded-r-base aria-pressed:z-1`}
          aria-pressed={id === current}
          // Not `disabled`: the reason must be readable by keyboard too.
          aria-disabled={not !== undefined}
          title={not}
          onClick={() => {
            if (not === undefined) onChange(id)
          }}
        >
          <span className={not === undefined ? '' : 'text-muted line-through'}>{text}</span>
        </button>
      ))}
    </fieldset>
  )
}
