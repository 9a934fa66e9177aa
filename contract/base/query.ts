import * as z from 'zod/mini'
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
  .union(
    [
      z.boolean(),
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ),
    ],
    {
      error: 'must be true or false',
    },
  )
  .with(z.meta({ wire: { type: 'boolean' } }))

/** A percentage in a query string, 0 to 100, in JSON number format. */
export const percentage = z
  .pipe(
    z.union(
      [
        z.number(),
        z.pipe(z.string().check(z.regex(/^\d{1,3}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i)), z.transform(Number)),
      ],
      {
        error: 'must be a percentage from 0 to 100',
      },
    ),
    z.number().check(z.gte(0), z.lte(100)),
  )
  .with(z.meta({ wire: { type: 'number', minimum: 0, maximum: 100 } }))

/** `sortOrder` of a list that is ordered latest first by default. */
export const latestFirst = z._default(sortOrder, 'desc')
