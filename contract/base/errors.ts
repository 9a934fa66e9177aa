import * as z from 'zod/mini'

/** The names of the statuses of failures. */
export const errorNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const

/** `{message, error, statusCode}`: the body of every failed REST request (docs/api.md, Errors). */
export const errorBody = z.looseObject({
  message: z.union([z.string(), z.array(z.string())]),
  error: z.string(),
  statusCode: z.int(),
})

/**
 * The header of answers while an index is behind its node (docs/api.md, What is not indexed yet): each chain with the heights
 * of its index and of its node.
 */
export const notIndexedHeader = 'x-not-indexed'
