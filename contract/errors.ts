import { z } from 'zod'

/** The eight error codes that every REST operation documents (interface.md, Errors). */
export const errorNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const

export type ErrorStatus = keyof typeof errorNames

/** `{message, error, statusCode}`: the body of every failed REST request (interface.md, Errors). */
export const errorBody = z.looseObject({
  message: z.union([z.string(), z.array(z.string())]),
  error: z.string(),
  statusCode: z.number().int(),
})

export type ErrorBody = z.infer<typeof errorBody>
