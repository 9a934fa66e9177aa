/** An error with the node's text. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
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
