import { valueText, changeText } from '../../components/charts/readings.ts'
import type { Figure } from '../../components/figures.tsx'
import { changeAt, type SeriesPoint } from '../../lib/series/series.ts'
import { dateText, isUnfinished, periodLabel, type Interval } from '../../lib/series/periods.ts'
import { mean, peak, total } from '../../lib/series/transforms.ts'
import { exactText, readableText, withUnit, type Unit } from '../../lib/series/units.ts'

type Options = {
  readonly interval: Interval
  readonly now: number
  readonly unit: Unit
  readonly sum: boolean
}

function short(value: number | bigint, unit: Unit): string {
  // The thousandths of a mean in the thousands tell nobody anything; the title has them.
  if (typeof value === 'number' && unit.decimals === 0 && Math.abs(value) >= 1000)
    return withUnit(exactText(Math.round(value), 0), unit)
  // Nor do those of an amount of hundreds of thousands, and on a phone they would take the note's room.
  const isLarge = unit.decimals > 0 && Math.abs(Number(value)) >= 10 ** (unit.decimals + 5)
  return withUnit(readableText(value, unit.decimals, isLarge ? 0 : 3), unit)
}

function exact(value: number | bigint, unit: Unit): string {
  return withUnit(exactText(value, unit.decimals), unit)
}

/** "1 day", "91 days" */
function counted(count: number, interval: Interval): string {
  return `${count} ${interval}${count === 1 ? '' : 's'}`
}

/**
 * The strip above a series: its last whole period with the change to the one before, the sum (or mean)
 * and the peak of the range. Unfinished periods count in the sum only: they would lower all else.
 */
export function seriesFigures(points: readonly SeriesPoint[], options: Options): Figure[] {
  const { interval, now, unit, sum } = options
  const whole = points.filter((point) => !isUnfinished(point.timestamp, interval, now))
  const known = whole.filter((point) => point.value !== null)
  const last = known.at(-1)
  const step = last === undefined ? null : changeAt(whole, whole.indexOf(last), interval)
  const highest = peak(whole)
  const middle = mean(whole)
  const all = total(points)
  const figures: Figure[] = [
    {
      label: `Last whole ${interval}`,
      value: last?.value == null ? null : short(last.value, unit),
      ...(last?.value != null && {
        title: exact(last.value, unit),
        note: periodLabel(last.timestamp, interval).replace(/, whole.*$/, ''),
      }),
    },
    {
      label: 'Change',
      value: step === null ? null : changeText(step, unit).split(' (')[0],
      ...(step !== null && { title: changeText(step, unit), note: `to the ${interval} before` }),
    },
  ]
  if (sum)
    figures.push({
      label: 'Sum of the range',
      value: all === null ? null : short(all, unit),
      ...(all !== null && {
        title: exact(all, unit),
        note:
          counted(points.length, interval) + (points.length === whole.length ? '' : ', the last one open'),
      }),
    })
  figures.push(
    {
      label: `Mean ${interval}`,
      value: middle === null ? null : short(middle, unit),
      ...(middle !== null && {
        title: valueText(middle, unit),
        note: `${counted(known.length, interval)}, whole ones only`,
      }),
    },
    {
      label: 'Peak of the range',
      value: highest?.value == null ? null : short(highest.value, unit),
      ...(highest?.value != null && { title: exact(highest.value, unit), note: dateText(highest.timestamp) }),
    },
  )
  return figures
}
