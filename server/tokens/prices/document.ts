import { z } from 'zod'
import { currencyCodes } from '../../../contract/base/currency.ts'
import { decimalPattern } from './decimal.ts'

/** A currency of docs/api.md, Answers. */
export type Currency = (typeof currencyCodes)[number]

/** Seconds of a UTC day. */
const secondsPerDay = 86_400

/** An error in a price document: its location, and what is allowed there. */
export class PriceDocumentError extends Error {
  override readonly name = 'PriceDocumentError'
}

/**
 * The format of a price file and of a price source's answer: prices by currency for each asset and UTC day.
 */
const outline = z.object({
  label: z.string().min(1).max(64).optional(),
  assets: z.array(
    z.object({
      id: z
        .string()
        .regex(/^(native:\d+|erc20:\d+:0x[0-9a-fA-F]{40})$/, '"native:<chain>" or "erc20:<chain>:<address>"'),
      prices: z.looseObject({}),
    }),
  ),
})

const currencies: ReadonlySet<string> = new Set(currencyCodes)
type Day = Readonly<Partial<Record<Currency, string>>>

/**
 * Validates the prices of one day. Hand-written, because a schema takes half a second for a few assets over
 * years.
 */
function readDay(place: string, value: unknown): Day {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PriceDocumentError(`${place}: must be an object of prices by currency`)
  }
  for (const [currency, price] of Object.entries(value)) {
    if (!currencies.has(currency)) {
      throw new PriceDocumentError(`${place}: ${currency.slice(0, 20)} is not a currency of the interface`)
    }
    if (typeof price !== 'string' || !decimalPattern.test(price)) {
      throw new PriceDocumentError(`${place}.${currency}: must be a decimal as text, such as "25.1"`)
    }
  }
  return value
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && dayOf(time / 1000) === text
}

/** The prices of a document by asset id (addresses in lower case), then by day. */
export class PriceBook {
  readonly label: string | undefined
  readonly #assets = new Map<string, Map<string, Day>>()

  /** Throws a PriceDocumentError for an invalid document. */
  constructor(document: unknown) {
    const parsed = outline.safeParse(document)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new PriceDocumentError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'no price document'}`)
    }
    this.label = parsed.data.label
    const known = new Set<string>()
    for (const { id, prices } of parsed.data.assets) {
      const key = id.toLowerCase()
      const days = this.#assets.get(key) ?? new Map<string, Day>()
      for (const [date, value] of Object.entries(prices)) {
        if (!known.has(date) && !isDay(date)) {
          throw new PriceDocumentError(`${id}.${date.slice(0, 20)}: must be a day such as 2026-11-21`)
        }
        known.add(date)
        days.set(date, readDay(`${id}.${date}`, value))
      }
      this.#assets.set(key, days)
    }
  }

  /** The price of the newest day up to the given one, at most seven days old; undefined if there is none. */
  priceOf(asset: string, date: string, currency: Currency): string | undefined {
    const days = this.#assets.get(asset.toLowerCase())
    if (!days) return undefined
    const last = Date.parse(`${date}T00:00:00Z`) / 1000
    for (let age = 0; age <= oldestPrice; age += 1) {
      const found = days.get(dayOf(last - age * secondsPerDay))?.[currency]
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Maximum age of a price in days. */
const oldestPrice = 7

/** Whether a time is in a four-digit year: chains may contain any value. */
export const isDayKnown = (timestamp: number): boolean => timestamp >= 0 && timestamp < 253_402_300_800

/** The UTC day of a time in Unix seconds, such as 2026-11-21. */
export function dayOf(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString().slice(0, 10)
}
