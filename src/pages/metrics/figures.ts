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

/** "1 whole day", "91 whole days" */
function counted(count: number, interval: Interval): string {
  return `${count} whole ${interval}${count === 1 ? '' : 's'}`
}

const averageOf: Readonly<Record<Interval, string>> = {
  hour: 'Hourly average',
  day: 'Daily average',
  week: 'Weekly average',
  month: 'Monthly average',
}

/**
 * The strip above a series: its last whole period with the change from the one before, and the sum, average and peak of
 * the range, all of the same whole periods; a period that has not ended stands apart.
 */
export function seriesFigures(points: readonly SeriesPoint[], options: Options): Figure[] {
  const { interval, now, unit, addsUp } = options
  const whole = points.filter((point) => !isUnfinished(point.timestamp, interval, now))
  const known = whole.filter((point) => point.value !== null)
  const last = known.at(-1)
  const step = last === undefined ? null : changeAt(whole, whole.indexOf(last), interval)
  const highest = peak(whole)
  const middle = mean(whole)
  const all = total(whole)
  const open = points.findLast(
    (point) => isUnfinished(point.timestamp, interval, now) && point.value !== null,
  )
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
      ...(step !== null && { title: changeText(step, unit), note: `vs previous ${interval}` }),
    },
  ]
  if (addsUp)
    figures.push({
      label: 'Sum',
      value: all === null ? null : short(all, unit),
      ...(all !== null && {
        title: exact(all, unit),
        copy: exactDigits(all, unit.decimals),
        note: counted(known.length, interval),
      }),
    })
  figures.push(
    {
      label: averageOf[interval],
      value: middle === null ? null : short(middle, unit),
      ...(middle !== null && {
        title: exact(middle, unit),
        copy: exactDigits(middle, unit.decimals),
        note: counted(known.length, interval),
      }),
    },
    {
      label: 'Peak',
      value: highest?.value == null ? null : short(highest.value, unit),
      ...(highest?.value != null && {
        title: exact(highest.value, unit),
        copy: exactDigits(highest.value, unit.decimals),
        note: dateText(highest.timestamp),
      }),
    },
  )
  // Its place is kept while the points load.
  if (open?.value != null || points.length === 0)
    figures.push({
      label: interval === 'day' ? 'Today so far' : `This ${interval} so far`,
      value: open?.value == null ? null : short(open.value, unit),
      ...(open?.value != null && {
        title: exact(open.value, unit),
        copy: exactDigits(open.value, unit.decimals),
        note: 'not in the other figures',
      }),
    })
  return figures
}
