import { useId, useState } from 'react'
import { useZone } from '../../../components/hooks.ts'
import { momentForms, parseMoment, readMoment } from '../../../lib/moment.ts'
import { formatTime, type Zone } from '../../../lib/time.ts'
import { toSmallestUnit } from '../../shared/decimal.ts'
import { Button, Form, Input } from '../../../components/controls.tsx'
import type { WindowState } from './windows.ts'

const DAY = 86_400

/** A moment as the form takes it: a bare day where it begins one (or ends one, for the end of a window). */
function shown(at: number | undefined, zone: Zone, end: boolean): string {
  if (at === undefined) return ''
  const day = formatTime(end ? at - DAY : at, zone).slice(0, 10)
  const midnight = parseMoment(day, zone)
  if (midnight !== undefined && midnight === (end ? at - DAY : at)) return day
  return formatTime(at, zone).replace(/ (UTC|[+-]\d\d:\d\d)$/, '')
}

/** Text as a moment: undefined if empty, null if it is not a date. A day as an end includes the whole day. */
function read(text: string, zone: Zone, end: boolean): number | undefined | null {
  if (text.trim() === '') return undefined
  const moment = readMoment(text, zone)
  if (moment === undefined) return null
  return end && moment.wholeDay ? moment.at + DAY : moment.at
}

const names = ['since', 'until', 'since2', 'until2'] as const
type Name = (typeof names)[number]
const isEnd = (name: Name): boolean => name.startsWith('until')

type Props = {
  state: WindowState
  decimals: number
  unit: string
  /** The chain's own present, in Unix seconds. */
  head: number
  onChange: (patch: Partial<WindowState>) => void
}

/** Asks for a threshold and one or two windows; nothing is asked of the service before it is sent off. */
export function WindowForm({ state, decimals, unit, head, onChange }: Props) {
  const id = useId()
  const zone = useZone()
  const [over, setOver] = useState(state.over)
  const [texts, setTexts] = useState<Record<Name, string>>(() => ({
    since: shown(state.since, zone, false),
    until: shown(state.until, zone, true),
    since2: shown(state.since2, zone, false),
    until2: shown(state.until2, zone, true),
  }))
  const [compare, setCompare] = useState(state.since2 !== undefined || state.until2 !== undefined)
  const [wrong, setWrong] = useState<{
    readonly words: string
    readonly fields: readonly (Name | 'over')[]
  }>()

  const submit = (): void => {
    const moments = new Map(names.map((name) => [name, read(texts[name], zone, isEnd(name))]))
    const isOverWrong = toSmallestUnit(over, decimals) === undefined
    // The second window counts only while it is shown.
    const noDates = names.filter((name) => moments.get(name) === null && (compare || !name.endsWith('2')))
    if (isOverWrong || noDates.length > 0) {
      setWrong({
        words: [
          ...(isOverWrong ? [`The threshold is a decimal number with at most ${decimals} decimals.`] : []),
          ...(noDates.length > 0 ? [`Give dates such as ${momentForms}.`] : []),
        ].join(' '),
        fields: [...(isOverWrong ? (['over'] as const) : []), ...noDates],
      })
      return
    }
    const [since, until, since2, until2] = names.map((name) => moments.get(name) ?? undefined)
    const reversed = (from: number | undefined, to: number | undefined): boolean =>
      from !== undefined && to !== undefined && to <= from
    const first = reversed(since, until)
    const second = compare && reversed(since2, until2)
    if (first || second) {
      setWrong({
        words: 'A period must end after it begins.',
        fields: names.filter((name) => (name.endsWith('2') ? second : first)),
      })
      return
    }
    if (compare && since2 === undefined && until2 === undefined) {
      setWrong({ words: 'Give the second period a beginning or an end.', fields: ['since2', 'until2'] })
      return
    }
    onChange({
      over: over.trim(),
      since,
      until,
      since2: compare ? since2 : undefined,
      until2: compare ? until2 : undefined,
    })
  }
  const stateOf = (name: Name | 'over') => {
    const isWrong = wrong?.fields.includes(name) === true
    return { 'aria-invalid': isWrong, 'aria-describedby': isWrong ? `${id}-wrong` : undefined }
  }
  const field = (name: Name, label: string) => (
    <label className="flex flex-col gap-1 text-xs text-muted">
      {label}
      <Input
        className="w-40 text-mono text-text"
        placeholder={isEnd(name) ? 'now' : 'the first block'}
        title={`${momentForms} (${zone === 'utc' ? 'UTC' : 'local time'})`}
        value={texts[name]}
        {...stateOf(name)}
        onChange={(typed) => {
          setTexts((all) => ({ ...all, [name]: typed }))
          setWrong(undefined)
        }}
      />
    </label>
  )
  const lately = (days: number): void =>
    onChange({
      over: over.trim(),
      since: head - 2 * days * DAY,
      until: head - days * DAY,
      since2: head - days * DAY,
      until2: head,
    })
  return (
    <Form aria-label="Window" className="flex flex-col gap-3 pb-4" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <label className="flex flex-col gap-1 text-xs text-muted">
          {unit === '' ? 'Held more than' : `Held more than, ${unit}`}
          <Input
            className="w-40 text-mono text-text"
            inputMode="decimal"
            value={over}
            {...stateOf('over')}
            onChange={(typed) => {
              setOver(typed)
              setWrong(undefined)
            }}
          />
        </label>
        {field('since', compare ? 'First period from' : 'At any time from')}
        {field('until', compare ? 'First period to' : 'To')}
        {compare && (
          <>
            {field('since2', 'Second period from')}
            {field('until2', 'Second period to')}
          </>
        )}
        <label className="flex h-8 items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent"
            checked={compare}
            onChange={(event) => setCompare(event.target.checked)}
          />
          Compare two periods
        </label>
        <Button type="submit">Apply</Button>
      </div>
      {wrong !== undefined && (
        <p id={`${id}-wrong`} role="alert" className="text-xs text-bad">
          {wrong.words}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        Compare the last
        {[7, 30, 90].map((days) => (
          <Button key={days} small onClick={() => lately(days)}>
            {days} days
          </Button>
        ))}
        with as many before
      </div>
    </Form>
  )
}
