const wholeDigits = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g
const mark = '\u0000n'

/**
 * Parses JSON without losing digits: integers above 2^53 become bigint, everything else is as with `JSON.parse`.
 * Throws SyntaxError like `JSON.parse`.
 */
export function parseLossless(text: string): unknown {
  let found = false
  const marked = text.replace(wholeDigits, (token) => {
    if (token.startsWith('"') || Number.isSafeInteger(Number(token))) return token
    found = true
    return `"\\u0000n${token}"`
  })
  if (!found) return JSON.parse(text)
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) && /^-?\d+$/.test(value.slice(2))
      ? BigInt(value.slice(2))
      : value,
  )
}

/** A finite number as plain decimal text, never in scientific notation. */
export function decimalText(value: number): string {
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', power = '0'] = match
  const shift = Number(power)
  const digits = whole + fraction
  const point = whole.length + shift
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
