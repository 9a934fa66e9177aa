import * as z from 'zod/mini'
import { queryInteger } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { timeIntervals } from '../metrics/intervals.ts'
import { rangePresets, viewScales } from '../metrics/view.ts'

/** The formats of pictures with their media types. */
export const pictureTypes = { svg: 'image/svg+xml', png: 'image/png' } as const
export type PictureFormat = keyof typeof pictureTypes

/** The sizes of a picture, in CSS pixels; a PNG has `density` pixels for each of them. */
const pictureBounds = {
  width: { min: 320, max: 1600, default: 800 },
  height: { min: 180, max: 1000, default: 420 },
  density: { min: 1, max: 2, default: 1 },
} as const

/** The most periods of one series in a picture: more than it has pixels say nothing. */
export const maxPeriods = 10_000

const sized = (bounds: { min: number; max: number; default: number }, about: string) =>
  z._default(queryInteger(bounds), bounds.default).with(z.describe(about))

/** As many digits as the pages read. */
const unixSeconds = queryInteger({ min: 0, max: 999_999_999_999 })

const theme = z.enum(['light', 'dark'])
const size = {
  width: sized(pictureBounds.width, 'CSS pixels'),
  height: sized(pictureBounds.height, 'CSS pixels'),
}

/** The form of every picture. */
const pictureForm = {
  theme: z._default(theme, 'light'),
  ...size,
  density: sized(pictureBounds.density, 'Pixels of a PNG for each CSS pixel'),
}

/** The form of a page for iframes: the density is the reader's, and without a theme it is too. */
const frameForm = {
  theme: z.optional(theme).with(z.describe('Defaults to the theme of the reader’s system')),
  ...size,
}

/** The range of a chart over time. */
export const rangeQuery = {
  range: z.optional(z.enum(rangePresets)).with(z.describe('A range that ends now; 90 days by default')),
  from: z
    .optional(unixSeconds)
    .with(z.describe('Unix seconds, with `to` instead of `range`: the first period')),
  to: z.optional(unixSeconds).with(z.describe('Unix seconds: the end, exclusive')),
}

/** The periods of a chart over time. */
export const intervalQuery = {
  interval: z
    .optional(z.enum(timeIntervals))
    .with(z.describe('Hours for up to eight days and days for more by default, if the chart supports them')),
}

/** The value axis of a chart over time. */
export const scaleQuery = {
  scale: z
    ._default(z.enum(viewScales), 'auto')
    .with(
      z.describe(
        'Whether the value axis starts at zero or is fitted to the values; by default sums start at zero',
      ),
    ),
}

const format = z.enum(['svg', 'png'])
const tag = 'Pictures'
type Shape = Readonly<Record<string, z.ZodMiniType>>

/**
 * The operations of a chart: `/embed{path}.{format}` is its picture, and `/embed{path}` its page for iframes. `name`
 * makes their ids, and `chart` says what they show.
 */
export function pictureOperations<const P extends Shape, const Q extends Shape>({
  name,
  path,
  chart,
  params,
  query,
}: {
  readonly name: string
  readonly path: string
  readonly chart: string
  readonly params: P
  readonly query: Q
}) {
  return {
    picture: operation({
      id: `get${name}Picture`,
      path: `/embed${path}.{format}`,
      summary: `${chart}, as SVG or PNG`,
      description:
        'The chart of a page (docs/embedding.md). The answer has an ETag that changes with the data.',
      tag,
      params: z.object({ ...params, format }),
      query: z.object({ ...query, ...pictureForm }),
      response: z.unknown(),
      mediaTypes: Object.values(pictureTypes),
    }),
    frame: operation({
      id: `get${name}Frame`,
      path: `/embed${path}`,
      summary: `${chart}, for an iframe`,
      description:
        'A page for an iframe: the chart as a picture that follows the data, and a link to its page. It may be framed by the sites that the settings list (docs/embedding.md).',
      tag,
      params: z.object(params),
      query: z.object({ ...query, ...frameForm }),
      response: z.unknown(),
      mediaTypes: ['text/html'],
    }),
  }
}
