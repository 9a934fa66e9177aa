import { useId, useState } from 'react'
import { settings } from '../../lib/storage/settings.ts'
import { Button, Form, Input } from '../../components/controls.tsx'
import { readDays, type Moments } from './read-days.ts'

type Props = {
  onRange: (range: Moments) => void
  disabled?: boolean
  /** The id of the text that says why it is disabled. */
  describedBy?: string | undefined
}

const none = { from: '', to: '' }

/** Filters a list by days, as people write them: from the first second of one to the last second of another. */
export function DayRange({ onRange, disabled = false, describedBy }: Props) {
  const id = useId()
  const [texts, setTexts] = useState(none)
  const [wrong, setWrong] = useState<string>()
  const submit = (): void => {
    const read = readDays(texts, settings.get().zone)
    if (typeof read === 'string') {
      setWrong(read)
      return
    }
    onRange(read)
    setTexts(none)
  }
  const field = (name: keyof typeof texts, label: string) => (
    <Input
      aria-label={label}
      title={label}
      placeholder="3 Nov 2025"
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong === undefined ? describedBy : id}
      disabled={disabled}
      className="h-7 w-32"
      value={texts[name]}
      onChange={(typed) => {
        setTexts({ ...texts, [name]: typed })
        setWrong(undefined)
      }}
    />
  )
  return (
    <>
      <Form className="flex flex-wrap items-center gap-2" onSubmit={() => void submit()}>
        {field('from', 'First day')}
        <span className="text-muted">to</span>
        {field('to', 'Last day')}
        <Button type="submit" small disabled={disabled || (texts.from + texts.to).trim() === ''}>
          Filter
        </Button>
      </Form>
      {wrong !== undefined && (
        <span id={id} role="alert" className="text-xs text-bad">
          {wrong}
        </span>
      )}
    </>
  )
}
