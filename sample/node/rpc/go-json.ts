/** A value of the API's JSON; bigints are written as bare numbers. */
export type Json = Readonly<Record<string, unknown>>

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found)
}

/**
 * JSON as the node's Go encoder writes it: a bigint is a number of any size (u64 exceeds 2^53), `<`, `>` and `&` are
 * escaped. Undefined members are left out.
 */
export function writeJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${(value as readonly unknown[]).map(writeJson).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${quoted(name)}:${writeJson(member)}`).join(',')}}`
}
