/** Exact arithmetic on decimal texts, for example fiat values; other texts count as 0. */

type Scaled = { digits: bigint; scale: number }

function parse(text: string): Scaled | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

function write({ digits, scale }: Scaled): string {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${sign}${whole}${fraction && `.${fraction}`}`
}

/** The exact sum of decimal texts. */
export function sumDecimals(values: readonly string[]): string {
  const parsed = values.map(parse).filter((value) => value !== undefined)
  const scale = Math.max(0, ...parsed.map((value) => value.scale))
  const digits = parsed.reduce(
    (total, value) => total + value.digits * 10n ** BigInt(scale - value.scale),
    0n,
  )
  return write({ digits, scale })
}

/** The exact difference of two decimal texts. */
export function lessDecimals(left: string, right: string): string {
  return sumDecimals([left, right.startsWith('-') ? right.slice(1) : `-${right}`])
}

/** Orders decimal texts by their value. */
export function compareDecimals(left: string, right: string): number {
  const difference = parse(lessDecimals(left, right))?.digits ?? 0n
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
