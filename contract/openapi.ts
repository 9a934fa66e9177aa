import * as z from 'zod/mini'
import { bodyErrorNames, errorBody, errorNames } from './base/errors.ts'
import type { Operation } from './base/operation.ts'
import { metricDescriptions } from './metrics/descriptions.ts'

type Json = Record<string, unknown>

/**
 * Uses a schema's `wire` definition if it has one. Zod omits the default of a transformed value, because it
 * belongs to the output; here it has the same form on the wire.
 */
const wireOverride = (context: { zodSchema: unknown; jsonSchema: Json }): void => {
  const schema = context.zodSchema
  if (schema instanceof z.core.$ZodObject) requireWhatIsSent(schema, context.jsonSchema)
  delete context.jsonSchema['alwaysSent']
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

/** The pattern of one to `max` items, separated by commas with optional space. */
function listPattern({ item, max }: Listed): string {
  const { pattern } = z.toJSONSchema(item)
  const one = ` *(?:${String(pattern).replace(/^\^/, '').replace(/\$$/, '')}) *`
  return `^${one}(?:,${one}){0,${max - 1}}$`
}

/** Marks the fields of `alwaysSent` as required in this service's answers. */
function requireWhatIsSent(schema: z.core.$ZodObject, json: Json): void {
  const sent = Object.entries(schema._zod.def.shape).flatMap(([name, field]) =>
    metadata(field)['alwaysSent'] === true ? [name] : [],
  )
  if (sent.length > 0) json['required'] = [...((json['required'] ?? []) as string[]), ...sent]
}

/** The JSON schema (2020-12, as in OpenAPI 3.1) of the wire format. */
function wireSchema(schema: z.core.$ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: wireOverride,
  }) as Json
  return rest
}

function parameters(shape: z.core.$ZodObject, place: 'path' | 'query'): Json[] {
  const schema = wireSchema(shape)
  const properties = (schema['properties'] ?? {}) as Record<string, Json>
  const required = new Set((schema['required'] ?? []) as string[])
  return Object.entries(properties).map(([name, { description, example, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: rest,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  }))
}

/** The content of a success; a response of unknown shape without media types means an empty body. */
function contentOf({ response, mediaTypes = [] }: Operation): Json {
  const isJson = !(response instanceof z.core.$ZodUnknown)
  if (!isJson && mediaTypes.length === 0) return {}
  const written = mediaTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }])
  return {
    content: {
      ...(isJson && { 'application/json': { schema: wireSchema(response) } }),
      ...Object.fromEntries(written),
    },
  }
}

/** The answers of an operation. */
function responses(operation: Operation): Json {
  const names = { ...errorNames, ...(operation.body && bodyErrorNames) }
  const failures = Object.entries(names).map(([status, name]) => [
    status,
    {
      description: name,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
  return {
    [operation.success]: {
      description: 'Success',
      ...contentOf(operation),
    },
    ...Object.fromEntries(failures),
  }
}

/**
 * The OpenAPI 3.1 document of the given operations. Every operation documents every error that it may answer;
 * `x-service-api-key` is optional everywhere (Authentication, 1).
 */
export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {})
    const description = operation.description ?? metricDescriptions[operation.id]
    item[operation.method.toLowerCase()] = {
      operationId: operation.id,
      summary: operation.summary,
      ...(description && { description }),
      tags: [operation.tag],
      parameters: [...parameters(operation.params, 'path'), ...parameters(operation.query, 'query')],
      ...(operation.body && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: wireSchema(operation.body) } },
        },
      }),
      responses: responses(operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ridgeline',
      version,
      description: 'Chain data, metrics, signatures and search of this Ridgeline service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { apiKey: [] }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: wireSchema(errorBody) },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' } },
    },
  }
}
