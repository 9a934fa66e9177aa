import { useId, useState } from 'react'
import { useZone } from '../../../components/hooks.ts'
import { momentForms, readMoment } from '../../../lib/moment.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'

const lastSecondOfDay = 86_399

type Props = {
  label: string
  /** The button's text: “Show”. */
  action: string
  /** Called with Unix seconds: the given moment, or the end of the day if no time was given. */
  onMoment: (at: number) => void
}

/** A form for a day, with or without a time, as people write it, in the time zone of the settings. */
export function DateField({ label, action, onMoment }: Props) {
  const id = useId()
  const zone = useZone()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  return (
    <Form
      className="flex max-w-full min-w-0 flex-wrap items-center gap-2"
      onSubmit={() => {
        const moment = readMoment(text, zone)
        setWrong(moment === undefined)
        if (moment === undefined) return
        onMoment(moment.wholeDay ? moment.at + lastSecondOfDay : moment.at)
        setText('')
      }}
    >
      <label htmlFor={id} className="whitespace-nowrap text-muted">
        {label}
      </label>
      <Input
        id={id}
        className="h-7 w-38"
        placeholder="date or time"
        title={`${momentForms}; the end of the day without a time (${zone === 'utc' ? 'UTC' : 'local time'})`}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        value={text}
        onChange={(typed) => {
          setText(typed)
          setWrong(false)
        }}
      />
      <Button type="submit" small>
        {action}
      </Button>
      {wrong && (
        <span id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          Give a date such as {momentForms}.
        </span>
      )}
    </Form>
  )
}
