import type { KeyboardEvent, ReactNode } from 'react'
import { useId, useLayoutEffect, useRef } from 'react'

export type Tab<Id extends string> = { id: Id; label: string; count?: number | string | undefined }

/** Scrolls a bar sideways as far as one of its items, if this ends beyond it. */
export function reveal(bar: Element, item: Element): void {
  const over = item.getBoundingClientRect().right - bar.getBoundingClientRect().right
  if (over > 0) bar.scrollLeft += over
}

type Props<Id extends string> = {
  label: string
  tabs: readonly Tab<Id>[]
  current: Id
  /** Called on a choice; the caller writes it to the URL. */
  onChange: (id: Id) => void
  children: ReactNode
}

/**
 * Tabs following the ARIA pattern: arrow keys, Home and End select at once. The panel itself is not a tab stop: what it
 * contains is.
 */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: Props<Id>) {
  const base = useId()
  const isFirst = tabs[0]?.id === current
  const shape = [current, ...tabs.map(({ label: text, count }) => `${text} ${count}`)].join('/')
  const shown = useRef('')
  useLayoutEffect(() => {
    // Tabs wider than the page scroll to keep the current one visible, also when a count makes them wider. The first one
    // is at first: measuring it would lay out the page a second time before it is painted.
    const opens = shown.current === ''
    if (shown.current === shape) return
    shown.current = shape
    if (opens && isFirst) return
    const tab = document.getElementById(`${base}-${current}`)
    const list = tab?.parentElement
    if (!tab || !list) return
    reveal(list, tab)
  }, [base, current, isFirst, shape])
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = tabs.findIndex((tab) => tab.id === current)
    const steps: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const next = tabs[steps[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    document.getElementById(`${base}-${next.id}`)?.focus()
  }
  return (
    <div className="flex min-w-0 flex-col">
      <div
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        className="scroll-hint flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${base}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === current}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChange(tab.id)}
            className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-3 whitespace-nowrap text-muted -outline-offset-2! hover:text-text aria-selected:border-accent aria-selected:text-text"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded-full bg-hover px-1.5 text-xs text-muted">{tab.count}</span>
            )}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${current}`}
        tabIndex={-1}
        className="min-w-0 pt-4 focus-visible:outline-offset-4"
      >
        {children}
      </div>
    </div>
  )
}
