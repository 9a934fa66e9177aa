import * as z from 'zod/mini'

type Json = Record<string, unknown>

/**
 * Uses a schema's `wire` definition if it has one. Zod omits the default of a transformed value, because it
 * belongs to the output; here it has the same form on the wire.
 */
const wireOverride = (context: { zodSchema: unknown; jsonSchema: Json }): void => {
  const schema = context.zodSchema
  if (schema instanceof z.core.$ZodObject) requireWhatIsSent(schema, context.jsonSchema)
  delete context.jsonSchema['alwaysSent']
  // Every integer of a safe size: generators make checks, and longer types, of these bounds.
  if (context.jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete context.jsonSchema['minimum']
  if (context.jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete context.jsonSchema['maximum']
  if (schema instanceof z.core.$ZodDefault) context.jsonSchema['default'] = schema._zod.def.defaultValue
  const { wire, listed } = metadata(schema)
  if (typeof wire !== 'object' || wire === null) return
  const { description } = context.jsonSchema
  for (const key of Object.keys(context.jsonSchema)) delete context.jsonSchema[key]
  Object.assign(context.jsonSchema, wire, description !== undefined && { description })
  if (listed !== undefined) context.jsonSchema['pattern'] = listPattern(listed as Listed)
}

/** The data that a schema's `z.meta` and `z.describe` contain. */
function metadata(schema: unknown): Json {
  return (schema instanceof z.core.$ZodType && z.globalRegistry.get(schema)) || {}
}

/** The data that `commaList` of the contract provides for its pattern. */
type Listed = { readonly item: z.core.$ZodType; readonly max: number }

/** The pattern of one to `max` items, separated by commas with optional space. Items are of a pattern or of given values. */
function listPattern({ item, max }: Listed): string {
  const { pattern, enum: values } = z.toJSONSchema(item)
  const each = pattern?.replace(/^\^/, '').replace(/\$$/, '') ?? values?.join('|')
  if (each === undefined) throw new Error('the items of a list have neither a pattern nor values')
  const one = ` *(?:${each}) *`
  return `^${one}(?:,${one}){0,${max - 1}}$`
}

/** Marks the fields of `alwaysSent` as required in this service's answers. */
function requireWhatIsSent(schema: z.core.$ZodObject, json: Json): void {
  const sent = Object.entries(schema._zod.def.shape).flatMap(([name, field]) =>
    metadata(field)['alwaysSent'] === true ? [name] : [],
  )
  if (sent.length > 0) json['required'] = [...((json['required'] ?? []) as string[]), ...sent]
}

/** How schemas are written: as they are on the wire. */
export const wireFormat = { io: 'input', unrepresentable: 'any', override: wireOverride } as const

/** The JSON schema (2020-12, as in OpenAPI 3.1) of the wire format. */
export function wireSchema(schema: z.core.$ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, wireFormat) as Json
  return rest
}
