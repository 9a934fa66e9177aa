import { useState } from 'react'
import { FilterChip } from '../../../components/table/filter-chip.tsx'
import { Button, Form, Input } from '../../../components/controls.tsx'
import { upperBound } from './bins.ts'
import { bounds, type BoundName, type ValidatorsSearch } from './filters.ts'

type Props = { search: ValidatorsSearch; onChange: (patch: Partial<ValidatorsSearch>) => void }

/** The applied filters as the fields' texts. */
const textsOf = (search: ValidatorsSearch): Readonly<Record<string, string>> =>
  Object.fromEntries(
    bounds.flatMap(({ min, max }) => [[min, search[min] ?? ''] as const, [max, search[max] ?? ''] as const]),
  )
const isFigure = (text: string): boolean => /^\d{1,12}(\.\d{1,9})?$/.test(text)

/** Bounds of capacity, time, fee and uptime, effective once they are applied. */
export function FilterPanel({ search, onChange }: Props) {
  const held = JSON.stringify(textsOf(search))
  const [seen, setSeen] = useState(held)
  const [texts, setTexts] = useState(textsOf(search))
  // Removing a chip clears its field too.
  if (seen !== held) {
    setSeen(held)
    setTexts(textsOf(search))
  }
  const field = (name: BoundName, label: string, placeholder: string) => (
    <Input
      inputMode="decimal"
      className="h-7"
      style={{ width: 84 }}
      aria-label={label}
      placeholder={placeholder}
      value={texts[name] ?? ''}
      wrong={
        texts[name] === '' || isFigure(texts[name] ?? '') ? '' : 'Give a plain number such as 25 or 99.5.'
      }
      onChange={(typed) => setTexts({ ...texts, [name]: typed.trim() })}
    />
  )
  return (
    <Form
      aria-label="Filters"
      className="mb-3 flex flex-wrap items-end gap-x-6 gap-y-3 rounded-base border border-line p-3"
      onSubmit={() =>
        onChange(
          Object.fromEntries(
            Object.entries(texts).map(([name, text]) => [name, text === '' ? undefined : text]),
          ),
        )
      }
    >
      {bounds.map(({ id, label, unit, min, max }) => (
        <fieldset key={id} className="flex items-center gap-2">
          <legend className="pb-1 text-xs text-muted">
            {label}, {unit}
          </legend>
          {field(min, `${label}, at least (${unit})`, 'at least')}
          <span className="text-muted">to</span>
          {field(max, `${label}, at most (${unit})`, 'at most')}
        </fieldset>
      ))}
      <Button type="submit" small>
        Apply
      </Button>
    </Form>
  )
}

/** The applied bounds as removable chips. */
export function FilterChips({ search, onChange }: Props) {
  return bounds.flatMap(({ label, unit, min, max }) => [
    search[min] !== undefined && (
      <FilterChip
        key={min}
        text={`${label} at least ${search[min]} ${unit}`}
        onRemove={() => onChange({ [min]: undefined })}
      />
    ),
    search[max] !== undefined && (
      <FilterChip
        key={max}
        text={`${label} ${upperBound(search[max])} ${unit}`}
        onRemove={() => onChange({ [max]: undefined })}
      />
    ),
  ])
}
