import { z } from 'zod'
import { sortOrder } from './fields.ts'

/**
 * The page sizes of docs/api.md, Keys and limits, by kind of list. Other lists have the limits of the hosted
 * service.
 */
export const pageBounds = {
  activity: { min: 1, max: 100, default: 10 },
  balances: { min: 1, max: 500, default: 10 },
  registry: { min: 1, max: 10_000, default: 100 },
} as const

/** The maximum number of items in a comma-separated list of a query: a limit of this service. */
export const maxListed = 64

/** A boolean in a query string: only `true` or `false`. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
    error: 'must be true or false',
  })
  .meta({ wire: { type: 'boolean' } })

/** A percentage in a query string, 0 to 100, in JSON number format. */
export const percentage = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,3}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i)
        .transform(Number),
    ],
    {
      error: 'must be a percentage from 0 to 100',
    },
  )
  .pipe(z.number().min(0).max(100))
  .meta({ wire: { type: 'number', minimum: 0, maximum: 100 } })

/** `sortOrder` of a list that is ordered latest first by default. */
export const latestFirst = sortOrder.default('desc')
