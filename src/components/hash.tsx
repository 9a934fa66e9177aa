import { shorten } from '../lib/text.ts'
import { CopyButton } from './copy-button.tsx'
import { Cut } from './cut.tsx'
import { Link } from './link.tsx'

type Props = {
  value: string
  /** What the value is, for the copy button and screen readers: “transaction hash”. */
  name?: string
  to?: string | undefined
  /** What the value is called: shown instead of it. */
  label?: string | undefined
  /** Shows the whole value; it wraps if necessary. */
  full?: boolean
  copy?: boolean
}

/**
 * A hash or id: shortened, in a monospaced font, with the whole value in the title. Equal values on the page are
 * highlighted together (HighlightLayer).
 */
export function Hash({ value, name = 'hash', to, label, full = false, copy = false }: Props) {
  const text = label || (full ? value : <Cut value={value} />)
  const face = `min-w-0 ${label ? 'truncate' : `font-mono text-mono ${full ? 'break-all' : 'inline-flex'}`}`
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      {to === undefined ? (
        <span className={face} title={value} data-value={value.toLowerCase()}>
          {text}
        </span>
      ) : (
        <Link
          to={to}
          className={`link ${face}`}
          title={value}
          {...(!label && !full && { 'aria-label': shorten(value) })}
          data-value={value.toLowerCase()}
        >
          {text}
        </Link>
      )}
      {copy && <CopyButton text={value} name={name} />}
    </span>
  )
}
