import * as z from 'zod/mini'

const schemaShape = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.string())),
  'x-known-values': z.optional(z.array(z.string())),
  anyOf: z.optional(z.array(z.unknown())),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
  description: z.optional(z.string()),
})

/**
 * An example of what a JSON schema allows, with the type of each value, its known values and its meaning in place of
 * the value. The name of a field that may be absent ends with a question mark.
 */
export function shapeOf(schema: unknown): unknown {
  const { data } = schemaShape.safeParse(schema)
  if (!data) return 'any'
  const { type, anyOf, items, properties, required = [], additionalProperties: rest, description } = data
  if (anyOf !== undefined) {
    const shapes = anyOf.map(shapeOf)
    const structure = shapes.find((shape) => typeof shape === 'object')
    return structure ?? shapes.join(' | ')
  }
  if (properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        required.includes(name) ? name : `${name}?`,
        shapeOf(field),
      ]),
    )
  if (type === 'array') return [shapeOf(items)]
  if (type === 'object') return { '*': shapeOf(rest) }
  const values = data.enum ?? data['x-known-values']
  const name =
    data.const !== undefined ? JSON.stringify(data.const) : (values ?? [type ?? 'any'].flat()).join(' | ')
  return description === undefined ? name : `${name}: ${description}`
}
