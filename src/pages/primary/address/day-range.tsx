import { useState } from 'react'
import { useStore } from '../../../components/hooks.ts'
import { momentForms, readMoment } from '../../../lib/moment.ts'
import { settings } from '../../../lib/storage/settings.ts'

const day = 86_400

/** Unix seconds, both exclusive, like the filters of the primary network's lists. */
export type Moments = { after?: number; before?: number }

/** Filters a list by days: from the first second of one to the last second of another. */
export function DayRange({ onRange }: { onRange: (range: Moments) => void }) {
  const zone = useStore(settings, (all) => all.zone)
  const [texts, setTexts] = useState({ from: '', to: '' })
  const [unread, setUnread] = useState(false)
  const from = readMoment(texts.from, zone)?.at
  const last = readMoment(texts.to, zone)
  const to = last && (last.wholeDay ? last.at + day : last.at + 1)
  const reversed = from !== undefined && to !== undefined && from >= to
  const isEmpty = texts.from.trim() === '' && texts.to.trim() === ''
  const field = (name: 'from' | 'to', label: string) => (
    <input
      aria-label={label}
      title={`${label}: ${momentForms} (${zone === 'utc' ? 'UTC' : 'local time'})`}
      placeholder="3 Nov 2025"
      aria-invalid={reversed || unread}
      className="field h-7 w-36"
      value={texts[name]}
      onChange={(event) => {
        setTexts({ ...texts, [name]: event.target.value })
        setUnread(false)
      }}
    />
  )
  return (
    <>
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const isUnread =
            (texts.from.trim() !== '' && from === undefined) || (texts.to.trim() !== '' && to === undefined)
          setUnread(isUnread)
          if (reversed || isUnread) return
          // Both ends are exclusive in the API; a day includes all of its seconds.
          onRange({ ...(from !== undefined && { after: from - 1 }), ...(to !== undefined && { before: to }) })
          setTexts({ from: '', to: '' })
        }}
      >
        {field('from', 'First day')}
        <span className="text-muted">to</span>
        {field('to', 'Last day')}
        <button type="submit" className="control control-small" disabled={isEmpty || reversed}>
          Filter
        </button>
      </form>
      {unread && (
        <span role="alert" className="text-xs text-bad">
          Give days such as {momentForms}.
        </span>
      )}
      {reversed && (
        <span role="alert" className="text-xs text-bad">
          The first day comes after the last one.
        </span>
      )}
    </>
  )
}
