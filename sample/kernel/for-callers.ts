/** A promise whose callers see its rejection: before the first call, the rejection must not end the process. */
export function forCallers<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
