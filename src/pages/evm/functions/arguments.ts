/** A call's argument for the service, or why the input is invalid. */
type Argument = { value: string } | { wrong: string }

/** The placeholder of a type's field. */
export function hintOf(type: string): string {
  if (type === 'address') return '0x and 40 hex digits'
  if (type === 'bool') return 'true or false'
  if (/^u?int/.test(type)) return 'a whole number'
  if (type === 'bytes') return '0x and hex digits'
  if (/^bytes\d+$/.test(type)) return `0x and ${Number(type.slice(5)) * 2} hex digits`
  return ''
}

const grouped = /[,_\s]/g

/** Parses user input as an argument of an ABI type that is neither a list nor a tuple. The service checks the ranges. */
export function readArgument(typed: string, type: string): Argument {
  const text = typed.trim()
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
