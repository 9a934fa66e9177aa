import { z } from 'zod'
import { currencyCodes } from '../../contract/fields.ts'
import { decimalPattern } from './decimal.ts'

/** A currency of interface.md, Conventions. */
export type Currency = (typeof currencyCodes)[number]

/** Seconds of a UTC day. */
export const secondsPerDay = 86_400

const isDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && dayOf(time / 1000) === text
}
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'a day such as 2026-11-21')
  .refine(isDay, { error: 'a day of the calendar' })
const price = z.string().regex(decimalPattern, 'a decimal as text, such as "25.1"')

/** Prices as a file and as an answer of a price source: for each asset and UTC day, by currency. */
const priceDocument = z.object({
  label: z.string().min(1).max(64).optional(),
  assets: z.array(
    z.object({
      id: z
        .string()
        .regex(/^(native:\d+|erc20:\d+:0x[0-9a-fA-F]{40})$/, '"native:<chain>" or "erc20:<chain>:<address>"'),
      prices: z.record(day, z.partialRecord(z.enum(currencyCodes), price)),
    }),
  ),
})

/** The prices of a document by asset id (addresses in lower case), then by day. */
export class PriceBook {
  readonly label: string | undefined
  readonly #assets = new Map<string, Map<string, Partial<Record<Currency, string>>>>()

  /** Throws a z.ZodError for what is no price document. */
  constructor(document: unknown) {
    const { label, assets } = priceDocument.parse(document)
    this.label = label
    for (const { id, prices } of assets) {
      const key = id.toLowerCase()
      const days = this.#assets.get(key) ?? new Map<string, Partial<Record<Currency, string>>>()
      for (const [date, byCurrency] of Object.entries(prices)) days.set(date, byCurrency)
      this.#assets.set(key, days)
    }
  }

  /** The price of the newest day not after the asked one, at most seven days old; undefined without one. */
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

/** How many days old a price may be. */
export const oldestPrice = 7

/** Whether a time lies in a year of four digits: a chain may say anything. */
export const isDayKnown = (timestamp: number): boolean => timestamp >= 0 && timestamp < 253_402_300_800

/** The UTC day of a time in Unix seconds, such as 2026-11-21. */
export function dayOf(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString().slice(0, 10)
}
