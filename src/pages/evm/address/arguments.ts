import { parseLossless } from '../../../../contract/base/json.ts'

/** A call's argument for the service, or why the input is invalid. */
type Argument = { value: string | unknown[] } | { wrong: string }

const isList = (type: string): boolean => type.endsWith(']') || type.startsWith('tuple')

/** The placeholder of a type's field. */
export function hintOf(type: string): string {
  if (isList(type)) return 'a JSON list, such as ["1", "2"]'
  if (type === 'address') return '0x and 40 hex digits'
  if (type === 'bool') return 'true or false'
  if (/^u?int/.test(type)) return 'a whole number'
  if (type === 'bytes') return '0x and hex digits'
  if (/^bytes\d+$/.test(type)) return `0x and ${Number(type.slice(5)) * 2} hex digits`
  return ''
}

const grouped = /[,_\s]/g

/** All numbers and booleans of a list as text: the service accepts arguments as text only. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText)
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : value
}

/** Parses user input as an argument of an ABI type. The service checks the ranges. */
export function readArgument(typed: string, type: string): Argument {
  const text = typed.trim()
  if (isList(type)) {
    try {
      const list = parseLossless(text)
      return Array.isArray(list) ? { value: list.map(asText) } : { wrong: 'Give a JSON list.' }
    } catch {
      return { wrong: 'Give a JSON list, such as ["1", "2"].' }
    }
  }
  if (type === 'string') return { value: typed }
  const bytes = /^bytes(\d+)$/.exec(type)?.[1]
  if (type === 'address')
    return /^0x[0-9a-fA-F]{40}$/.test(text)
      ? { value: text }
      : { wrong: 'An address is 0x and 40 hex digits.' }
  if (type === 'bool') return /^(true|false)$/.test(text) ? { value: text } : { wrong: 'Give true or false.' }
  if (/^u?int/.test(type)) {
    const digits = text.replaceAll(grouped, '')
    return (type.startsWith('u') ? /^(\d+|0x[0-9a-fA-F]+)$/ : /^-?\d+$/).test(digits)
      ? { value: digits }
      : { wrong: 'Give a whole number.' }
  }
  if (bytes !== undefined)
    return new RegExp(`^0x[0-9a-fA-F]{${Number(bytes) * 2}}$`).test(text)
      ? { value: text }
      : { wrong: `Give 0x and ${Number(bytes) * 2} hex digits.` }
  if (type === 'bytes')
    return /^0x([0-9a-fA-F]{2})*$/.test(text)
      ? { value: text }
      : { wrong: 'Give 0x and pairs of hex digits.' }
  return { value: text }
}
