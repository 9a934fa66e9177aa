type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The part of a document at a path of keys; undefined if there is none. */
function partAt(document: object, path: readonly string[]): unknown {
  let part: unknown = document
  for (const key of path) part = isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined
  return part
}

/** The path of keys of a reference within a document (RFC 6901), `#/components/schemas/Block`. */
const pathOf = (ref: string): string[] =>
  ref
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))

/**
 * A part of a document with what its references name in their place, but for those to what they stand in. The viewer's own
 * resolver brings the whole document into another form first, for each part anew: under a slow phone's processor that was
 * ten seconds in which the page did not answer, and of a document that refers to itself alone nothing is gained.
 */
export function resolvedPart(document: object, path: readonly string[]): unknown {
  const resolved = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => resolved(one, within))
    if (!isObject(value)) return value
    const { $ref: ref, ...beside } = value
    if (typeof ref === 'string' && ref.startsWith('#/')) {
      const named = within.includes(ref) ? undefined : partAt(document, pathOf(ref))
      if (!isObject(named)) return value
      return { ...(resolved(named, [...within, ref]) as Fields), ...(resolved(beside, within) as Fields) }
    }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, within)]))
  }
  const part = partAt(document, path)
  return part === undefined ? undefined : resolved(part, [])
}
