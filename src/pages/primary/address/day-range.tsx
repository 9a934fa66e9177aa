import { useState } from 'react'
import { useStore } from '../../../components/hooks.ts'
import { parseMoment } from '../../../lib/moment.ts'
import { settings } from '../../../lib/storage/settings.ts'

const day = 86_400

/** Unix seconds, both exclusive, like the filters of the primary network's lists. */
export type Moments = { after?: number; before?: number }

/** Filters a list by days: from the first second of one to the last second of another. */
export function DayRange({ onRange }: { onRange: (range: Moments) => void }) {
  const zone = useStore(settings, (all) => all.zone)
  const [texts, setTexts] = useState({ from: '', to: '' })
  const from = parseMoment(texts.from, zone)
  const to = parseMoment(texts.to, zone)
  const reversed = from !== undefined && to !== undefined && from > to
  const field = (name: 'from' | 'to', label: string) => (
    <input
      type="date"
      aria-label={label}
      title={`${label} (${zone === 'utc' ? 'UTC' : 'local time'})`}
      aria-invalid={reversed}
      className="field h-7"
      style={{ width: 132 }}
      value={texts[name]}
      onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
    />
  )
  return (
    <>
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (reversed) return
          // Both ends are exclusive in the API; a day includes all of its seconds.
          onRange({
            ...(from !== undefined && { after: from - 1 }),
            ...(to !== undefined && { before: to + day }),
          })
          setTexts({ from: '', to: '' })
        }}
      >
        {field('from', 'First day')}
        <span className="text-muted">to</span>
        {field('to', 'Last day')}
        <button
          type="submit"
          className="control control-small"
          disabled={(from === undefined && to === undefined) || reversed}
        >
          Filter
        </button>
      </form>
      {reversed && (
        <span role="alert" className="text-xs text-bad">
          The first day comes after the last one.
        </span>
      )}
    </>
  )
}
