import { exactAmount, formatAmount, formatInteger, formatNumber, signOf } from '../../lib/amounts.ts'

/**
 * How a figure is written: `amount` and `count` are decimal strings, `time` is in Unix seconds. An amount that `falls`
 * by itself is not compared with earlier ones; one without decimals counts smallest units.
 */
export type FigureForm =
  | { readonly kind: 'amount'; readonly decimals: number | undefined; readonly falls?: boolean }
  | { readonly kind: 'count' | 'percent' | 'time' | 'word' }

/** A figure of a watched entry: undefined while it loads, null if there is none. */
export type WatchedFigure = {
  readonly label: string
  readonly form: FigureForm
  readonly value: string | null | undefined
}

/** At most so many decimals of an amount. */
const maxDecimals = 4

/** A figure in its form; a time is written elsewhere, as its age. */
export function formatFigure(form: FigureForm, value: string): string {
  if (form.kind === 'amount')
    return form.decimals === undefined
      ? `${formatInteger(value)} smallest units`
      : formatAmount(value, form.decimals, maxDecimals)
  if (form.kind === 'count') return formatInteger(value)
  return form.kind === 'percent' ? `${formatNumber(Number(value), 2)} %` : value
}

/** The exact figure, for a title; undefined if nothing was left out. */
export const exactFigure = (form: FigureForm, value: string): string | undefined =>
  form.kind === 'amount' && form.decimals !== undefined ? exactAmount(value, form.decimals) : undefined

/** What happened to a figure since an earlier reading, in a word or two; undefined if nothing did. */
export function changeOf(form: FigureForm, before: string, now: string): string | undefined {
  if (before === now) return undefined
  switch (form.kind) {
    case 'amount':
    case 'count': {
      const by = BigInt(now) - BigInt(before)
      const size = by < 0n ? -by : by
      return by === 0n ? undefined : `${signOf(by)}${formatFigure(form, String(size))}`
    }
    case 'percent': {
      const by = Number(now) - Number(before)
      const sign = signOf(BigInt(Math.sign(by)))
      return by === 0 ? undefined : `${sign}${formatNumber(Math.abs(by), 2)}`
    }
    case 'time':
      return 'new'
    case 'word':
      return `was ${before}`
  }
}
