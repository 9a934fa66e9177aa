import { type Hex, lower } from '../../kernel/hex.ts'
import { MethodError, badParam, kindOf } from './local.ts'

/** Checks the number of parameters, as the node does before it reads them. Throws `MethodError`. */
export function expectCount(params: readonly unknown[], least: number, most: number): void {
  if (params.length > most) throw new MethodError(`too many arguments, want at most ${most}`, -32602)
  for (let index = 0; index < least; index += 1) {
    if (params[index] === undefined) {
      throw new MethodError(`missing value for required argument ${index}`, -32602)
    }
  }
}

/** The parameter at `index` as text. Like the other readers it throws `MethodError` for a missing or wrong value. */
export function textParam(value: unknown, index: number): string {
  if (typeof value === 'string') return value
  if (value === undefined) throw new MethodError(`missing value for required argument ${index}`, -32602)
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type string`)
}

/** Bytes of any length. */
export function hexParam(value: unknown, index: number): Hex {
  const text = textParam(value, index)
  const into = 'into Go value of type hexutil.Bytes'
  if (!/^0x/i.test(text)) {
    throw badParam(index, `json: cannot unmarshal hex string without 0x prefix ${into}`)
  }
  if (!/^0x[0-9a-f]*$/i.test(text)) throw badParam(index, `json: cannot unmarshal invalid hex string ${into}`)
  if (text.length % 2 === 1) throw badParam(index, `json: cannot unmarshal hex string of odd length ${into}`)
  return lower(text as Hex)
}

function fixedParam(value: unknown, index: number, type: string, digits: number): Hex {
  const text = textParam(value, index)
  if (!/^0x/i.test(text)) {
    throw badParam(index, `json: cannot unmarshal hex string without 0x prefix into Go value of type ${type}`)
  }
  if (!/^0x[0-9a-f]*$/i.test(text)) {
    throw badParam(index, `json: cannot unmarshal invalid hex string into Go value of type ${type}`)
  }
  const length = text.length - 2
  if (length !== digits) throw badParam(index, `hex string has length ${length}, want ${digits} for ${type}`)
  return lower(text as Hex)
}

export function hashParam(value: unknown, index: number): Hex {
  return fixedParam(value, index, 'common.Hash', 64)
}

export function addressParam(value: unknown, index: number): Hex {
  return fixedParam(value, index, 'common.Address', 40)
}

/** A whole JSON number; `type` is `int`, or `uint64` for one that is not negative. */
export function numberParam(value: unknown, index: number, type: 'int' | 'uint64'): number {
  if (typeof value !== 'number') {
    throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`)
  }
  if (!Number.isInteger(value) || (type === 'uint64' && value < 0)) {
    throw badParam(index, `json: cannot unmarshal number ${value} into Go value of type ${type}`)
  }
  return value
}

export function flagParam(value: unknown, index: number): boolean {
  if (typeof value === 'boolean') return value
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type bool`)
}

/** An optional parameter: an object of this Go type, or undefined. */
export function optionsParam(
  value: unknown,
  index: number,
  type: string,
): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`)
}
