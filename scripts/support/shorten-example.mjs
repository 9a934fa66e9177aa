/** The most characters of a text in an example. */
const maxText = 140

/**
 * An answer as an example: the first items of its lists, and the beginnings of long texts. Of a list of numbers or texts
 * that belongs to another the first three stay.
 */
export function shorten(value, depth = 0) {
  if (typeof value === 'string') return value.length > maxText ? value.slice(0, maxText) : value
  if (Array.isArray(value)) return value.slice(0, depth < 2 ? 1 : 2).map((item) => shorten(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, depth + 1)]))
}
