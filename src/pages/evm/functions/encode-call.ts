import { encodeAbiParameters, toFunctionSelector, type AbiParameter, type Hex } from 'viem'
import { itemOf, parameterOf, type Parameter, type Value } from './parameters.ts'
import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'

/** A parameter as the encoder takes it; without names, tuples are lists in order. */
function abiOf({ type, components }: Parameter): AbiParameter {
  if (!components) return { type }
  return { type: `tuple${type.slice(type.lastIndexOf(')') + 1)}`, components: components.map(abiOf) }
}

/** A text as the value that the encoder takes. */
function valueOf(parameter: Parameter, value: Value): unknown {
  if (typeof value !== 'string') {
    const item = itemOf(parameter)?.item
    return value.map((part, index) => {
      const inner = item ?? parameter.components?.[index]
      if (!inner) throw new Error(`${parameter.type} has no part ${index + 1}`)
      return valueOf(inner, part)
    })
  }
  if (/^u?int/.test(parameter.type)) return BigInt(value)
  return parameter.type === 'bool' ? value === 'true' : value
}

/** The data of a call. Throws an Error, whose message says why, for an argument out of the range of its type. */
export function encodeCall({ signature, inputs }: AbiFunction, args: readonly Value[]): Hex {
  const parameters = inputs.map(parameterOf)
  const values = parameters.map((parameter, index) => valueOf(parameter, args[index] ?? ''))
  const encoded = encodeAbiParameters(parameters.map(abiOf), values)
  return `${toFunctionSelector(signature)}${encoded.slice(2)}`
}
