import { FilterChip } from '../../components/table/filter-chip.tsx'
import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { useOffers } from '../../api/current.ts'
import { useZone } from '../../components/hooks.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { momentForms, readMoment } from '../../lib/moment.ts'
import { formatTime } from '../../lib/time.ts'
import { wholeNumberInUrl } from '../../lib/search-params.ts'
import { Button, Form, Input } from '../../components/controls.tsx'

const day = 86_400

/** The start of a list in the URL: a height, or the end of a time. */
export const listRangeSchema = z.object({
  from: wholeNumberInUrl,
  before: wholeNumberInUrl,
})
type ListRange = z.infer<typeof listRangeSchema>

/** The range as parameters of list queries. */
export const placeOf = (range: ListRange): { height?: number | undefined; before?: number | undefined } => ({
  height: range.from,
  before: range.before,
})

type Props = {
  range: ListRange
  onChange: (range: ListRange) => void
  /** Whether every deployment supports a start of this list, not only a Ridgeline service. */
  everywhere?: boolean
}

const hint = `A height such as 1200, or a date: ${momentForms}`

/** Jumps a list to a height or a date; the applied one is a removable chip. */
export function RangeJump({ range, onChange, everywhere = false }: Props) {
  const id = useId()
  const offered = useOffers('listChainStatus')
  const zone = useZone()
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const submit = (): void => {
    const digits = text.replace(/[,_\s]/g, '')
    const moment = readMoment(text, zone)
    if (/^\d{1,8}$/.test(digits)) onChange({ from: Number(digits), before: undefined })
    else if (moment !== undefined)
      // A date without a time includes the whole day, so the list starts at its end.
      onChange({
        from: undefined,
        before: moment.at + (moment.wholeDay ? day : 1),
      })
    else {
      setWrong(true)
      return
    }
    setText('')
    setWrong(false)
  }
  const chip =
    range.from !== undefined
      ? `From block ${formatInteger(range.from)} down`
      : range.before !== undefined
        ? `Before ${formatTime(range.before, zone)}`
        : undefined
  // Other services list from the newest on only.
  if (!offered && !everywhere) return null
  return (
    <>
      <Form className="flex items-center gap-2" onSubmit={submit}>
        <label htmlFor={id} className="text-muted max-md:sr-only">
          Jump to
        </label>
        <Input
          id={id}
          className="h-7 w-32"
          placeholder="height or date"
          title={hint}
          required
          value={text}
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-wrong` : undefined}
          onChange={(typed) => {
            setText(typed)
            setWrong(false)
          }}
        />
        <Button type="submit" small>
          Jump
        </Button>
      </Form>
      {wrong && (
        <span id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          Give a height or a date like 2025-11-03.
        </span>
      )}
      {chip !== undefined && (
        <FilterChip text={chip} onRemove={() => onChange({ from: undefined, before: undefined })} />
      )}
    </>
  )
}
