import { ApiError } from '../../../api/errors.ts'

/** A failure in words, with the status of the service if it sent one. */
export const messageOf = (error: Error): string =>
  error instanceof ApiError && error.status !== 0
    ? `${error.status} ${error.name}: ${error.message}`
    : error.message
