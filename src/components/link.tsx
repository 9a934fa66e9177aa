import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'
import { prefetch } from '../lib/prefetch.ts'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path of the dashboard. */
  readonly to: string
  /** Whether it replaces the current history entry. */
  readonly replace?: boolean
}

/** A link inside the dashboard: hover and focus prefetch its page. */
export function Link({
  to,
  replace = false,
  children,
  onClick,
  onPointerEnter,
  onFocus,
  ...rest
}: LinkProps) {
  const href = useHref(to)
  const { target } = rest
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, {
    replace,
    ...(target !== undefined && { target }),
  })
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
      onPointerEnter={(event) => {
        prefetch(to)
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        prefetch(to)
        onFocus?.(event)
      }}
    >
      {children}
    </a>
  )
}
