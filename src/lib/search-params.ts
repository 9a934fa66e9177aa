import * as z from 'zod/mini'

/** A height or Unix seconds in a URL; undefined if it is absent or invalid. */
export const wholeNumberInUrl = z.catch(
  z.optional(z.coerce.number<string>().check(z.int(), z.gte(0))),
  undefined,
)

/**
 * Reads the state of a page from its URL. Every field of the schema has a `.catch()` with its default, so that an
 * invalid part of a link is ignored.
 */
export function readSearch<S extends z.ZodMiniObject>(schema: S, search: URLSearchParams): z.output<S> {
  return schema.parse(Object.fromEntries(search))
}

/** The URL's query after a change: other parameters stay, defaults and undefined values are left out. */
export function writeSearch<S extends z.ZodMiniObject>(
  schema: S,
  search: URLSearchParams,
  patch: Partial<z.output<S>>,
): URLSearchParams {
  const defaults: Record<string, unknown> = schema.parse({})
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(patch))
    if (value === undefined || value === '' || value === defaults[name]) next.delete(name)
    else next.set(name, String(value))
  return next
}
