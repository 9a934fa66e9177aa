import { useLayoutEffect, useRef } from 'react'
import { formatInteger } from '../lib/amounts.ts'
import { Link } from './link.tsx'
import { reveal } from './tabs.tsx'

type PageTab = {
  readonly label: string
  readonly to: string
  /** Shown from 1 on. */
  readonly count?: number | undefined
  /** Whether the count is a warning. */
  readonly isHot?: boolean
}

type Props = {
  /** What the pages have in common. */
  label: string
  tabs: readonly PageTab[]
  /** The `to` of the current one. */
  current: string | undefined
}

/** Pages of one subject as tabs below their titles: links, because each has an address and a title of its own. */
export function PageTabs({ label, tabs, current }: Props) {
  const bar = useRef<HTMLElement>(null)
  const isFirst = tabs[0]?.to === current
  // On a phone the bar may be wider than the page, all the more once counts are known.
  useLayoutEffect(() => {
    const link = bar.current?.querySelector('[aria-current]')
    if (bar.current && link && !isFirst) reveal(bar.current, link)
  })
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="scroll-hint mb-4 flex gap-1 overflow-x-auto border-b border-line"
    >
      {tabs.map(({ label: text, to, count = 0, isHot = false }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === current ? 'page' : undefined}
          className="-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-3 whitespace-nowrap text-muted -outline-offset-2! hover:text-text aria-[current]:border-accent aria-[current]:text-text"
        >
          {text}
          {count > 0 && (
            <span
              className={`rounded-full px-1.5 text-xs ${isHot ? 'bg-bad-soft text-bad' : 'bg-hover text-muted'}`}
            >
              {formatInteger(count)}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}

type SwitchProps = Omit<Props, 'tabs'> & {
  /** A tab whose address is not known yet keeps its place. */
  tabs: readonly { readonly label: string; readonly to: string | undefined }[]
}

/** The same beside a title, for pages with tabs of their own. */
export function PageSwitch({ label, tabs, current }: SwitchProps) {
  return (
    <nav aria-label={label} className="flex">
      {tabs.map(({ label: text, to }) => {
        const look = 'control -ml-px rounded-none first:ml-0 first:rounded-l-base last:rounded-r-base'
        return to === undefined ? (
          <span key={text} className={`${look} text-muted`}>
            {text}
          </span>
        ) : (
          <Link
            key={text}
            to={to}
            aria-current={to === current ? 'page' : undefined}
            className={`${look} aria-[current]:z-1`}
          >
            {text}
          </Link>
        )
      })}
    </nav>
  )
}
