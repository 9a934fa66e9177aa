import { useId, useRef, useState, type KeyboardEvent } from 'react'
import type { NodeMethod } from '../../../../contract/node/node-methods.ts'
import type { NodeTarget } from '../../../api/node/node-targets.ts'
import { completingAt, matches, type Completing } from './completion.ts'
import { nameOn } from '../../../api/node/node-request.ts'

const mostShown = 8

type Props = {
  text: string
  names: NodeTarget['names']
  isWrong: boolean
  /** The id of the element that describes the error. */
  describedBy: string
  onText: (text: string) => void
  /** Called when a method was completed, so that its example can be inserted. */
  onMethod: (method: NodeMethod) => void
  onSend: () => void
}

/** A text field for calls: it completes method names, and Ctrl+Enter sends. */
export function Editor({ text, names, isWrong, describedBy, onText, onMethod, onSend }: Props) {
  const base = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [completing, setCompleting] = useState<Completing>()
  const [chosen, setChosen] = useState(0)
  const found = completing ? matches(completing.typed, names, mostShown) : []
  const exact = found.length === 1 && found[0] && nameOn(found[0], names) === completing?.typed
  const shown = completing !== undefined && found.length > 0 && !exact

  const look = (element: HTMLTextAreaElement): void => {
    const next =
      element.selectionStart === element.selectionEnd
        ? completingAt(element.value, element.selectionStart)
        : undefined
    if (next?.typed !== completing?.typed) setChosen(0)
    setCompleting(next)
  }
  const complete = (method: NodeMethod): void => {
    if (!completing) return
    const name = nameOn(method, names)
    onText(`${text.slice(0, completing.from)}${name}${text.slice(completing.to)}`)
    setCompleting(undefined)
    onMethod(method)
    const caret = completing.from + name.length
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend()
    else if (!shown) return
    else if (event.key === 'ArrowDown') setChosen((chosen + 1) % found.length)
    else if (event.key === 'ArrowUp') setChosen((chosen - 1 + found.length) % found.length)
    else if (event.key === 'Escape') setCompleting(undefined)
    else if (event.key === 'Enter') {
      const method = found[chosen]
      if (method) complete(method)
    } else return
    event.preventDefault()
  }
  return (
    <div className="relative flex min-w-0 flex-col">
      <textarea
        ref={field}
        aria-label="Calls as JSON"
        aria-autocomplete="list"
        aria-controls={shown ? `${base}-list` : undefined}
        aria-activedescendant={shown ? `${base}-${chosen}` : undefined}
        aria-invalid={isWrong}
        aria-describedby={describedBy}
        className="field h-64 resize-y py-2 font-mono text-mono"
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        onChange={(event) => {
          onText(event.target.value)
          look(event.target)
        }}
        onSelect={(event) => look(event.currentTarget)}
        onBlur={() => setCompleting(undefined)}
        onKeyDown={onKeyDown}
      />
      {shown && (
        // No native element is a list of completions for a multi-line text field.
        // oxlint-disable jsx-a11y/prefer-tag-over-role
        <div
          id={`${base}-list`}
          role="listbox"
          aria-label="Methods"
          className="absolute top-full right-0 left-0 z-30 mt-1 max-h-72 overflow-y-auto rounded-base border border-line bg-raised p-1 shadow-float"
        >
          {found.map((method, index) => (
            // The field keeps the focus and handles keys; options only handle the pointer.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={`${method.endpoint} ${method.method}`}
              id={`${base}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setChosen(index)}
              onClick={() => complete(method)}
              className="flex min-h-8 cursor-default flex-wrap items-center gap-x-3 rounded-small px-2 aria-selected:bg-hover"
            >
              <span className="font-mono text-mono">{nameOn(method, names)}</span>
              <span className="min-w-0 truncate text-xs text-muted">{method.summary}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
