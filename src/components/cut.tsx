import { shorten } from '../lib/text.ts'

type Props = {
  value: string
  /** The shortened form, with one “…”; by default 8 and 6 characters. */
  short?: string
}

/**
 * A hash, address or id, cut once, in its middle. In a place without room for that the head gives way a whole character
 * at a time, and the end stays: it is what values are told apart by. Its parent must be a flex container, and a link that
 * contains it has the shortened form as its name: read aloud, the two parts would be two words.
 */
export function Cut({ value, short = shorten(value) }: Props) {
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
