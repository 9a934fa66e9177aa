import { rangePresets } from '../../../contract/metrics/view.ts'
import { useState, type ReactNode } from 'react'
import { timeIntervals, type TimeInterval } from '../../../contract/metrics/intervals.ts'
import { ChevronDownIcon, CloseIcon } from '../../components/icons.ts'
import { describeRange, presetLabels, defaultRange, type RangeChoice } from '../../../charts/series/range.ts'
import type { MenuEntry } from '../../components/overlays/popups.tsx'
import { Button } from '../../components/controls.tsx'
import type { MetricsState } from './state.ts'

/** Buttons of which one is pressed, as one control. */
export function Choice<Id extends string>({
  label,
  options,
  current,
  onChange,
}: {
  label: string
  options: readonly { id: Id; label: string; /** Why it cannot be chosen. */ not?: string | undefined }[]
  current: Id | null
  onChange: (id: Id) => void
}): ReactNode {
  return (
    <fieldset className="m-0 flex min-w-0 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <Button
          key={option.id}
          className="-ml-px rounded-none px-2.5 first-of-type:ml-0 first-of-type:rounded-l-base last-of-type:rounded-r-base aria-pressed:z-1"
          aria-pressed={option.id === current}
          // Not `disabled`: the reason must be readable by keyboard too.
          aria-disabled={option.not !== undefined}
          title={option.not}
          onClick={() => {
            if (option.not === undefined) onChange(option.id)
          }}
        >
          <span className={option.not === undefined ? '' : 'text-muted'}>{option.label}</span>
        </Button>
      ))}
    </fieldset>
  )
}

/**
 * The controls above charts: the range, then the rest. Below 768 px the rest is behind a button, so that a chart
 * begins on the first screen.
 */
export function ControlBar({ range, children }: { range: ReactNode; children: ReactNode }): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <div className="my-4 flex flex-wrap items-center gap-3 max-md:my-2 max-md:gap-2">
      {range}
      <Button className="px-2 md:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
        Options
        <ChevronDownIcon size={14} className="text-muted" />
      </Button>
      <div className={open ? 'contents' : 'contents max-md:hidden'}>{children}</div>
    </div>
  )
}

/** Presets, and the range that was picked on a chart as a chip that takes it back. */
export function RangeControl({
  range,
  onChange,
}: {
  range: RangeChoice
  onChange: (range: RangeChoice) => void
}): ReactNode {
  const current = 'preset' in range ? range.preset : null
  return (
    <>
      <Choice
        label="Range"
        options={rangePresets.map((preset) => ({ id: preset, label: presetLabels[preset] }))}
        current={current}
        onChange={(preset) => onChange({ preset })}
      />
      {current === null && (
        <Button
          className="rounded-full border-accent bg-accent-soft text-xs text-accent"
          aria-label={`Remove the range: ${describeRange(range)}`}
          onClick={() => onChange(defaultRange)}
        >
          {describeRange(range)}
          <CloseIcon size={12} />
        </Button>
      )}
    </>
  )
}

const intervalLabels: Readonly<Record<TimeInterval, string>> = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

/** The interval; what a series does not support stands there, crossed out, and says why. */
export function IntervalControl({
  current,
  supported,
  reason,
  onChange,
}: {
  current: TimeInterval
  supported: readonly TimeInterval[]
  reason: string
  onChange: (interval: TimeInterval) => void
}): ReactNode {
  return (
    <Choice
      label="Interval"
      options={timeIntervals.map((interval) => ({
        id: interval,
        label: intervalLabels[interval],
        not: supported.includes(interval) ? undefined : reason,
      }))}
      current={current}
      onChange={onChange}
    />
  )
}

const scales: readonly { id: MetricsState['scale']; label: string; note?: string }[] = [
  { id: 'auto', label: 'Auto', note: 'Sums from 0, levels fitted to their values' },
  { id: 'zero', label: 'From 0' },
  { id: 'fit', label: 'Fitted' },
]

/** Where value axes start. */
export function ScaleControl({
  current,
  onChange,
}: {
  current: MetricsState['scale']
  onChange: (scale: MetricsState['scale']) => void
}): ReactNode {
  return <Choice label="Value axis" options={scales} current={current} onChange={onChange} />
}

/** Where value axes start, as entries of a menu. */
export const scaleEntries = (
  current: MetricsState['scale'],
  onChange: (scale: MetricsState['scale']) => void,
): MenuEntry[] => [
  { kind: 'heading', label: 'Value axis' },
  ...scales.map(({ id, ...words }): MenuEntry => ({
    kind: 'radio',
    ...words,
    checked: id === current,
    onSelect: () => onChange(id),
  })),
]
