import { useId, useState } from 'react'
import { settings } from '../../lib/storage/settings.ts'
import { Button, Form, Input } from '../../components/controls.tsx'
import { readDays, type Moments } from './read-days.ts'

type Props = {
  onRange: (range: Moments) => void
}

const none = { from: '', to: '' }

/** What the empty fields of a range of days say. */
export const dayPlaceholders = { from: 'From day', to: 'To day' }

/** Filters a list by days, as people write them: from the first second of one to the last second of another. */
export function DayRange({ onRange }: Props) {
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
      placeholder={dayPlaceholders[name]}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong === undefined ? undefined : id}
      className="h-7 w-28"
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
        {field('to', 'Last day')}
        <Button type="submit" small>
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
