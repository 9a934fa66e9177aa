import { shorten } from '../lib/text.ts'
import { Link } from './link.tsx'

/**
 * A hash, address or id, cut once, in its middle. In a place without room for that the head gives way a whole character
 * at a time, and the end stays: it is what values are told apart by. `short` is its cut form, with one “…”. Its parent
 * must be a flex container, and a link that contains it has the shortened form as its name: read aloud, the two parts
 * would be two words.
 */
function Cut({ short }: { short: string }) {
  const at = short.indexOf('…')
  if (at < 0) return <span className="truncate">{short}</span>
  return (
    <>
      <span className="h-5 min-w-[2ch] overflow-hidden text-right leading-5 break-all whitespace-normal">
        {short.slice(0, at)}
      </span>
      <span className="shrink-0">{short.slice(at)}</span>
    </>
  )
}

type Props = {
  value: string
  /** Where it leads; text if there is nothing. */
  to?: string | undefined
  /** What it is called: a private label or a known name, shown instead of it; empty if it has none. */
  called?: string | undefined
  /** Shows the whole value, which wraps if necessary, also if it has a name. */
  full?: boolean
  /** Its cut form (`Cut`). */
  short?: string
  /** Further classes. */
  className?: string
  /** The font of a value that is shown itself. */
  font?: string
}

/**
 * A hash, address or id: what it is called, else itself, cut or whole, with both in the title. Equal values on a page are
 * highlighted together (HighlightLayer).
 */
export function IdLink({
  value,
  to,
  called = '',
  full = false,
  short = shorten(value),
  className = '',
  font = 'font-mono text-mono',
}: Props) {
  const named = called !== '' && !full
  const face = `min-w-0 ${named ? 'truncate' : `${font} ${full ? 'break-all' : 'inline-flex'}`} ${className}`
  const shared = {
    title: called === '' ? value : `${called} · ${value}`,
    'data-value': value.toLowerCase(),
  }
  const shown = named ? called : full ? value : <Cut short={short} />
  if (to === undefined)
    return (
      <span className={face} {...shared}>
        {shown}
      </span>
    )
  return (
    <Link to={to} className={`link ${face}`} {...shared} {...(!named && !full && { 'aria-label': short })}>
      {shown}
    </Link>
  )
}
