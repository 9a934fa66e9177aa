import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { SqlTables } from '../../api/sql/sql.ts'
import { Button } from '../../components/controls.tsx'
import { completions, wordBefore, type Word } from './completion.ts'

type Props = {
  value: string
  tables: SqlTables['tables']
  onChange: (sql: string) => void
  onRun: () => void
}

const noWords: readonly Word[] = []

/**
 * The field for a statement. Completions stand below it while a word is typed: Tab takes the first, Escape hides them,
 * and Tab leaves the field as usual when there are none. Ctrl or ⌘ with Enter runs the statement.
 */
export function Editor({ value, tables, onChange, onRun }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number>()
  const hint = useId()
  const words = useMemo(
    () => (caret === undefined ? noWords : completions(tables, value, caret)),
    [tables, value, caret],
  )
  const take = (word: Word): void => {
    const element = field.current
    if (!element) return
    const end = element.selectionStart
    element.focus()
    element.setSelectionRange(end - wordBefore(value, end).length, end)
    element.setRangeText(word.text, element.selectionStart, end, 'end')
    onChange(element.value)
    setCaret(undefined)
  }
  const press = (event: KeyboardEvent): void => {
    const [first] = words
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      setCaret(undefined)
      onRun()
    } else if (event.key === 'Escape') setCaret(undefined)
    else if (event.key === 'Tab' && !event.shiftKey && first) {
      event.preventDefault()
      take(first)
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <textarea
        ref={field}
        aria-label="SQL"
        aria-describedby={hint}
        className="field h-56 w-full resize-y py-2 font-mono text-mono whitespace-pre"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          setCaret(event.target.selectionStart)
        }}
        onKeyDown={press}
        onBlur={(event) => {
          // A completion that is clicked takes the focus for a moment.
          if (event.relatedTarget?.getAttribute('data-completion') == null) setCaret(undefined)
        }}
      />
      <div id={hint} className="flex min-h-7 flex-wrap items-center gap-1 text-xs text-muted">
        {words.length === 0
          ? 'One SELECT in DuckDB’s SQL. Ctrl Enter runs it; Tab completes a word.'
          : words.map((word) => (
              <Button
                key={word.text}
                data-completion=""
                title={word.about}
                small
                className="font-mono"
                onClick={() => take(word)}
              >
                {word.text}
              </Button>
            ))}
      </div>
    </div>
  )
}
