import type { Forecast } from './forecast.ts'

export const formatNumber = (value: number): string => value.toLocaleString('en')

/** A size in its largest unit, to two digits. */
function size(bytes: number): string {
  const [unit, name] = (
    [
      [1e12, 'TB'],
      [1e9, 'GB'],
    ] as const
  ).find(([each]) => bytes >= each) ?? [1e6, 'MB']
  return `${formatNumber(Number((bytes / unit).toPrecision(2)))} ${name}`
}

/** A time in its largest unit, to two digits. */
function time(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  const [unit, name] = (
    [
      [86_400, 'days'],
      [3_600, 'hours'],
      [60, 'minutes'],
    ] as const
  ).find(([each]) => seconds >= each) ?? [1, 'seconds']
  return `${formatNumber(Number((seconds / unit).toPrecision(2)))} ${name}`
}

const span = ([low, high]: Forecast['seconds']): string =>
  time(low) === time(high) ? time(low) : `${time(low)} to ${time(high)}`

/** The lines about one chain. */
export function describeForecast(name: string, forecast: Forecast): string[] {
  const { blocks, transactions, bytes, seconds, lakeSeconds } = forecast
  const counted = transactions === undefined ? '' : `, about ${formatNumber(transactions)} transactions`
  return [
    `${name}: ${formatNumber(blocks)} blocks${counted}: ${size(bytes)} of disk, ${span(seconds)}`,
    ...(lakeSeconds === undefined ? [] : [`  through a lake ${span(lakeSeconds)}: docs/lake.md`]),
  ]
}
