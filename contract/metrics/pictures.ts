import * as z from 'zod/mini'
import { networkName, queryInteger } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { metricNames } from './catalogue.ts'
import { derivedNames } from './derived.ts'
import { timeIntervals } from './intervals.ts'
import { metricsChainId } from './metrics.ts'
import { networkMetricNames } from './network-catalogue.ts'
import { COMPARE_SEPARATOR, mostSeries, rangePresets, viewModes, viewScales } from './view.ts'

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
export const mostPeriods = 10_000

const sized = (bounds: { min: number; max: number; default: number }, about: string) =>
  z._default(queryInteger(bounds), bounds.default).with(z.describe(about))

const compared = z
  .string()
  .check(
    z.maxLength(500),
    z.regex(
      new RegExp(`^[0-9A-Za-z]{1,64}(?:${COMPARE_SEPARATOR}[0-9A-Za-z]{1,64}){0,${mostSeries - 2}}$`),
      `must be 1 to ${mostSeries - 1} chain ids, joined by ${COMPARE_SEPARATOR}`,
    ),
    z.describe(`Chains to compare with, joined by \`${COMPARE_SEPARATOR}\``),
  )

/** As many digits as the pages read. */
const unixSeconds = queryInteger({ min: 0, max: 999_999_999_999 })

const theme = z.enum(['light', 'dark'])

/** The query of a page with one large chart, and the form of the picture. */
const pictureQuery = {
  range: z.optional(z.enum(rangePresets)).with(z.describe('A range that ends now; 90 days by default')),
  from: z
    .optional(unixSeconds)
    .with(z.describe('Unix seconds, with `to` instead of `range`: the first period')),
  to: z.optional(unixSeconds).with(z.describe('Unix seconds: the end, exclusive')),
  interval: z
    .optional(z.enum(timeIntervals))
    .with(z.describe('Hours for up to eight days and days for more by default, if the metric supports them')),
  scale: z
    ._default(z.enum(viewScales), 'auto')
    .with(
      z.describe(
        'Whether the value axis starts at zero or is fitted to the values; by default sums start at zero',
      ),
    ),
  second: z
    .optional(z.string().check(z.minLength(1), z.maxLength(120)))
    .with(
      z.describe('A second series on an axis of its own: its name, or a chain or network, `/` and its name'),
    ),
  theme: z._default(theme, 'light'),
  width: sized(pictureBounds.width, 'CSS pixels'),
  height: sized(pictureBounds.height, 'CSS pixels'),
  density: sized(pictureBounds.density, 'Pixels of a PNG for each CSS pixel'),
}

const format = z.enum(['svg', 'png'])
const ofChain = { chainId: metricsChainId, metric: z.enum([...metricNames, ...derivedNames]) }
const ofNetwork = { network: networkName, metric: z.enum(networkMetricNames) }

/** The query of a page for iframes: the density is the reader's, and without a theme it is too. */
const { density: _, ...frameQuery } = {
  ...pictureQuery,
  theme: z.optional(theme).with(z.describe('By default that of the reader’s system')),
}

/** What only the charts of chains have. */
const comparison = {
  compare: z.optional(compared),
  mode: z
    ._default(z.enum(viewModes), 'plain')
    .with(z.describe('How compared chains are drawn; `stacked` needs sums in one unit')),
}

/** What both operations say of themselves. */
const description =
  'The chart of the page with the same path and query, without `/embed`. The answer has an ETag that changes with the data.'

/** Only in Ridgeline: `/embed/chain/{chainId}/metrics/{metric}.{format}` (docs/embedding.md). */
export const getMetricPicture = operation({
  id: 'getMetricPicture',
  api: 'ridgeline',
  path: '/embed/chain/{chainId}/metrics/{metric}.{format}',
  summary: 'The chart of a metric of a chain, as SVG or PNG',
  description,
  tag: 'Pictures',
  params: z.object({ ...ofChain, format }),
  query: z.object({ ...pictureQuery, ...comparison }),
  response: z.unknown(),
  mediaTypes: Object.values(pictureTypes),
})

/** Only in Ridgeline: `/embed/networks/{network}/metrics/{metric}.{format}` (docs/embedding.md). */
export const getNetworkMetricPicture = operation({
  id: 'getNetworkMetricPicture',
  api: 'ridgeline',
  path: '/embed/networks/{network}/metrics/{metric}.{format}',
  summary: 'The chart of a metric of a network, as SVG or PNG',
  description,
  tag: 'Pictures',
  params: z.object({ ...ofNetwork, format }),
  query: z.object(pictureQuery),
  response: z.unknown(),
  mediaTypes: Object.values(pictureTypes),
})

const frameDescription =
  'A page for an iframe: the chart as a picture that follows the data, and a link to its page. It may be framed by the sites that the settings list (docs/embedding.md).'

/** Only in Ridgeline: `/embed/chain/{chainId}/metrics/{metric}` (docs/embedding.md). */
export const getMetricFrame = operation({
  id: 'getMetricFrame',
  api: 'ridgeline',
  path: '/embed/chain/{chainId}/metrics/{metric}',
  summary: 'The chart of a metric of a chain, for an iframe',
  description: frameDescription,
  tag: 'Pictures',
  params: z.object(ofChain),
  query: z.object({ ...frameQuery, ...comparison }),
  response: z.unknown(),
  mediaTypes: ['text/html'],
})

/** Only in Ridgeline: `/embed/networks/{network}/metrics/{metric}` (docs/embedding.md). */
export const getNetworkMetricFrame = operation({
  id: 'getNetworkMetricFrame',
  api: 'ridgeline',
  path: '/embed/networks/{network}/metrics/{metric}',
  summary: 'The chart of a metric of a network, for an iframe',
  description: frameDescription,
  tag: 'Pictures',
  params: z.object(ofNetwork),
  query: z.object(frameQuery),
  response: z.unknown(),
  mediaTypes: ['text/html'],
})
