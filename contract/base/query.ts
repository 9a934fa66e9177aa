import { z } from 'zod'
import { sortOrder } from './fields.ts'

/**
 * The page sizes of docs/api.md, Keys and limits, by the kind of list. A list that the table leaves out has
 * the bounds of the hosted service.
 */
export const pageBounds = {
  activity: { min: 1, max: 100, default: 10 },
  balances: { min: 1, max: 500, default: 10 },
  registry: { min: 1, max: 10_000, default: 100 },
} as const

/** The most items that a comma separated list of a query may name: a guard of ours. */
export const maxListed = 64

/** A boolean of a query string: `true` or `false`, and nothing that merely looks like it. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
    error: 'must be true or false',
  })
  .meta({ wire: { type: 'boolean' } })

/** A percentage of a query string, 0 to 100, as JSON writes numbers. */
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

/** `sortOrder` of a list that shows the latest items first unless asked otherwise. */
export const latestFirst = sortOrder.default('desc')
