import * as z from 'zod/mini'
import { bodyErrorNames, errorBody, errorNames } from './base/errors.ts'
import type { Operation } from './base/operation.ts'
import { fieldDescriptions, parameterDescriptions } from './document/descriptions.ts'
import { namedRecords, recordOf } from './document/schemas.ts'
import { metricDescriptions } from './metrics/descriptions.ts'
import { aggregationStreamPath } from './signatures/aggregation-events.ts'
import { aggregateSignatures } from './signatures/signatures.ts'

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

const wireFormat = { io: 'input', unrepresentable: 'any', override: wireOverride } as const

/** The JSON schema (2020-12, as in OpenAPI 3.1) of the wire format. */
function wireSchema(schema: z.core.$ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, wireFormat) as Json
  return rest
}

/** The same of every record of the operations by name, and a function that names a record's schema. */
function componentsOf(operations: readonly Operation[]) {
  const registry = z.registry<{ id: string }>()
  for (const [id, record] of namedRecords(operations)) registry.add(record, { id })
  const uri = (id: string): string => `#/components/schemas/${id}`
  registry.add(errorBody, { id: 'Error' })
  const { schemas } = z.toJSONSchema(registry, { ...wireFormat, uri }) as { schemas: Record<string, Json> }
  for (const [name, schema] of Object.entries(schemas)) {
    delete schema['$schema']
    delete schema['$id']
    const fields = (schema['properties'] ?? {}) as Record<string, Json>
    for (const [field, json] of Object.entries(fields))
      json['description'] ??= fieldDescriptions[`${name}.${field}`] ?? fieldDescriptions[field]
  }
  return {
    schemas,
    /** A reference to the schema of an answer or a body. */
    refTo: (schema: z.core.$ZodType): Json => ({
      $ref: uri(registry.get(recordOf(schema))?.id ?? ''),
    }),
  }
}

type RefTo = ReturnType<typeof componentsOf>['refTo']

function parameters(operation: Operation, place: 'path' | 'query'): Json[] {
  const schema = wireSchema(place === 'path' ? operation.params : operation.query)
  const properties = (schema['properties'] ?? {}) as Record<string, Json>
  const required = new Set((schema['required'] ?? []) as string[])
  return Object.entries(properties).map(([name, { description, example, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: rest,
    description:
      description ?? parameterDescriptions[`${operation.id}.${name}`] ?? parameterDescriptions[name],
    ...(example !== undefined && { example }),
  }))
}

/** The content of a success; a response of unknown shape without media types means an empty body. */
function contentOf({ response, mediaTypes = [] }: Operation, refTo: RefTo): Json {
  const isJson = !(response instanceof z.core.$ZodUnknown)
  if (!isJson && mediaTypes.length === 0) return {}
  const written = mediaTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }])
  return {
    content: {
      ...(isJson && { 'application/json': { schema: refTo(response) } }),
      ...Object.fromEntries(written),
    },
  }
}

/** Headers of every answer, and of those after which a request may be repeated. */
const headers = {
  'x-request-id': ['string', 'The id of the request, as in the log'],
  'ratelimit-policy': ['string', 'The requests allowed in a window of seconds, such as `600;w=60`'],
  'ratelimit-limit': ['integer', 'Requests allowed in the window'],
  'ratelimit-remaining': ['integer', 'Requests left in the window'],
  'ratelimit-reset': ['integer', 'Seconds until the window ends'],
  'retry-after': ['integer', 'Seconds after which the request may succeed'],
} as const
const retriable: readonly string[] = ['429', '503']

const headersOf = (status = ''): Json =>
  Object.fromEntries(
    Object.keys(headers)
      .filter((name) => name !== 'retry-after' || retriable.includes(status))
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

/** What the service serves besides the operations: live updates, what a browser or a monitor reads. */
const servicePaths: Readonly<Record<string, Json>> = {
  '/events': plainGet('getEvents', 'Live updates as server-sent events', 'text/event-stream'),
  '/health': plainGet('getHealth', 'Whether the process is alive', 'application/json'),
  '/ready': plainGet(
    'getReadiness',
    'Whether every chain is within its limits; 503 with the reasons',
    'application/json',
    [503],
  ),
  '/config.json': plainGet(
    'getConfig',
    'What the dashboard needs to know of the service',
    'application/json',
  ),
}

function plainGet(
  operationId: string,
  summary: string,
  type: string,
  failures: readonly number[] = [],
): Json {
  const failed = (status: number): [string, Json] => [
    String(status),
    {
      description: status === 503 ? 'Service Unavailable' : 'Error',
      headers: headersOf(String(status)),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]
  return {
    get: {
      operationId,
      summary,
      tags: ['Service'],
      parameters: [],
      responses: {
        200: { description: 'Success', headers: headersOf(), content: { [type]: { schema: {} } } },
        ...Object.fromEntries(failures.map(failed)),
      },
    },
  }
}

/** The answers of an operation. */
function responses(operation: Operation, refTo: RefTo): Json {
  const names = { ...errorNames, ...(operation.body && bodyErrorNames) }
  const failures = Object.entries(names).map(([status, name]) => [
    status,
    {
      description: name,
      headers: headersOf(status),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
  return {
    [operation.success]: {
      description: 'Success',
      headers: headersOf(),
      ...contentOf(operation, refTo),
    },
    ...Object.fromEntries(failures),
  }
}

function itemOf(operation: Operation, refTo: RefTo): Json {
  const description = operation.description ?? metricDescriptions[operation.id]
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description && { description }),
    tags: [operation.tag],
    parameters: [...parameters(operation, 'path'), ...parameters(operation, 'query')],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refTo(operation.body) } },
      },
    }),
    responses: responses(operation, refTo),
  }
}

/** The same operation with its progress as server-sent events. */
function streamOf(operation: Operation, refTo: RefTo): Json {
  const { [operation.success]: _success, ...failures } = responses(operation, refTo)
  return {
    ...itemOf(operation, refTo),
    operationId: 'streamSignatures',
    summary: 'Aggregate signatures, with the progress as server-sent events',
    description:
      'An invalid request is answered as by `aggregateSignatures`. The last event of a stream is `done` or `failed`.',
    responses: {
      200: {
        description: 'Success',
        headers: headersOf(),
        content: { 'text/event-stream': { schema: {} } },
      },
      ...failures,
    },
  }
}

/**
 * The OpenAPI 3.1 document of the given operations. Every operation documents every error that it may answer;
 * `x-service-api-key` is optional everywhere (Authentication, 1).
 */
export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const { schemas, refTo } = componentsOf(operations)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {})
    item[operation.method.toLowerCase()] = itemOf(operation, refTo)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ridgeline',
      version,
      description: 'Chain data, metrics, signatures and search of this Ridgeline service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/' },
      {
        url: '/hosted',
        description: 'The operations below /v1 and /v2, with answers in the form of the hosted services',
      },
    ],
    security: [{}, { apiKey: [] }],
    tags: [...new Set([...operations.map((operation) => operation.tag), 'Service'])].map((name) => ({
      name,
    })),
    paths: {
      ...paths,
      [aggregationStreamPath]: { post: streamOf(aggregateSignatures, refTo) },
      ...servicePaths,
    },
    components: {
      schemas,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, [type, description]]) => [
          name,
          { schema: { type }, description },
        ]),
      ),
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' } },
    },
  }
}
