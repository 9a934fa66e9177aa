import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { ApiError, errorOfAnswer, unreached } from '../../api/errors.ts'
import { urlOfFile } from '../../lib/place.ts'

const parameter = z.looseObject({
  name: z.string(),
  required: z.optional(z.boolean()),
  description: z.optional(z.string()),
  example: z.optional(z.unknown()),
})
const operation = z.looseObject({ operationId: z.string(), parameters: z.optional(z.array(parameter)) })
const openApi = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) })

/** An operation of it. */
export type DocumentedOperation = z.infer<typeof operation>

/** The OpenAPI document, as far as the page reads it. */
export type OpenApi = z.infer<typeof openApi>

/** The document of the service that served this page. */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  staleTime: Infinity,
  queryFn: async (): Promise<OpenApi> => {
    let response: Response
    try {
      response = await fetch(urlOfFile('openapi.json'), { headers: { accept: 'application/json' } })
    } catch (cause) {
      throw unreached(cause)
    }
    if (!response.ok) throw await errorOfAnswer(response, Date.now())
    const read = openApi.safeParse(await response.json().catch(() => undefined))
    if (read.success) return read.data
    throw new ApiError('answer', 'The service sent no readable /openapi.json.', {
      name: 'Unreadable answer',
      cause: read.error,
    })
  },
})
