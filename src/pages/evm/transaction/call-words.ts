import type { CallData } from '../../../../contract/evm/transaction-calls.ts'
import { safeText, shorten } from '../../../lib/text.ts'

/** The longest text of one value, and of a function's name, in a line of the tree. */
const maxText = 40

/** More elements of a list or a tuple than these are counted. */
const maxElements = 3

type Value = { readonly type: string; readonly value: unknown }

/** Digits without separators: commas are between the values. */
function short({ type, value }: Value): string {
  if (Array.isArray(value)) {
    const more = value.length > maxElements ? `, ${value.length - maxElements} more` : ''
    const element = type.replace(/\[\d*\]$/, '')
    return `[${list(value.slice(0, maxElements).map((one: unknown) => ({ type: element, value: one })))}${more}]`
  }
  if (typeof value !== 'string') return safeText(JSON.stringify(value), maxText)
  if (type === 'string') return `“${safeText(value, maxText)}”`
  return value.startsWith('0x') ? shorten(value) : safeText(value, maxText)
}

const list = (values: readonly Value[]): string => values.map(short).join(', ')

/** A call in one line: `transfer(0x12345678…abcdef, 500) → true`; undefined if its function is not known. */
export function callWords({ call, results = [] }: Pick<CallData, 'call' | 'results'>): string | undefined {
  if (!call) return undefined
  const returned = results.length > 0 ? ` → ${list(results)}` : ''
  return `${safeText(call.name, maxText)}(${list(call.args)})${returned}`
}
