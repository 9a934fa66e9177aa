import * as z from 'zod/mini'
import { record } from './fields.ts'

/** The fourteen currencies of the API reference. */
export const currencyCodes = [
  'usd',
  'eur',
  'aud',
  'cad',
  'chf',
  'clp',
  'cny',
  'czk',
  'dkk',
  'gbp',
  'hkd',
  'huf',
  'jpy',
  'nzd',
] as const
export const currency = z
  ._default(z.enum(currencyCodes), 'usd')
  .with(z.describe('The currency of fiat values'))

/** PricedValue (docs/api.md, Answers): `value` is a decimal. */
export const pricedValue = record({ currencyCode: z.string(), value: z.string() })
