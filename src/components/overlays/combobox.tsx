// No native element is a text field with a live list of rich entries, so ARIA roles are used.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react'

export type Choice = {
  id: string
  title: string
  detail?: string | undefined
  icon?: ReactNode
  /** Shown beside the title, such as a warning. */
  mark?: ReactNode
  onChoose: () => void
}
export type ChoiceGroup = { label: string; choices: readonly Choice[] }

type Props = {
  label: string
  placeholder: string
  value: string
  onValue: (value: string) => void
  groups: readonly ChoiceGroup[]
  /** Called on Enter without a selected entry. */
  onSubmit: (value: string) => void
  /** Called after a selection or Escape. */
  onDone: () => void
  /** Text below the entries: the state of the search, or why nothing was found. */
  status?: string | undefined
  /** Whether the list floats below the field, or is part of the layout (in a dialog). */
  floating: boolean
  /** For a narrow field of a bar: below 1024 px the floating list is as wide as the positioned ancestor, below it. */
  spans?: boolean
  /** Shows titles and details in full, below each other where they do not fit side by side. */
  wraps?: boolean
  icon: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

/** A search field with a list below it, following the ARIA combobox pattern: the focus stays in the field. */
export function Combobox(props: Props) {
  const {
    label,
    placeholder,
    value,
    onValue,
    groups,
    onSubmit,
    onDone,
    status,
    floating,
    icon,
    spans = false,
    wraps = false,
  } = props
  const { inputRef } = props
  const base = useId()
  const [open, setOpen] = useState(!floating)
  const [chosen, setChosen] = useState<string | null>(null)
  const flat = groups.flatMap((group) => group.choices)
  const at = flat.findIndex((choice) => choice.id === chosen)
  const shown = open && (flat.length > 0 || status !== undefined)

  const finish = (): void => {
    setChosen(null)
    if (floating) setOpen(false)
    onDone()
  }
  const choose = (choice: Choice): void => {
    finish()
    choice.onChoose()
  }
  const move = (index: number): void => {
    const next = flat[(index + flat.length) % flat.length]
    if (!next) return
    setOpen(true)
    setChosen(next.id)
    document.getElementById(`${base}-${next.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(at + 1)
    else if (event.key === 'ArrowUp') move(at <= 0 ? flat.length - 1 : at - 1)
    else if (event.key === 'Enter') {
      const choice = flat[at] ?? (floating ? undefined : flat[0])
      if (choice) choose(choice)
      else if (value.trim() !== '') {
        finish()
        onSubmit(value.trim())
      }
    } else if (event.key === 'Escape' && floating) {
      // The browser's own answer is to clear the field, and the change would open the list again.
      if (shown) setOpen(false)
      else event.currentTarget.blur()
    } else return
    event.preventDefault()
  }

  return (
    <div
      className={`flex min-w-0 flex-1 flex-col ${spans ? 'lg:relative' : 'relative'}`}
      onBlur={(event) => {
        if (floating && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <div className={`flex items-center gap-2 ${floating ? 'relative' : 'border-b border-line px-4'}`}>
        <span className={`pointer-events-none text-muted ${floating ? 'absolute left-2.5' : ''}`}>
          {icon}
        </span>
        <input
          ref={inputRef}
          type="search"
          role="combobox"
          aria-label={label}
          aria-expanded={shown}
          aria-controls={`${base}-list`}
          aria-autocomplete="list"
          aria-activedescendant={flat[at] ? `${base}-${flat[at].id}` : undefined}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setOpen(true)
            setChosen(null)
            onValue(event.target.value)
          }}
          onKeyDown={onKeyDown}
          className={`w-full min-w-0 [&::-webkit-search-cancel-button]:hidden ${
            floating ? 'field pr-9 pl-8' : 'h-12 bg-transparent outline-none'
          }`}
        />
      </div>
      {shown && (
        <div
          className={`overflow-y-auto p-1 ${
            floating
              ? `absolute top-full z-50 mt-1 max-h-[70vh] rounded-base border border-line bg-raised shadow-float ${spans ? 'inset-x-4 lg:inset-x-0' : 'inset-x-0'}`
              : 'max-h-[56vh]'
          }`}
        >
          <div id={`${base}-list`} role="listbox" aria-label={label}>
            {groups.map((group) =>
              group.choices.length === 0 ? null : (
                <div key={group.label} role="group" aria-label={group.label}>
                  <div className="px-2 pt-2 pb-1 text-xs text-muted">{group.label}</div>
                  {group.choices.map((choice) => (
                    // The field keeps the focus and handles keys; options only handle the pointer.
                    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                    <div
                      key={choice.id}
                      id={`${base}-${choice.id}`}
                      role="option"
                      aria-selected={choice.id === chosen}
                      onPointerDown={(event) => event.preventDefault()}
                      onPointerMove={() => setChosen(choice.id)}
                      onClick={() => choose(choice)}
                      className={`flex min-h-9 cursor-default items-center gap-x-2.5 rounded-small px-2 py-1 aria-selected:bg-hover ${wraps ? 'flex-wrap' : ''}`}
                    >
                      <span className="text-muted empty:hidden">{choice.icon}</span>
                      <span
                        className={
                          wraps
                            ? 'max-w-full flex-auto wrap-anywhere'
                            : choice.detail
                              ? 'max-w-[60%] shrink-0 truncate'
                              : 'min-w-0 flex-1 truncate'
                        }
                      >
                        {choice.title}
                      </span>
                      {choice.mark}
                      {choice.detail && (
                        <span
                          className={`text-xs text-muted ${wraps ? 'max-w-full' : 'min-w-0 flex-1 truncate text-right'}`}
                        >
                          {choice.detail}
                        </span>
                      )}
                    </div>
                  ))}
                </div>
              ),
            )}
          </div>
          {status !== undefined && <output className="block px-2 py-2 text-muted">{status}</output>}
        </div>
      )}
    </div>
  )
}
