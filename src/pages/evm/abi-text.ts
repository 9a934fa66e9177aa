import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'

/** A value of an ABI type, as the service sends it: text, or a list of such for lists and tuples. */
type Typed = { readonly type: string; readonly value: unknown }

/** The name in a signature: `transfer` of `transfer(address,uint256)`. */
export const nameIn = (signature: string): string => signature.slice(0, signature.indexOf('('))

/** The address that a value is; undefined if it is none. */
export const addressIn = ({ type, value }: Typed): string | undefined =>
  type === 'address' && typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value : undefined

/** A value in one line: numbers with separators, and texts, which are a stranger's, at most `max` long. */
export function valueText({ type, value }: Typed, max: number): string {
  if (typeof value !== 'string') return safeText(JSON.stringify(value), Infinity)
  if (/^u?int\d*$/.test(type)) return formatInteger(value)
  return type === 'string' ? safeText(value, max) : value
}
