import { errorBody } from '../../../contract/base/errors.ts'
import { parseLossless } from '../../../contract/base/json.ts'
import {
  requestPath,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '../../../contract/base/operation.ts'

/** A request to the service, in the name of whoever called the tool. */
type ServiceRequest = { readonly method: string; readonly path: string; readonly body?: string }
type ServiceAnswer = { readonly status: number; readonly body: string }

/** Sends a request to the service and resolves with its answer, whatever its status. */
export type Send = (request: ServiceRequest) => Promise<ServiceAnswer>

/** An answer of the service other than a success: its status, and its message for the caller. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Input<O extends Operation> = {
  readonly params?: ParamsOf<O>
  readonly query?: QueryOf<O>
  readonly body?: BodyOf<O>
}

/**
 * Asks the operations of the contract by requests, as every other client does: with the limits, privileges and errors that
 * the caller has there.
 */
export class Ask {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The answer of an operation. Throws a RefusedError for any status but success. */
  async operation<O extends Operation>(
    operation: O,
    { params, query, body }: Input<O>,
  ): Promise<ResponseOf<O>> {
    const answer = await this.#send({
      method: operation.method,
      path: requestPath(operation, params, query),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.status !== operation.success) throw refusalOf(answer)
    return operation.response.parse(parseLossless(answer.body)) as ResponseOf<O>
  }

  /** The same; undefined if there is nothing (404). */
  async found<O extends Operation>(operation: O, input: Input<O>): Promise<ResponseOf<O> | undefined> {
    try {
      return await this.operation(operation, input)
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return undefined
      throw error
    }
  }

  /** The answer of a path of the service that is not an operation, whatever its status. */
  async path(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const { status, body } = await this.#send({ method: 'GET', path })
    return { status, body: JSON.parse(body) as unknown }
  }
}

/** The refusal in an answer: the message of its body (docs/api.md, Errors), or its status alone. */
function refusalOf({ status, body }: ServiceAnswer): RefusedError {
  const { data } = errorBody.safeParse(jsonOf(body))
  const detail =
    data === undefined ? 'the service answers without a reason' : [data.message].flat().join('; ')
  return new RefusedError(status, `${status}: ${detail}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
