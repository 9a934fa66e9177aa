import { hexOf, type BareHex } from '../../protocol/ids/bare-hex.ts'

/** A value with its bytes converted to hex, the form in which the ledger keeps ids. */
export type Hexed<T> = T extends Uint8Array
  ? BareHex
  : T extends readonly (infer Item)[]
    ? readonly Hexed<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Hexed<T[Key]> }
      : T

/** Converts the result of the protocol's decoder to the ledger's form. */
export function hexed<T>(value: T): Hexed<T> {
  return hexedValue(value) as Hexed<T>
}

function hexedValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return hexOf(value)
  if (Array.isArray(value)) return value.map(hexedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hexedValue(each)]))
}
