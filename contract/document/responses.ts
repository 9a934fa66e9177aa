import * as z from 'zod/mini'
import { errorNames } from '../base/errors.ts'
import type { Operation } from '../base/operation.ts'
import type { RefTo } from './components.ts'
import { exampleAnswer } from './examples.ts'
import {
  failuresOf,
  failureTexts,
  type FailureStatus,
  headersOfFailure,
  headersOfSuccess,
  headerTexts,
  type HeaderName,
  isRevalidated,
} from './statuses.ts'

type Json = Record<string, unknown>

const withHeaders = (names: readonly HeaderName[]): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      }

const failureStatuses = Object.keys(failureTexts).map(Number) as FailureStatus[]
/** The name of the shared answer of a status, such as `BadRequest`. */
const nameOfFailure = (status: FailureStatus): string => errorNames[status].replaceAll(' ', '')

/** The headers of all answers. */
export const headerComponents: Json = Object.fromEntries(
  Object.entries(headerTexts).map(([name, [type, description]]) => [name, { schema: { type }, description }]),
)

/** The answer of each status of failure, which the operations share. */
export const failureComponents: Json = Object.fromEntries(
  failureStatuses.map((status) => {
    const sample = { message: failureTexts[status], error: errorNames[status], statusCode: status }
    const example = status === 400 ? { ...sample, message: ['pageSize: must be a whole number'] } : sample
    return [
      nameOfFailure(status),
      {
        description: `${errorNames[status]}: ${failureTexts[status]}`,
        ...withHeaders(headersOfFailure(status)),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
      },
    ]
  }),
)

/** References to the answers of these statuses. */
export const failures = (statuses: readonly FailureStatus[]): Json =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${nameOfFailure(status)}` }]),
  )

/** The content of a success; a response of unknown shape without media types means an empty body. */
function contentOf({ id, response, mediaTypes = [] }: Operation, refTo: RefTo): Json {
  const isJson = !(response instanceof z.core.$ZodUnknown)
  if (!isJson && mediaTypes.length === 0) return {}
  const written = mediaTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }])
  const example = exampleAnswer(id)
  return {
    content: {
      ...(isJson && {
        'application/json': { schema: refTo(response), ...(example !== undefined && { example }) },
      }),
      ...Object.fromEntries(written),
    },
  }
}

/** Every answer of an operation, its success given. */
export const responsesWith = (operation: Operation, success: Json): Json => ({
  [operation.success]: success,
  ...(isRevalidated(operation) && {
    304: {
      description: 'Not Modified: `if-none-match` has the ETag',
      ...withHeaders(headersOfSuccess(operation)),
    },
  }),
  ...failures(failuresOf(operation)),
})

/** The success of an operation. */
export const successOf = (operation: Operation, refTo: RefTo): Json => ({
  description: 'Success',
  ...withHeaders(headersOfSuccess(operation)),
  ...contentOf(operation, refTo),
})

/** An answer with content of one type. */
export const answerOf = (type: string, content: Json, headers: readonly HeaderName[]): Json => ({
  description: 'Success',
  ...withHeaders(headers),
  content: { [type]: content },
})
