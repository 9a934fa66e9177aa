import { changeText } from '../../components/charts/readings.ts'
import type { Figure } from '../../components/figures.tsx'
import { changeAt, type SeriesPoint } from '../../../charts/series/series.ts'
import { dateText, isUnfinished, periodLabel, type Interval } from '../../../charts/series/periods.ts'
import { mean, peak, total } from '../../../charts/series/transforms.ts'
import { exactDigits, exactText, figureText, withUnit, type Unit } from '../../../charts/series/units.ts'

type Options = {
  readonly interval: Interval
  readonly now: number
  readonly unit: Unit
  /** Whether the values of the periods add up. */
  readonly addsUp: boolean
}

const short = (value: number | bigint, unit: Unit): string => withUnit(figureText(value, unit), unit)

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
  const { interval, now, unit, addsUp } = options
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
        copy: exactDigits(last.value, unit.decimals),
        note: periodLabel(last.timestamp, interval).replace(/, whole.*$/, ''),
      }),
    },
    {
      label: 'Change',
      value: step === null ? null : changeText(step, unit).split(' (')[0],
      ...(step !== null && { title: changeText(step, unit), note: `to the ${interval} before` }),
    },
  ]
  if (addsUp)
    figures.push({
      label: 'Sum of the range',
      value: all === null ? null : short(all, unit),
      ...(all !== null && {
        title: exact(all, unit),
        copy: exactDigits(all, unit.decimals),
        note:
          counted(points.length, interval) + (points.length === whole.length ? '' : ', the last one open'),
      }),
    })
  figures.push(
    {
      label: `Mean ${interval}`,
      value: middle === null ? null : short(middle, unit),
      ...(middle !== null && {
        title: exact(middle, unit),
        copy: exactDigits(middle, unit.decimals),
        note: `${counted(known.length, interval)}, whole ones only`,
      }),
    },
    {
      label: 'Peak of the range',
      value: highest?.value == null ? null : short(highest.value, unit),
      ...(highest?.value != null && {
        title: exact(highest.value, unit),
        copy: exactDigits(highest.value, unit.decimals),
        note: dateText(highest.timestamp),
      }),
    },
  )
  return figures
}
