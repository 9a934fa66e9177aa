import * as z from 'zod/mini'

const schemaShape = z.looseObject({
  type: z.optional(z.string()),
  enum: z.optional(z.array(z.string())),
  items: z.optional(z.looseObject({ enum: z.optional(z.array(z.string())) })),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  pattern: z.optional(z.string()),
  default: z.optional(z.unknown()),
  description: z.optional(z.string()),
  example: z.optional(z.unknown()),
})
type JsonSchema = z.infer<typeof schemaShape>

const contentShape = z.record(z.string(), z.looseObject({ schema: z.unknown() }))

const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.optional(z.string()),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  parameters: z.optional(
    z.array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query']),
        required: z.optional(z.boolean()),
        description: z.optional(z.string()),
        example: z.optional(z.unknown()),
        schema: schemaShape,
      }),
    ),
  ),
  requestBody: z.optional(z.looseObject({ content: contentShape })),
  responses: z.record(z.string(), z.looseObject({ content: z.optional(contentShape) })),
})

const documentShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  components: z.optional(z.looseObject({ schemas: z.optional(z.unknown()) })),
})

const componentsShape = z.record(z.string(), z.unknown())

const bodyShape = z.looseObject({
  properties: z.optional(z.record(z.string(), schemaShape)),
  required: z.optional(z.array(z.string())),
})

/** What a field of a form takes. */
type FieldKind = 'text' | 'integer' | 'number' | 'flag' | 'choice' | 'choices' | 'json'

/** One parameter of an operation, or one property of its body. */
export type FormField = {
  /** Its name, which is unique even if the path and the body have a field of the same name. */
  key: string
  name: string
  place: 'path' | 'query' | 'body'
  kind: FieldKind
  isRequired: boolean
  options: readonly string[]
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  /** As it would be typed. */
  default?: string
  example?: string
  description?: string
}

/** An operation as its form needs it. */
export type ApiOperation = {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  fields: readonly FormField[]
  success: string
  /** The JSON schema of the answer; undefined for an empty one. */
  answer: unknown
}

const kinds: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'flag',
}

function kindOf(schema: JsonSchema): FieldKind {
  if (schema.enum !== undefined) return 'choice'
  if (schema.type === 'array' && schema.items?.enum !== undefined) return 'choices'
  return kinds[schema.type ?? ''] ?? 'json'
}

const typed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function fieldOf(
  name: string,
  place: FormField['place'],
  schema: JsonSchema,
  rest: { isRequired: boolean; description?: string | undefined; example?: unknown },
): FormField {
  const { minimum, maximum, minLength, maxLength, pattern } = schema
  const description = rest.description ?? schema.description
  const example = rest.example ?? schema.example
  return {
    key: name,
    name,
    place,
    kind: kindOf(schema),
    isRequired: rest.isRequired,
    options: schema.enum ?? schema.items?.enum ?? [],
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(schema.default !== undefined && { default: typed(schema.default) }),
    ...(example !== undefined && { example: typed(example) }),
    ...(description !== undefined && { description }),
  }
}

/** A schema with those that it refers to in their places. */
function whole(schema: unknown, components: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((one) => whole(one, components))
  const { $ref, ...rest } = schema as Record<string, unknown>
  if (typeof $ref !== 'string') return mapped(rest, components)
  const named = componentsShape.parse(components)[$ref.slice($ref.lastIndexOf('/') + 1)]
  return { ...(whole(named, components) as object), ...mapped(rest, components) }
}

const mapped = (object: object, components: unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, whole(value, components)]))

const jsonOf = (content: z.infer<typeof contentShape> | undefined): unknown =>
  content?.['application/json']?.schema

function operationOf(
  path: string,
  method: string,
  operation: z.infer<typeof operationShape>,
  schemas: unknown,
): ApiOperation {
  const parameters = (operation.parameters ?? []).map((one) =>
    fieldOf(one.name, one.in, one.schema, {
      isRequired: one.required === true,
      description: one.description,
      example: one.example,
    }),
  )
  const body = bodyShape.safeParse(whole(jsonOf(operation.requestBody?.content), schemas))
  const properties = Object.entries(body.success ? (body.data.properties ?? {}) : {})
  const required = new Set(body.success ? body.data.required : [])
  const taken = new Set(parameters.map(({ name }) => name))
  const inBody = properties.map(([name, schema]): FormField => ({
    ...fieldOf(name, 'body', schema, { isRequired: required.has(name) }),
    ...(taken.has(name) && { key: `body.${name}` }),
  }))
  const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '200'
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? 'Other',
    summary: operation.summary ?? operation.operationId,
    description: operation.description ?? '',
    fields: [...parameters, ...inBody],
    success,
    answer: whole(jsonOf(operation.responses[success]?.content), schemas),
  }
}

/** The operations of the service's OpenAPI document, in its order. Throws ZodError for anything else. */
export function operationsOf(document: unknown): ApiOperation[] {
  const { paths, components } = documentShape.parse(document)
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      operationOf(path, method, operation, components?.schemas),
    ),
  )
}

/** The operations that have every word of a search in their name, path, summary or tag, by tag. */
export function grouped(
  operations: readonly ApiOperation[],
  search: string,
): { tag: string; operations: ApiOperation[] }[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, ApiOperation[]>()
  for (const operation of operations) {
    const { id, method, path, summary, tag } = operation
    const text = `${id} ${method} ${path} ${summary} ${tag}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) continue
    const group = groups.get(tag)
    if (group) group.push(operation)
    else groups.set(tag, [operation])
  }
  return [...groups].map(([tag, all]) => ({ tag, operations: all }))
}
