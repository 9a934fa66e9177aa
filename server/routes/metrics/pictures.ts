import { findSecondOf, viewSeries } from '../../../charts/catalogue/view-series.ts'
import type * as z from 'zod/mini'
import {
  getMetricPicture,
  getNetworkMetricPicture,
  pictureTypes,
  type PictureFormat,
} from '../../../contract/metrics/pictures.ts'
import { mostSeries } from '../../../contract/metrics/view.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import type { Owner, SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { groupOwner } from '../../../charts/catalogue/groups.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import {
  boundsOf,
  comparedChains,
  comparisonReasons,
  effectiveMode,
  sharedInterval,
  startOf,
  startsAtZero,
} from '../../../charts/catalogue/view.ts'
import { viewNote } from '../../../charts/catalogue/view-note.ts'
import { endsOpen } from '../../../charts/drawn-points.ts'
import { drawPicture, type Picture } from '../../../charts/picture.ts'
import { periodStart, rangeLabel } from '../../../charts/series/periods.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'
import { defaultRange, naturalInterval, type RangeChoice } from '../../../charts/series/range.ts'
import { hasTag, implement, MediaAnswer, weakTag, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest, unavailable } from '../../kernel/http-errors.ts'
import { KeptMedians } from '../../metrics/series.ts'
import { PictureCache } from '../../pictures/cache.ts'
import { NoCanvas, pngOf } from '../../pictures/png.ts'
import { svgOf } from '../../pictures/svg.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { checkPeriods, readPicturePoints, topicsOfSeries, type PictureSeries } from './picture-points.ts'

type ChainQuery = z.output<(typeof getMetricPicture)['query']>
type NetworkQuery = z.output<(typeof getNetworkMetricPicture)['query']>

/** A chart as its page would draw it: the chains, networks and series that a path and its query name. */
type View = {
  readonly kind: PictureSeries['kind']
  /** The chart's own chain or network first, then those compared with it. */
  readonly owners: readonly [Owner, ...Owner[]]
  readonly info: SeriesDefinition
  readonly second: { readonly facts: Owner; readonly info: SeriesDefinition } | undefined
  readonly mode: ChainQuery['mode']
}

/**
 * Pictures stay as they are: they run nothing and load nothing, also when opened directly, and every site may show
 * them. Browsers and proxies keep them, and ask whether the data has changed.
 */
const headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, no-cache',
} as const

/** The range of a query, as the pages read it. Throws a 400 where a page would fall back to its default. */
function rangeOf({ range, from, to }: Pick<NetworkQuery, 'range' | 'from' | 'to'>): RangeChoice {
  if (from === undefined && to === undefined) return range === undefined ? defaultRange : { preset: range }
  if (from === undefined || to === undefined)
    throw badRequest([`${from === undefined ? 'from' : 'to'}: is required, because the other end is given`])
  if (to <= from) throw badRequest(['to: must be after from'])
  return { from, to }
}

type Points = readonly (readonly SeriesPoint[])[]

/** How the picture of a view is made. Its points are the same for all sizes, themes and formats. */
type Plan = {
  readonly pointsKey: string
  /** What changes the points (events/hub.ts). */
  readonly topics: readonly string[]
  readonly readPoints: () => Promise<Points>
  /** All else that decides the drawing. */
  readonly form: string
  readonly draw: (points: Points) => Picture
}

/** Points as JSON text; integers of any size stay exact. */
const pointsText = (points: Points): string =>
  JSON.stringify(points, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

const pointsOf = (text: string): Points =>
  JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? BigInt(value) : value)) as Points

/** The charts of metrics as SVG and PNG (docs/embedding.md). */
export function pictureRoutes(context: RouteContext): Implementation[] {
  const { chains, config, headCache, clock } = context
  const medians = new KeptMedians()
  const cache = new PictureCache()

  const listed: readonly Owner[] = chains.all.map(({ id, config: { name, token } }, index) => ({
    chainId: id,
    name,
    symbol: token.symbol,
    decimals: token.decimals,
    index,
  }))
  const networks: readonly Owner[] = config.networks.map(({ id, name }) => ({
    chainId: id,
    name,
    symbol: 'AVAX',
    decimals: 9,
    index: 0,
  }))

  const chainOwner = (id: string): Owner => {
    const group = groupOwner(id)
    if (group !== null) return group
    const chain = chains.find(id)
    const found = listed.find(({ chainId }) => chainId === chain.id)
    if (found === undefined) throw new Error(`chain ${chain.id} is not in the list`)
    return found
  }

  /** The series of a view, in the order of `viewSeries`. */
  const seriesOf = ({ kind, owners, info, second }: View): PictureSeries[] => [
    ...owners.map((owner) => ({ kind, owner, info })),
    ...(second === undefined
      ? []
      : [
          {
            kind: networks.includes(second.facts) ? ('network' as const) : ('chain' as const),
            owner: second.facts,
            info: second.info,
          },
        ]),
  ]

  const plan = (view: View, query: NetworkQuery): Plan => {
    const { info, second, owners } = view
    const choice = rangeOf(query)
    const interval = sharedInterval(info, second?.info, query.interval ?? naturalInterval(choice))
    // The open period changes with the hour; within it, the same data makes the same picture.
    const now = periodStart(clock(), 'hour')
    const bounds = boundsOf(info, choice, interval, now)
    checkPeriods(bounds, interval)
    const wanted = seriesOf(view)
    if (wanted.length > mostSeries)
      throw badRequest([`compare: at most ${mostSeries} series, with the second one`])
    const mode = effectiveMode(view.mode, comparisonReasons(info, owners))
    const zero = startsAtZero(query.scale, info.sum) && mode !== 'indexed'
    const { width, height } = query
    const names = wanted.map(({ owner, info: of }) => [owner.chainId, of.name])
    return {
      pointsKey: JSON.stringify(['picture', names, interval, bounds]),
      topics: [...new Set(wanted.flatMap((one) => topicsOfSeries(context, one)))],
      readPoints: () =>
        Promise.all(wanted.map((one) => readPicturePoints(context, medians, one, bounds, interval))),
      // Of the time, only which period is open is drawn. The code and the names may be others after a restart.
      form: JSON.stringify([
        context.version,
        wanted.map(({ owner }) => owner),
        periodStart(now, interval),
        mode,
        zero,
        width,
        height,
      ]),
      draw(points) {
        const series = viewSeries({ info, second, chains: owners, points, mode })
        const begin = startOf(bounds, series, now)
        const [own] = owners
        const open = series.some((one) => endsOpen(one, { interval, now }))
        return drawPicture({
          series,
          interval,
          now,
          from: begin,
          to: bounds.to,
          sum: info.sum,
          zero,
          stacked: mode === 'stacked',
          endLabels: true,
          width,
          height,
          title: `${info.title} · ${owners.map(({ name }) => name).join(', ')}`,
          shortTitle: `${info.title} · ${owners.length === 1 ? own.name : `${owners.length} chains`}`,
          note: [
            rangeLabel(begin, bounds.to),
            ...viewNote({ info, second, own, series, interval, mode, zero, open }),
          ],
          empty: 'No data in this range',
        })
      },
    }
  }

  const answer = async (
    view: View,
    query: NetworkQuery,
    format: PictureFormat,
    kept: string | undefined,
  ): Promise<MediaAnswer> => {
    const { pointsKey, topics, readPoints, form, draw } = plan(view, query)
    const { text } = await headCache.get(pointsKey, topics, async () => pointsText(await readPoints()))
    const { theme } = query
    const density = format === 'png' ? query.density : 1
    // Of all that a picture is drawn from, so that one that the caller has need not be drawn.
    const etag = weakTag(`${format} ${theme} ${density} ${form} ${pointsKey} ${text}`)
    const make = async (): Promise<Buffer> => {
      const drawn = draw(pointsOf(text))
      if (format === 'svg') return Buffer.from(svgOf(drawn, theme))
      try {
        return await pngOf(drawn, theme, density)
      } catch (error) {
        if (!(error instanceof NoCanvas)) throw error
        throw unavailable('PNGs cannot be drawn on this platform; SVGs can', error)
      }
    }
    // A caller that has the picture gets a 304.
    const body = hasTag(kept, etag) ? Buffer.alloc(0) : await cache.get(etag, make)
    return new MediaAnswer({ type: pictureTypes[format], body, etag, headers })
  }

  /** The second series of a query. Throws a 400 for one that does not exist. */
  const secondOf = (
    text: string | undefined,
    own: { readonly facts: Owner; readonly series: readonly SeriesDefinition[] },
    beside: { readonly facts: readonly Owner[]; readonly series: readonly SeriesDefinition[] },
    info: SeriesDefinition,
  ): View['second'] => {
    if (text === undefined) return undefined
    const found = findSecondOf(text, { own, beside }, info)
    if (found === undefined) throw badRequest([`second: there is no series ${text} beside ${info.name}`])
    return found
  }

  const definition = (list: readonly SeriesDefinition[], name: string): SeriesDefinition => {
    const found = list.find((one) => one.name === name)
    if (found === undefined) throw new Error(`the catalogue has no ${name}`)
    return found
  }

  return [
    implement(getMetricPicture, ({ params, query, request }) => {
      const own = chainOwner(params.chainId)
      const info = definition(chainSeries, params.metric)
      const chosen = comparedChains(query.compare ?? '', own.chainId).map(chainOwner)
      // In the order of the list, as on the page, whatever the order of the query.
      const compared = [...new Set(chosen)]
        .filter((one) => one.chainId !== own.chainId)
        .toSorted((left, right) => left.index - right.index)
      const view: View = {
        kind: 'chain',
        owners: [own, ...compared],
        info,
        second: secondOf(
          query.second,
          { facts: own, series: chainSeries },
          { facts: networks, series: networkSeries },
          info,
        ),
        mode: query.mode,
      }
      return answer(view, query, params.format, request.headers['if-none-match'])
    }),

    implement(getNetworkMetricPicture, ({ params, query, request }) => {
      const { id } = findNetwork(config, params.network)
      const own = networks.find(({ chainId }) => chainId === id)
      if (own === undefined) throw new Error(`network ${id} is not in the list`)
      const info = definition(networkSeries, params.metric)
      const view: View = {
        kind: 'network',
        owners: [own],
        info,
        second: secondOf(
          query.second,
          { facts: own, series: networkSeries },
          { facts: listed, series: chainSeries },
          info,
        ),
        mode: 'plain',
      }
      return answer(view, query, params.format, request.headers['if-none-match'])
    }),
  ]
}
