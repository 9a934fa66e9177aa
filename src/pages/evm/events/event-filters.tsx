import { useId, useState } from 'react'
import { Button, Form, Input, Select } from '../../../components/controls.tsx'
import { safeText } from '../../../lib/text.ts'
import { nameIn } from '../abi-text.ts'
import { hintOf } from '../functions/arguments.ts'
import { indexedOf, isFilterable, topicOf, type DeclaredEvent } from './topics.ts'

/** The event of a list, and what its indexed arguments must be, as typed: the first at index 0. */
type Wanted = { readonly event: string | undefined; readonly typed: readonly (string | undefined)[] }

type Props = {
  events: readonly DeclaredEvent[]
  wanted: Wanted
  onChange: (wanted: Wanted) => void
}

function Arguments({ event, wanted, onChange }: { event: DeclaredEvent } & Omit<Props, 'events'>) {
  const id = useId()
  const inputs = indexedOf(event)
  const [typed, setTyped] = useState(() => inputs.map((_, index) => wanted.typed[index] ?? ''))
  const [wrong, setWrong] = useState<readonly (string | undefined)[]>([])
  const shown = inputs.flatMap((input, index) => (isFilterable(input.type) ? [{ input, index }] : []))
  if (shown.length === 0) return null
  const submit = (): void => {
    const errors = inputs.map(({ type }, index) => {
      const text = typed[index] ?? ''
      const topic = text.trim() === '' ? undefined : topicOf(text, type)
      return topic && 'wrong' in topic ? topic.wrong : undefined
    })
    setWrong(errors)
    if (errors.every((error) => error === undefined))
      onChange({ event: event.topic0, typed: typed.map((text) => text.trim() || undefined) })
  }
  return (
    <Form aria-label="Arguments" className="flex flex-wrap items-start gap-2" onSubmit={submit}>
      {shown.map(({ input, index }) => {
        const error = wrong[index]
        return (
          <span key={index} className="flex flex-col">
            <Input
              mono
              className="control-small w-56"
              aria-label={safeText(input.name, 40) || `argument ${index + 1}`}
              placeholder={`${safeText(input.name, 20)} ${hintOf(input.type)}`}
              autoComplete="off"
              value={typed[index] ?? ''}
              aria-invalid={error !== undefined}
              aria-describedby={error === undefined ? undefined : `${id}-${index}`}
              onChange={(text) => setTyped(typed.map((now, at) => (at === index ? text : now)))}
            />
            {error !== undefined && (
              <span id={`${id}-${index}`} role="alert" className="text-xs text-bad">
                {error}
              </span>
            )}
          </span>
        )
      })}
      <Button type="submit" small>
        Filter
      </Button>
    </Form>
  )
}

/** Narrows the events of a contract to one of its ABI, and to the values of its indexed arguments. */
export function EventFilters({ events, wanted, onChange }: Props) {
  const event = events.find(({ topic0 }) => topic0 === wanted.event)
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        aria-label="Event"
        className="control-small"
        value={wanted.event ?? ''}
        options={[
          { id: '', label: 'All events' },
          ...events.map(({ topic0, signature }) => ({ id: topic0, label: safeText(nameIn(signature), 60) })),
        ]}
        onChange={(next) => onChange({ event: next === '' ? undefined : next, typed: [] })}
      />
      {event && <Arguments key={event.topic0} event={event} wanted={wanted} onChange={onChange} />}
    </div>
  )
}
