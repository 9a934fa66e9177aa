import { CopyButton } from './copy-button.tsx'
import { IdLink } from './id-link.tsx'

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

/** A hash or id: shortened, in a monospaced font, with the whole value in the title. */
export function Hash({ value, name = 'hash', to, label = '', full = false, copy = false }: Props) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <IdLink value={value} to={to} called={label} full={full && label === ''} />
      {copy && <CopyButton text={value} name={name} />}
    </span>
  )
}
