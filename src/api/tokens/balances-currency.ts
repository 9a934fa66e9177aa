import { currencyCodes } from '../../../contract/base/currency.ts'
import { createStoredStore } from '../../lib/storage/store.ts'

/** One of the fourteen currencies of the API reference. */
export type Currency = (typeof currencyCodes)[number]

const isKnown = (code: unknown): code is Currency => (currencyCodes as readonly unknown[]).includes(code)

/** The currency of fiat values, stored in the browser. */
export const currency = createStoredStore<Currency>('ridgeline.currency', (stored) =>
  isKnown(stored) ? stored : 'usd',
)
