import { isAddress, type AbiParameter } from 'viem'

/** Maximum number of values in all arguments of a call together. */
const maxValues = 4_096

/** The errors in the arguments of a call: one line each, beginning with the argument's position. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('; '))
    this.problems = problems
  }
}

/** A parameter's full type, with tuple components: `(address,uint256)[]`. */
export function typeText(parameter: AbiParameter): string {
  if (!parameter.type.startsWith('tuple')) return parameter.type
  return `(${componentsOf(parameter).map(typeText).join(',')})${parameter.type.slice('tuple'.length)}`
}

/** The parameters without names, so that tuple values are ordered lists and independent of names. */
export function nameless<Parameter extends AbiParameter>(parameters: readonly Parameter[]): Parameter[] {
  return parameters.map((parameter) => {
    const { name: _name, ...rest } = parameter
    const components = componentsOf(parameter)
    return { ...rest, ...(components.length > 0 && { components: nameless(components) }) } as Parameter
  })
}

/** The components of a tuple; empty for any other type. */
export function componentsOf(parameter: AbiParameter): readonly AbiParameter[] {
  return 'components' in parameter ? (parameter.components as readonly AbiParameter[]) : []
}

/**
 * Parses arguments given as text: integers as decimal digits or 0x hex, `true` or `false`, addresses and
 * bytes as 0x hex, strings unchanged; lists and tuples as lists. Nothing is guessed or truncated. Throws an
 * ArgumentError.
 */
export function parseArguments(inputs: readonly AbiParameter[], args: readonly unknown[]): unknown[] {
  const reader = { problems: [] as string[], left: maxValues }
  if (args.length !== inputs.length) {
    throw new ArgumentError([`args: must be ${inputs.length} values, got ${args.length}`])
  }
  const values = inputs.map((input, index) => readValue(reader, input, args[index], `args.${index}`))
  if (reader.problems.length > 0) throw new ArgumentError(reader.problems.slice(0, 16))
  return values
}

type Reader = { readonly problems: string[]; left: number }

function readValue(reader: Reader, parameter: AbiParameter, value: unknown, place: string): unknown {
  const refuse = (expected: string): undefined => {
    reader.problems.push(`${place}: must be ${expected}`)
    return undefined
  }
  reader.left -= 1
  if (reader.left < 0) return refuse(`among at most ${maxValues} values in all`)
  const [, item, size] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
  if (item !== undefined) {
    if (!Array.isArray(value)) return refuse(`a list of ${typeText({ ...parameter, type: item })}`)
    if (size !== '' && value.length !== Number(size)) return refuse(`a list of ${size} values`)
    return value.map((part: unknown, index) =>
      readValue(reader, { ...parameter, type: item }, part, `${place}.${index}`),
    )
  }
  if (parameter.type === 'tuple') {
    const components = componentsOf(parameter)
    if (!Array.isArray(value) || value.length !== components.length) {
      return refuse(`a list of ${components.length} values, ${typeText(parameter)}`)
    }
    return components.map((component, index) =>
      readValue(reader, component, value[index], `${place}.${index}`),
    )
  }
  if (typeof value !== 'string') return refuse(`the text of a value of type ${parameter.type}`)
  return readText(parameter.type, value, refuse)
}

function readText(type: string, text: string, refuse: (expected: string) => undefined): unknown {
  if (type === 'string') return text
  if (type === 'bool') {
    return text === 'true' || text === 'false' ? text === 'true' : refuse('true or false')
  }
  if (type === 'address') {
    return isAddress(text) ? text : refuse('an address: 0x and 40 hex digits, with a right checksum if mixed')
  }
  const [, bytes] = /^bytes(\d*)$/.exec(type) ?? []
  if (bytes !== undefined || type === 'function') {
    const size = type === 'function' ? 24 : bytes === '' ? undefined : Number(bytes)
    const whole = /^0x([0-9a-fA-F]{2})*$/.test(text)
    if (whole && (size === undefined || text.length === 2 + 2 * size)) return text
    return refuse(size === undefined ? 'whole bytes in 0x hex' : `${size} bytes in 0x hex`)
  }
  const [, unsigned, bits] = /^(u?)int(\d*)$/.exec(type) ?? []
  if (unsigned === undefined) return refuse(`of another type: ${type} is not supported`)
  if (!/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text)) return refuse('a whole number')
  const value = BigInt(text)
  const width = BigInt(bits === '' ? 256 : (bits ?? 256))
  const [low, high] = unsigned ? [0n, 2n ** width] : [-(2n ** (width - 1n)), 2n ** (width - 1n)]
  // viem expects small integers as numbers, but accepts a bigint as well.
  return value >= low && value < high ? value : refuse(`a ${type}: from ${low} to ${high - 1n}`)
}
