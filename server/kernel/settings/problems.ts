import { z } from 'zod'

// A price source's URL may contain a key.
const secret = /key|secret|sha256|DATABASE_URL|DATABASE_READ_URL|RIDGELINE_TOKEN|prices/

/**
 * What is wrong with settings, a line each: where, what was given unless it may be a secret, and what is allowed. For an
 * unknown key, the known one that it was probably meant to be. The messages of `error` are those of `asAllowed`.
 */
export function describeProblems(schema: z.ZodType, error: z.ZodError, input: unknown): string[] {
  return error.issues.flatMap((issue) => {
    const name = issue.path.join('.') || 'the file'
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => {
        const known = keysAt(schema, issue.path)
        const near = nearest(key, known)
        const advice = near === undefined ? `allowed: ${known.join(', ')}` : `did you mean ${near}?`
        return `${name}: the key ${key} is unknown; ${advice}`
      })
    const given = issue.path.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      input,
    )
    const shown =
      given === undefined ? 'nothing' : secret.test(name) ? 'a value' : JSON.stringify(given)?.slice(0, 120)
    return `${name}: got ${shown}; allowed: ${issue.message}`
  })
}

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/** The keys that an object may have at a path of the schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const step = (schemas: readonly JsonSchema[]): readonly JsonSchema[] =>
    schemas.flatMap((each) => [each, ...step([...(each.anyOf ?? []), ...(each.oneOf ?? [])])])
  let at = step([z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema])
  for (const key of path)
    at = step(
      at.flatMap(({ properties, items, additionalProperties }) => {
        const next = typeof key === 'number' ? items : properties?.[String(key)]
        if (next !== undefined) return [next]
        return typeof additionalProperties === 'object' ? [additionalProperties] : []
      }),
    )
  return [...new Set(at.flatMap(({ properties }) => Object.keys(properties ?? {})))]
}

/** The name that a misspelt one was meant to be: at most a third of its letters differ. Undefined if there is none. */
function nearest(key: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, distance: editDistance(key.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(1, Math.floor(key.length / 3)) ? best.name : undefined
}

/** Levenshtein's distance: letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [place, other] of [...to].entries())
      next.push(
        Math.min(
          (row[place] ?? 0) + (letter === other ? 0 : 1),
          (row[place + 1] ?? 0) + 1,
          (next[place] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
