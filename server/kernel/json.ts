import { RetryableError } from './errors.ts'

/** A JSON object of a node's answer, before validation. */
export type JsonObject = { readonly [key: string]: unknown }

/** The error for an answer that does not have the form its method promises; the caller should ask again. */
export function refuse(message: string): RetryableError {
  return new RetryableError('refused', message)
}

/** Returns a JSON object, or throws a refusal. */
export function object(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`${what} is not an object`)
  return value as JsonObject
}

/** Returns a JSON list, or throws a refusal. */
export function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw refuse(`${what} is not a list`)
  return value
}

const quantityForm = /^0x[0-9a-fA-F]{1,64}$/
const anyHex = /^0x[0-9a-fA-F]*$/
/** A block is mostly such text. A loop over one range of characters is the fastest way to read it. */
const lowerHex = /^0x[0-9a-f]*$/

/** An unsigned integer of at most 256 bits, such as `0x1f`. */
export function quantity(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !quantityForm.test(value)) throw refuse(`${what} is not a quantity`)
  return BigInt(value)
}

/** An unsigned integer that a JavaScript number represents exactly. */
export function integer(value: unknown, what: string): number {
  if (typeof value !== 'string' || !quantityForm.test(value)) throw refuse(`${what} is not a quantity`)
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw refuse(`${what} is out of range`)
  return number
}

/** A quantity that may be absent. */
export function optionalQuantity(value: unknown, what: string): bigint | undefined {
  return value === undefined || value === null ? undefined : quantity(value, what)
}

/** Bytes as 0x text in lower case, with `size` bytes if given. */
export function hex(value: unknown, what: string, size?: number): string {
  if (typeof value !== 'string') throw refuse(`${what} is not hex text`)
  if (size !== undefined && value.length !== 2 + size * 2) throw refuse(`${what} is not ${size} bytes long`)
  if (value.length % 2 !== 0) throw refuse(`${what} is not hex text`)
  if (lowerHex.test(value)) return value
  if (anyHex.test(value)) return value.toLowerCase()
  throw refuse(`${what} is not hex text`)
}

/** Like `hex`, for a value that may be null or absent. */
export function optionalHex(value: unknown, what: string, size?: number): string | undefined {
  return value === undefined || value === null ? undefined : hex(value, what, size)
}
