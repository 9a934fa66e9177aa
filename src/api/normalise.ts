import type { Profile } from '../../contract/profile.ts'
import { decimalText } from '../lib/json.ts'

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Hosted services send `PricedValue.value` as a number; the API reference has a decimal string. */
function priceAsText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(priceAsText)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, priceAsText(item)] as const)
  const copy = Object.fromEntries(entries)
  if (typeof copy['currencyCode'] === 'string') {
    const price = copy['value']
    if (typeof price === 'number') copy['value'] = decimalText(price)
    if (typeof price === 'bigint') copy['value'] = price.toString()
  }
  return copy
}

/** Hosted services send a holder's `sortKey` as text; the API reference has an integer. */
function sortKeyAsInteger(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['addresses'])) return value
  return {
    ...value,
    addresses: value['addresses'].map((row: unknown) => {
      const key = isObject(row) ? row['sortKey'] : undefined
      if (!isObject(row) || typeof key !== 'string' || !/^-?\d+$/.test(key)) return row
      const number = Number(key)
      return { ...row, sortKey: Number.isSafeInteger(number) ? number : BigInt(key) }
    }),
  }
}

/**
 * Converts an answer of the profile's deployment to the shape of the API reference, before it is parsed. All
 * differences of the hosted API in bodies are handled here.
 */
export function normalise(operationId: string, body: unknown, profile: Profile): unknown {
  let result = body
  if (profile.priceValue === 'number') result = priceAsText(result)
  if (profile.holderSortKey === 'string' && operationId === 'listHolders') result = sortKeyAsInteger(result)
  return result
}
