import { HttpError } from '../kernel/http-errors.ts'
import type { FailureClass, Job } from './messages.ts'

/** Why a job ended early. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly class: FailureClass
  constructor(failure: FailureClass, message: string, cause?: unknown) {
    super(message, { cause })
    this.class = failure
  }
}

export const tooSlow = ({ seconds }: Pick<Job, 'seconds'>): string =>
  `the statement ran for more than ${seconds} s: narrow it, for example to fewer blocks`
export const tooLarge = ({ memoryMegabytes }: Pick<Job, 'memoryMegabytes'>): string =>
  `the statement needs more than ${memoryMegabytes} MB of memory: narrow it, for example to fewer blocks or columns`

const statuses = { statement: 400, limit: 422 } as const

/** What the caller reads of a failure: nothing of the inside of the engine. */
export const messageFor = (failure: JobFailure): string =>
  failure.class === 'internal' ? 'the engine failed' : failure.message

/** The failure as the caller gets it; one of the engine itself stays what it is. */
export function httpError(failure: JobFailure): Error {
  return failure.class === 'internal'
    ? failure
    : new HttpError(statuses[failure.class], failure.message, { cause: failure })
}
