/** An error with the node's text. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
}

/** The result of `work`. A `ServiceError` in it gets `before` in front of its text. */
export function explained<T>(before: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(before + error.message, { cause: error })
  }
}

/** The arguments are not those that the method takes. */
export class ArgumentError extends ServiceError {
  override readonly name = 'ArgumentError'

  constructor() {
    super(
      "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls",
    )
  }
}
