import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import { readArgument } from './arguments.ts'

type Described = AbiFunction['inputs'][number]

/** A parameter of a function; `components` are the parts of a tuple, or of a list of tuples. */
export type Parameter = {
  readonly name: string
  readonly type: string
  readonly components?: readonly Parameter[]
}

/** What somebody has typed for a parameter: a text, or one value for each part of a tuple or item of a list. */
export type Typed = string | readonly Typed[]

/** An argument as the service takes it: texts, and lists of them. */
export type Value = string | Value[]

/** A parameter as the service describes it. */
export const parameterOf = ({ name, type, components }: Described): Parameter => ({
  name,
  type,
  ...(components && { components: (components as Described[]).map(parameterOf) }),
})

const list = /^(.*)\[(\d*)\]$/

/** The parameter of each item of a list, and their number if it is fixed; undefined if it is not a list. */
export function itemOf(parameter: Parameter): { item: Parameter; size: number | undefined } | undefined {
  const [, type, size] = list.exec(parameter.type) ?? []
  if (type === undefined) return undefined
  return { item: { ...parameter, name: '', type }, size: size === '' ? undefined : Number(size) }
}

/** More items of a list than this are not drawn as fields. */
export const maxItems = 100

/** What is typed for a parameter at first. */
export function emptyValue(parameter: Parameter): Typed {
  const listed = itemOf(parameter)
  if (listed)
    return Array.from({ length: Math.min(listed.size ?? 0, maxItems) }, () => emptyValue(listed.item))
  return parameter.components ? parameter.components.map(emptyValue) : ''
}

/** The parameters of the parts of what was typed: those of a tuple, or the item of a list again and again. */
function partsOf(parameter: Parameter, count: number): readonly Parameter[] | undefined {
  const listed = itemOf(parameter)
  return listed ? Array.from({ length: count }, () => listed.item) : parameter.components
}

/**
 * The arguments that were typed, or what is wrong with them, by the places of the fields: `1.0` is the first part of the
 * second.
 */
export function readTyped(
  parameters: readonly Parameter[],
  typed: readonly Typed[],
): { values: Value[] } | { wrong: ReadonlyMap<string, string> } {
  const wrong = new Map<string, string>()
  const read = (parameter: Parameter, value: Typed, place: string): Value => {
    if (typeof value !== 'string')
      return (partsOf(parameter, value.length) ?? []).map((part, index) =>
        read(part, value[index] ?? '', `${place}.${index}`),
      )
    const argument = readArgument(value, parameter.type)
    if ('value' in argument) return argument.value
    wrong.set(place, argument.wrong)
    return ''
  }
  const values = parameters.map((parameter, index) => read(parameter, typed[index] ?? '', String(index)))
  return wrong.size > 0 ? { wrong } : { values }
}

/** What fields are filled with from a link; the empty fields if the values do not fit the parameters. */
export function typedOf(parameters: readonly Parameter[], values: unknown): Typed[] {
  const fit = (parameter: Parameter, value: unknown): Typed => {
    const parts = Array.isArray(value) ? partsOf(parameter, Math.min(value.length, maxItems)) : undefined
    if (parts) return parts.map((part, index) => fit(part, (value as unknown[])[index]))
    const isText = !itemOf(parameter) && !parameter.components
    return isText && typeof value === 'string' ? value : emptyValue(parameter)
  }
  const given: unknown[] = Array.isArray(values) ? values : []
  return parameters.map((parameter, index) => fit(parameter, given[index]))
}

/** A new value with one part of it replaced. */
export const withPart = (typed: readonly Typed[], index: number, part: Typed): Typed[] =>
  typed.map((value, at) => (at === index ? part : value))
