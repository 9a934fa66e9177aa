import type { Operation } from '../base/operation.ts'
import { componentsOf, type RefTo } from './components.ts'
import { parameterDescriptions } from './descriptions.ts'
import { exampleAnswer, exampleBody, exampleParameter } from './examples.ts'
import { answerOf, failureComponents, headerComponents, responsesWith, successOf } from './responses.ts'
import { servicePaths, serviceTags } from './service-paths.ts'
import { headersOfSuccess } from './statuses.ts'
import { wireSchema } from './wire.ts'
import { metricDescriptions } from '../metrics/descriptions.ts'
import { aggregationStreamPath } from '../signatures/aggregation-events.ts'
import { aggregateSignatures } from '../signatures/signatures.ts'

type Json = Record<string, unknown>

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
    example: exampleParameter(operation.id, name) ?? example,
    // A list repeats its parameter.
    ...(rest['type'] === 'array' && { style: 'form', explode: true }),
  }))
}

function itemOf(operation: Operation, refTo: RefTo): Json {
  const description = operation.description ?? metricDescriptions[operation.id]
  const example = exampleBody(operation.id)
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(description && { description }),
    tags: [operation.tag],
    parameters: [...parameters(operation, 'path'), ...parameters(operation, 'query')],
    ...(operation.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: refTo(operation.body), ...(example !== undefined && { example }) },
        },
      },
    }),
    responses: responsesWith(operation, successOf(operation, refTo)),
  }
}

/** The same operation with its progress as server-sent events. */
function streamOf(operation: Operation, refTo: RefTo): Json {
  const streamed = { ...operation, id: 'streamSignatures', success: 200 }
  const content = { schema: { type: 'string' }, example: exampleAnswer(streamed.id) }
  return {
    ...itemOf(streamed, refTo),
    summary: 'Aggregate signatures, with the progress as server-sent events',
    description:
      'An invalid request is answered as by `aggregateSignatures`. The last event of a stream is `done` or `failed`.',
    responses: responsesWith(streamed, answerOf('text/event-stream', content, headersOfSuccess(streamed))),
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
    tags: [
      ...[...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
      ...serviceTags,
    ],
    paths: {
      ...paths,
      [aggregationStreamPath]: { post: streamOf(aggregateSignatures, refTo) },
      ...servicePaths,
    },
    components: {
      schemas,
      responses: failureComponents,
      headers: headerComponents,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' } },
    },
  }
}
