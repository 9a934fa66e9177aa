const wholeDigits = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

/**
 * Parses JSON without losing digits: integers above 2^53 become bigint, everything else is as with `JSON.parse`.
 * Throws SyntaxError like `JSON.parse`.
 */
export function parseLossless(text: string): unknown {
  let found = false
  // A text that nobody who writes a string of the JSON can know.
  const mark = `wide ${Math.random()} `
  const marked = text.replace(wholeDigits, (token) => {
    if (token.startsWith('"') || Number.isSafeInteger(Number(token))) return token
    found = true
    return `"${mark}${token}"`
  })
  if (!found) return JSON.parse(text)
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  )
}
