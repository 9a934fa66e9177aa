import { useId, useState } from 'react'
import { useStore } from '../../../components/hooks.ts'
import { parseMoment } from '../../../lib/moment.ts'
import { settings } from '../../../lib/storage/settings.ts'

const lastSecondOfDay = 86_399

type Props = {
  label: string
  /** The button's text: “Show”. */
  action: string
  /** Called with Unix seconds: the given day and time, or the end of the day without a time. */
  onMoment: (at: number) => void
}

/** A form for a day with an optional time, in the time zone of the settings. */
export function DateField({ label, action, onMoment }: Props) {
  const id = useId()
  const zone = useStore(settings, (all) => all.zone)
  const [day, setDay] = useState('')
  const [time, setTime] = useState('')
  const moment = parseMoment(time === '' ? day : `${day}T${time}`, zone)
  const at = moment === undefined ? undefined : moment + (time === '' ? lastSecondOfDay : 0)
  return (
    <form
      className="flex max-w-full min-w-0 flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (at === undefined) return
        onMoment(at)
        setDay('')
        setTime('')
      }}
    >
      <label htmlFor={id} className="whitespace-nowrap text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="field h-7"
        style={{ width: 136 }}
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <input
        type="time"
        step={1}
        aria-label={`${label}, time of the day`}
        title={`The end of the day when left out (${zone === 'utc' ? 'UTC' : 'local time'})`}
        className="field h-7"
        style={{ width: 116 }}
        value={time}
        onChange={(event) => setTime(event.target.value)}
      />
      <button type="submit" className="control control-small" disabled={at === undefined}>
        {action}
      </button>
    </form>
  )
}
