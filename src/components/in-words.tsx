import type { ReactNode } from 'react'

/** What a figure says in words where there is none: smaller than a figure, and muted. */
export const inWords = (words: string, title?: string): ReactNode => (
  <span className="text-sm font-normal text-muted" title={title}>
    {words}
  </span>
)
