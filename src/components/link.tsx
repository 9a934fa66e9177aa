import { Link as RouterLink, type LinkProps } from 'react-router'
import { prefetch } from '../lib/prefetch.ts'

/** A link inside the dashboard: what it leads to is fetched when the pointer or the focus reaches it. */
export function Link({ to, onPointerEnter, onFocus, ...rest }: LinkProps & { to: string }) {
  return (
    <RouterLink
      {...rest}
      to={to}
      onPointerEnter={(event) => {
        prefetch(to)
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        prefetch(to)
        onFocus?.(event)
      }}
    />
  )
}
