import type { Hex } from 'viem'
import { MethodError, badParam, kindOf, type LocalMethod } from './local.ts'

/** Checks the number of parameters, as the node does before it reads them. Throws `MethodError`. */
export function expectCount(params: readonly unknown[], least: number, max: number): void {
  if (params.length > max) throw new MethodError(`too many arguments, want at most ${max}`, -32602)
  for (let index = 0; index < least; index += 1) if (params[index] === undefined) throw missingParam(index)
}

/** The parameter at `index` as text. Like the other readers it throws `MethodError` for a missing or wrong value. */
function textParam(value: unknown, index: number): string {
  if (typeof value === 'string') return value
  if (value === undefined) throw missingParam(index)
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type string`)
}

function missingParam(index: number): MethodError {
  return new MethodError(`missing value for required argument ${index}`, -32602)
}

/** The digits of a text in hex, which a value of this Go type must be. */
function digitsParam(value: unknown, index: number, type: string): string {
  const text = textParam(value, index)
  const into = `into Go value of type ${type}`
  if (!/^0x/i.test(text)) {
    throw badParam(index, `json: cannot unmarshal hex string without 0x prefix ${into}`)
  }
  if (!/^0x[0-9a-f]*$/i.test(text)) throw badParam(index, `json: cannot unmarshal invalid hex string ${into}`)
  return text.slice(2).toLowerCase()
}

/** Bytes of any length. */
function hexParam(value: unknown, index: number): Hex {
  const type = 'hexutil.Bytes'
  const digits = digitsParam(value, index, type)
  if (digits.length % 2 === 0) return `0x${digits}`
  throw badParam(index, `json: cannot unmarshal hex string of odd length into Go value of type ${type}`)
}

function fixedParam(value: unknown, index: number, type: string, length: number): Hex {
  const digits = digitsParam(value, index, type)
  if (digits.length === length) return `0x${digits}`
  throw badParam(index, `hex string has length ${digits.length}, want ${length} for ${type}`)
}

export function hashParam(value: unknown, index: number): Hex {
  return fixedParam(value, index, 'common.Hash', 64)
}

export function addressParam(value: unknown, index: number): Hex {
  return fixedParam(value, index, 'common.Address', 40)
}

/** A whole JSON number; `type` is `int`, or `uint64` for one that is not negative. */
function numberParam(value: unknown, index: number, type: 'int' | 'uint64'): number {
  if (typeof value !== 'number') {
    throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}`)
  }
  if (!Number.isInteger(value) || (type === 'uint64' && value < 0)) {
    throw badParam(index, `json: cannot unmarshal number ${value} into Go value of type ${type}`)
  }
  return value
}

function flagParam(value: unknown, index: number): boolean {
  if (typeof value === 'boolean') return value
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type bool`)
}

type Options = Readonly<Record<string, unknown>>

function tracerParam(value: unknown, index: number): Options {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Options
  throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type tracers.TraceConfig`)
}

/** The kinds of parameters in a signature. `any` is for what the method itself reads, such as blocks. */
const readers = {
  any: (value: unknown) => value,
  text: textParam,
  hex: hexParam,
  hash: hashParam,
  address: addressParam,
  int: (value: unknown, index: number) => numberParam(value, index, 'int'),
  uint64: (value: unknown, index: number) => numberParam(value, index, 'uint64'),
  flag: flagParam,
  tracer: tracerParam,
}

type Kind = keyof typeof readers
/** A kind; with `?` the parameter may be absent or null. */
type Place = Kind | `${Kind}?`
type Value<P extends Place> = P extends `${infer K extends Kind}?`
  ? ReturnType<(typeof readers)[K]> | undefined
  : P extends Kind
    ? ReturnType<(typeof readers)[P]>
    : never

/** The method with this signature, whose parameters are read as the node reads them. */
export function taking<const Places extends readonly Place[]>(
  places: Places,
  answer: (...values: { [At in keyof Places]: Value<Places[At]> }) => unknown,
): LocalMethod {
  function read(place: Place, value: unknown, index: number): unknown {
    const isOptional = place.endsWith('?')
    if (isOptional && (value === undefined || value === null)) return undefined
    return readers[place.replace('?', '') as Kind](value, index)
  }

  return (params) => {
    expectCount(params, places.filter((place) => !place.endsWith('?')).length, places.length)
    const values = places.map((place, index) => read(place, params[index], index))
    return answer(...(values as { [At in keyof Places]: Value<Places[At]> }))
  }
}
