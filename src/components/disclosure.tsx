import type { ComponentProps, ReactNode } from 'react'
import { ChevronRightIcon } from './icons.ts'

const summaries = {
  /** A few words below a fact. */
  note: 'w-fit text-xs text-muted',
  /** A line of a list. */
  row: 'min-h-9 py-1.5',
  /** The title of a part. */
  part: 'min-h-10 py-2 font-strong',
} as const

type Props = Omit<ComponentProps<'details'>, 'onToggle'> & {
  /** The line that is always there. */
  readonly summary: ReactNode
  readonly look: keyof typeof summaries
  readonly onOpen?: (isOpen: boolean) => void
}

/**
 * What is folded below a line until somebody opens it; `className` adds to its look. It is the browser's own element: a
 * search in the page opens it, and it works before any script does. Only its chevron is the kit's.
 */
export function Disclosure({ summary, look, onOpen, className = '', children, ...rest }: Props) {
  return (
    <details
      {...rest}
      className={`min-w-0 ${look === 'row' ? 'border-b border-line' : ''} ${className}`}
      {...(onOpen && { onToggle: (event) => onOpen(event.currentTarget.open) })}
    >
      <summary
        className={`flex list-none items-center gap-2 [&::-webkit-details-marker]:hidden ${summaries[look]}`}
      >
        <ChevronRightIcon size={14} className="[[open]>summary>&]:rotate-90" />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">{summary}</span>
      </summary>
      {children}
    </details>
  )
}
