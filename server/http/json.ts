import { randomBytes } from 'node:crypto'

// A text that no stored value can contain, because every process generates a new one.
const mark = `bigint:${randomBytes(12).toString('hex')}:`
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g')

/**
 * JSON with each bigint as a plain number with all its digits (docs/metrics.md): JSON.stringify refuses bigints, and
 * a Number would lose the digits above 2^53.
 */
export function toJson(value: unknown): string {
  let wide = false
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'bigint') return item
    wide = true
    return mark + item.toString()
  })
  return wide ? text.replace(marked, '$1') : text
}
